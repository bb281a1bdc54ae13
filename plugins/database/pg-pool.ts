import pg from 'pg'
import type { Logger } from '../../schemas/log.ts'
import { errorCode } from './error-code.ts'
import { PARSERS } from './parsers.ts'

/** The parts of pg's client that its types leave out. */
interface ClientInternals {
  connection: { stream: { on(event: 'error', listener: () => void): void; destroy(): void } }
  _queryable: boolean
}

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

  #disposeAfter(error: unknown): void {
    if (!endsConnection(error)) return
    const internals = this as unknown as ClientInternals
    internals._queryable = false
    internals.connection.stream.on('error', () => {})
    internals.connection.stream.destroy()
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

/** A pool that neither hangs on a frozen server, nor keeps a dead connection, nor ends the process over one. */
export function createPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({ ...clientConfig(options), max: options.max, Client: DisposableClient })
  pool.on('error', error => options.log.warn({ err: error }, 'an idle database connection was lost'))
  return pool
}
