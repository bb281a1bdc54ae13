import { PostgresDialect } from 'kysely'
import type { Logger } from '../../schemas/log.ts'
import type { Engine } from './engine.ts'
import { listenOnPostgres } from './pg-listener.ts'
import { clientConfig, createPool, DisposableClient } from './pg-pool.ts'

export interface PostgresOptions {
  /** A connection string. */
  url: string
  /** Past a pooler, for migrations and LISTEN; `url` when absent. */
  directUrl?: string
  /** Connections of this process, 10 when absent. */
  maxConnections?: number
  /** How long a query may take, 5,000 ms when absent. */
  queryTimeoutMs?: number
  /** How long to wait for a connection, 3,000 ms when absent. */
  connectTimeoutMs?: number
}

const LISTENER_TIMEOUT_MS = 5_000
/** A migration that waits for a lock makes every later query on that table wait behind it. */
const MIGRATION_LOCK_TIMEOUT_MS = 5_000

/** PostgreSQL behind a pool. Connects with the first query. */
export function openPostgres(options: PostgresOptions, log: Logger): Engine {
  const { url, directUrl = url, maxConnections = 10, queryTimeoutMs = 5_000, connectTimeoutMs = 3_000 } = options
  const base = { log, connectTimeoutMs }
  const pool = createPool({ ...base, url, max: maxConnections, queryTimeoutMs })

  return {
    name: 'postgres',
    dialect: new PostgresDialect({ pool }),
    migrationDialect() {
      const limits = { max: 2, queryTimeoutMs: 0, lockTimeoutMs: MIGRATION_LOCK_TIMEOUT_MS }
      return new PostgresDialect({ pool: createPool({ ...base, ...limits, url: directUrl }) })
    },
    listen(channel, onPayload, onReset) {
      const config = clientConfig({ url: directUrl, connectTimeoutMs, queryTimeoutMs: LISTENER_TIMEOUT_MS })
      return listenOnPostgres({ createClient: () => new DisposableClient(config), channel, log, onPayload, onReset })
    },
    async close() {
      // Kysely ends only a pool that it has used.
      if (!pool.ending) await pool.end()
    },
  }
}
