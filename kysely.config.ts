import { fileURLToPath } from 'node:url'
import { defineConfig } from 'kysely-ctl'
import { openEngine } from './lib/database/open-database.ts'
import { createLogger } from './lib/logging/logger.ts'
import { loadConfig } from './services/settings/load.ts'

/** The configuration of `npx kysely`: the database and the migrations of the service. */
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
