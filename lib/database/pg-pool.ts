import pg from 'pg'
import type { Logger } from '../../schemas/log.ts'
import { PARSERS } from './column-types.ts'
import { errorCode } from './database-errors.ts'

/** The parts of pg's client that its types leave out. */
interface ClientInternals {
  connection: { stream: { on(event: 'error', listener: () => void): void; destroy(): void } }
  _queryable: boolean
}

/** How long a connection waits for the server to take leave. */
const FAREWELL_MS = 1_000
/** How long the end of a pool waits for the queries that are under way. */
const PATIENCE_MS = 2_000

/**
 * A client whose connection ends with a query that timed out on it, or that the server took leave in: pg would give it
 * back to the pool as healthy, and a second try would fail on the same connection.
 */
export class DisposableClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // While a client is out of the pool nobody listens, and a connection that breaks then would end the process; the
    // query under way is told by its own rejection.
    this.on('error', () => {})
  }

  // Accepts and answers whatever the overloads of the base class do.
  override query(...args: unknown[]): never {
    const result: unknown = Reflect.apply(super.query, this, args)
    if (result instanceof Promise) result.catch(error => this.#disposeAfter(error))
    return result as never
  }

  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(callback?: (error: Error) => void): Promise<void> | void {
    // A frozen server never closes its side, and pg waits for it for ever.
    const timer = setTimeout(() => this.dispose(), FAREWELL_MS).unref()
    this.once('end', () => clearTimeout(timer))
    return callback === undefined ? super.end() : super.end(callback)
  }

  /** Cuts the connection: what runs on it fails, and the pool lets go of it. */
  dispose(): void {
    const internals = this as unknown as ClientInternals
    internals._queryable = false
    internals.connection.stream.on('error', () => {})
    internals.connection.stream.destroy()
  }

  /** Whether the connection is of no more use. */
  get isLost(): boolean {
    return !(this as unknown as ClientInternals)._queryable
  }

  #disposeAfter(error: unknown): void {
    if (endsConnection(error)) this.dispose()
  }
}

/**
 * A pool that ends in a bounded time (who still holds a connection then finds it cut), and drops its idle connections
 * when one was lost: as a rule they are all dead, and each would cost somebody a time-out, or his second try.
 */
class BoundedPool extends pg.Pool {
  readonly #standing = new Set<DisposableClient>()
  readonly #idle = new Set<DisposableClient>()

  constructor(config: pg.PoolConfig) {
    super({ ...config, Client: DisposableClient })
    this.on('connect', client => client instanceof DisposableClient && this.#standing.add(client))
    this.on('acquire', client => client instanceof DisposableClient && this.#idle.delete(client))
    this.on('release', (_error, client) => client instanceof DisposableClient && this.#takeBack(client))
    this.on('remove', client => client instanceof DisposableClient && this.#forget(client))
  }

  #takeBack(client: DisposableClient): void {
    if (!client.isLost) {
      this.#idle.add(client)
      return
    }
    // What the pool hears from an idle connection that breaks: it lets go of it before anybody is given it.
    for (const idle of [...this.#idle]) idle.emit('error', new Error('Dropped, because another connection was lost'))
    this.#idle.clear()
  }

  #forget(client: DisposableClient): void {
    this.#standing.delete(client)
    this.#idle.delete(client)
  }

  override end(): Promise<void>
  override end(callback: () => void): void
  override end(callback?: () => void): Promise<void> | void {
    const timer = setTimeout(() => {
      for (const client of this.#standing) client.dispose()
    }, PATIENCE_MS)
    const ended = super.end().finally(() => clearTimeout(timer))
    if (callback === undefined) return ended
    ended.then(callback, callback)
  }
}

/** Whether a connection is of no more use after this error: timed out, or terminated by the server. */
function endsConnection(error: unknown): boolean {
  const timedOut = error instanceof Error && error.message === 'Query read timeout'
  return timedOut || /^(57P0[1235]|08...)$/.test(errorCode(error) ?? '')
}

export interface PoolOptions {
  url: string
  log: Logger
  /** Connections at most. */
  max: number
  /** How long a query may take before its connection is given up; 0 for ever. */
  queryTimeoutMs: number
  /** How long a caller waits for a connection, new or from the pool. */
  connectTimeoutMs: number
  /** How long a statement waits for a lock; the server's default when absent. */
  lockTimeoutMs?: number
}

/** The settings a client of ours connects with. */
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

/** A pool that neither hangs on a frozen server (nor does its end), nor keeps a dead connection, nor ends the process over one. */
export function createPool(options: PoolOptions): pg.Pool {
  const pool = new BoundedPool({ ...clientConfig(options), max: options.max })
  pool.on('error', error => options.log.warn({ err: error }, 'an idle database connection was lost'))
  return pool
}
