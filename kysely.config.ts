import { fileURLToPath } from 'node:url'
import { defineConfig } from 'kysely-ctl'
import { loadConfig } from './lib/configuration/load.ts'
import { openEngine } from './lib/database/open-database.ts'
import { createLogger } from './lib/logging/logger.ts'

/** For `npx kysely`: the database the service would open, and the same migrations by the same names. */
export default defineConfig({
  dialect: async () => {
    const { database, dataDir, logLevel } = loadConfig(process.env)
    const engine = await openEngine({ postgres: database, dataDir, log: createLogger({ level: logLevel }) })
    return engine.migrationDialect() ?? engine.dialect
  },
  migrations: {
    migrationFolder: fileURLToPath(new URL('./lib/database/migrations', import.meta.url)),
  },
})
