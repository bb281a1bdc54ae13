import { fileURLToPath } from 'node:url'
import { PostgresDialect } from 'kysely'
import { defineConfig } from 'kysely-ctl'
import pino from 'pino'
import { openEmbedded } from './plugins/database/embedded.ts'
import { createPool } from './plugins/database/pg-pool.ts'

const { DATABASE_DIRECT_URL, DATABASE_URL, DATA_DIR } = process.env
const url = DATABASE_DIRECT_URL || DATABASE_URL

/** For `npx kysely`: the database the service would open, and the same migrations by the same names. */
export default defineConfig({
  dialect: async () => {
    if (!url) return (await openEmbedded(DATA_DIR || './data')).dialect
    return new PostgresDialect({
      pool: createPool({ url, log: pino(), max: 2, queryTimeoutMs: 0, connectTimeoutMs: 5_000, lockTimeoutMs: 5_000 }),
    })
  },
  migrations: {
    migrationFolder: fileURLToPath(new URL('./plugins/database/migrations', import.meta.url)),
  },
})
