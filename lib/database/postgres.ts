import { PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Logger } from '../../schemas/gateway/log.ts'
import { PARSERS } from './column-types.ts'
import { errorCode } from './database-errors.ts'
import type { Engine, Listening } from './engine.ts'

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

/** Parts of pg's client that its types omit. */
interface ClientInternals {
  connection: { stream: { on(event: 'error', listener: () => void): void; destroy(): void } }
  _queryable: boolean
}

/** How long closing a connection waits for the server. */
const CLOSE_TIMEOUT_MS = 1_000
/** How long closing a pool waits for queries in flight. */
const DRAIN_TIMEOUT_MS = 2_000

/**
 * A client that closes its connection after a query that timed out, or when the server terminated it. pg would return
 * it to the pool as healthy, and a retry would fail on the same connection.
 */
export class DisposableClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // While a client is checked out nobody listens, and a broken connection would end the process. The running query
    // learns of it by its own rejection.
    this.on('error', () => {})
  }

  // Accepts and returns whatever the overloads of the base class do.
  override query(...args: unknown[]): never {
    const result: unknown = Reflect.apply(super.query, this, args)
    if (result instanceof Promise) result.catch(error => this.#disposeAfter(error))
    return result as never
  }

  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(callback?: (error: Error) => void): Promise<void> | void {
    // A frozen server never closes its side, and pg would wait forever.
    const timer = setTimeout(() => this.dispose(), CLOSE_TIMEOUT_MS).unref()
    this.once('end', () => clearTimeout(timer))
    return callback === undefined ? super.end() : super.end(callback)
  }

  /** Destroys the connection: its queries fail, and the pool removes it. */
  dispose(): void {
    const internals = this as unknown as ClientInternals
    internals._queryable = false
    internals.connection.stream.on('error', () => {})
    internals.connection.stream.destroy()
  }

  /** Whether the connection is unusable. */
  get isLost(): boolean {
    return !(this as unknown as ClientInternals)._queryable
  }

  #disposeAfter(error: unknown): void {
    if (endsConnection(error)) this.dispose()
  }
}

/**
 * A pool whose end is bounded in time: it destroys connections that are still in use. It also drops its idle
 * connections when one is lost: usually all are dead, and each would cost a caller a timeout or a retry.
 */
class BoundedPool extends pg.Pool {
  readonly #open = new Set<DisposableClient>()
  readonly #idle = new Set<DisposableClient>()

  constructor(config: pg.PoolConfig) {
    super({ ...config, Client: DisposableClient })
    this.on('connect', client => client instanceof DisposableClient && this.#open.add(client))
    this.on('acquire', client => client instanceof DisposableClient && this.#idle.delete(client))
    this.on('release', (_error, client) => client instanceof DisposableClient && this.#takeBack(client))
    this.on('remove', client => client instanceof DisposableClient && this.#forget(client))
  }

  #takeBack(client: DisposableClient): void {
    if (!client.isLost) {
      this.#idle.add(client)
      return
    }
    // This is the event of a broken idle connection: the pool removes it before anyone gets it.
    for (const idle of [...this.#idle]) idle.emit('error', new Error('Dropped, because another connection was lost'))
    this.#idle.clear()
  }

  #forget(client: DisposableClient): void {
    this.#open.delete(client)
    this.#idle.delete(client)
  }

  override end(): Promise<void>
  override end(callback: () => void): void
  override end(callback?: () => void): Promise<void> | void {
    const timer = setTimeout(() => {
      for (const client of this.#open) client.dispose()
    }, DRAIN_TIMEOUT_MS)
    const ended = super.end().finally(() => clearTimeout(timer))
    if (callback === undefined) return ended
    ended.then(callback, callback)
  }
}

/** Whether an error makes the connection unusable: a timeout, or termination by the server. */
function endsConnection(error: unknown): boolean {
  const timedOut = error instanceof Error && error.message === 'Query read timeout'
  return timedOut || /^(57P0[1235]|08...)$/.test(errorCode(error) ?? '')
}

interface PoolOptions {
  url: string
  log: Logger
  /** The maximum number of connections. */
  max: number
  /** The time limit for a query, after which its connection is dropped; 0 means none. */
  queryTimeoutMs: number
  /** How long a caller waits for a connection, new or pooled. */
  connectTimeoutMs: number
  /** How long a statement waits for a lock; the server's default when absent. */
  lockTimeoutMs?: number
}

/** The pg settings of our clients. */
export function clientConfig(options: Omit<PoolOptions, 'log' | 'max'>): pg.ClientConfig {
  return {
    connectionString: options.url,
    application_name: 'connector-gateway',
    connectionTimeoutMillis: options.connectTimeoutMs,
    keepAlive: true,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        (format === 'binary' ? undefined : PARSERS[oid]) ?? pg.types.getTypeParser(oid, format),
    } as pg.CustomTypesConfig,
    ...(options.queryTimeoutMs > 0 && { query_timeout: options.queryTimeoutMs }),
    ...(options.lockTimeoutMs !== undefined && { lock_timeout: options.lockTimeoutMs }),
  }
}

/**
 * Creates a pool that never hangs on a frozen server, keeps no dead connection, and never ends the process because of
 * one.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const pool = new BoundedPool({ ...clientConfig(options), max: options.max })
  pool.on('error', error => options.log.warn({ err: error }, 'an idle database connection was lost'))
  return pool
}
