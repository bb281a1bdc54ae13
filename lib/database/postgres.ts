import { PostgresDialect } from 'kysely'
import type { Logger } from '../../schemas/log.ts'
import type { Engine, Listening } from './engine.ts'
import { clientConfig, createPool, DisposableClient } from './pg-pool.ts'

export interface PostgresOptions {
  /** A connection string. */
  url: string
  /** Bypasses a pooler, for migrations and LISTEN; `url` when absent. */
  directUrl?: string
  /** The maximum number of connections of this process; 10 when absent. */
  maxConnections?: number
  /** The time limit for a query; 5,000 ms when absent. */
  queryTimeoutMs?: number
  /** The time limit for getting a connection; 3,000 ms when absent. */
  connectTimeoutMs?: number
}

const LISTENER_TIMEOUT_MS = 5_000
/** While a migration waits for a lock, every later query on that table waits behind it. */
const MIGRATION_LOCK_TIMEOUT_MS = 5_000

/** Opens PostgreSQL behind a connection pool. It connects with the first query. */
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

/** How often the connection is probed: a broken connection delivers nothing and reports nothing. */
const PROBE_MS = 10_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000

interface ListenerOptions {
  /** Creates a client that is not connected yet. */
  createClient: () => DisposableClient
  channel: string
  log: Logger
  onPayload: (payload: string) => void
  /** Called each time the connection is restored. */
  onReset: () => void
}

/** Listens on a dedicated connection, and replaces it when it is lost. Resolves after the first try. */
async function listenOnPostgres(options: ListenerOptions): Promise<Listening> {
  const { createClient, channel, log, onPayload, onReset } = options
  let client: DisposableClient | undefined
  let timer: NodeJS.Timeout | undefined
  let pause = FIRST_PAUSE_MS
  let missed = false
  let wasConnected = false
  let closed = false

  async function connect(): Promise<void> {
    const next = createClient()
    client = next
    next.on('notification', message => {
      if (message.channel === channel) onPayload(message.payload ?? '')
    })
    next.once('end', () => lose(next))
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
    } catch (error) {
      lose(next, error)
      return
    }
    if (closed || client !== next) return
    pause = FIRST_PAUSE_MS
    schedule(probe, PROBE_MS)
    wasConnected = true
    if (missed) onReset()
    missed = false
  }

  async function probe(): Promise<void> {
    const probed = client
    if (probed === undefined) return
    try {
      await probed.query('select 1')
      if (client === probed) schedule(probe, PROBE_MS)
    } catch (error) {
      lose(probed, error)
    }
  }

  function lose(lost: DisposableClient, error?: unknown): void {
    if (client !== lost) return
    client = undefined
    missed = true
    // Not awaited: the connection is gone, or will be with its process.
    lost.end().catch(() => {})
    if (closed) return
    // A failed first connection is reported by the start itself.
    if (wasConnected) log.warn({ err: error, retryInMs: pause }, 'the connection for change events was lost')
    schedule(connect, pause)
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }

  function schedule(work: () => Promise<void>, ms: number): void {
    clearTimeout(timer)
    if (!closed) timer = setTimeout(() => void work(), ms).unref()
  }

  await connect()
  return {
    async close() {
      closed = true
      clearTimeout(timer)
      const last = client
      client = undefined
      await last?.end()
    },
  }
}
