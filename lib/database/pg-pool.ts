import pg from 'pg'
import type { Logger } from '../../schemas/log.ts'
import { PARSERS } from './column-types.ts'
import { errorCode } from './database-errors.ts'

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
