/** Codes of Node's sockets and resolver for an unreachable server. */
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Messages of pg, pg-pool, Kysely and PGlite that have no code. */
const MESSAGES = [
  'Query read timeout',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end',
  'Postgres connection has been discarded',
  'driver has already been destroyed',
  'PGlite is closed',
  'PGlite is closing',
  'PGlite instance is already closed',
]

/** The codes of errors that callers handle (PostgreSQL, appendix A). */
export const UNIQUE_VIOLATION = '23505'
const DEADLOCK_DETECTED = '40P01'

/** The database did not answer within the caller's deadline. */
export class DatabaseTimeout extends Error {
  override readonly name = 'DatabaseTimeout'
}

/**
 * Whether an error means that the database is unavailable now: refused, disconnected, timed out, shutting down or out
 * of connections. Errors about the query itself do not count.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause instanceof DatabaseTimeout || isConnectionFailure(cause)) return true
  }
  return false
}

function isConnectionFailure(error: Error): boolean {
  const code = errorCode(error)
  if (code !== undefined) {
    if (SOCKET_CODES.has(code)) return true
    // Connection exceptions, insufficient resources, shutdown and startup of the server, canceled statements.
    if (/^(08...|53...|57P0[1235]|57014|25006)$/.test(code)) return true
  }
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable)
  return MESSAGES.some(known => error.message.includes(known))
}

/** The time limit for a read with its retry: a connection and a query that both time out. */
const READ_DEADLINE_MS = 8_000

/** The time limit for lookups that every request needs: identity, organization, tool surface. */
export const LOOKUP_DEADLINE_MS = 1_500

/**
 * Runs an idempotent read, and once more if the connection fails: a pool may hand out a broken connection. Rejects with
 * DatabaseTimeout after `ms` milliseconds in total.
 */
export async function retryRead<T>(read: () => Promise<T>, ms = READ_DEADLINE_MS): Promise<T> {
  const started = performance.now()
  try {
    return await withDeadline(read(), ms)
  } catch (error) {
    const left = ms - (performance.now() - started)
    if (!isDatabaseUnavailable(error) || left <= 0) throw error
    return await withDeadline(read(), left)
  }
}

/** How often a transaction runs that the database ends because of a deadlock. */
const DEADLOCK_TRIES = 3

/**
 * Runs a transaction, and again if the database chose it as the victim of a deadlock: two changes of an organization may lock
 * its rows in opposite orders, such as the removal of a member and the refresh of their token.
 */
export async function retryDeadlocks<T>(transaction: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction()
    } catch (error) {
      if (!(error instanceof Error) || errorCode(error) !== DEADLOCK_DETECTED || tries === DEADLOCK_TRIES) throw error
    }
  }
}

/** Resolves with the result, or rejects with DatabaseTimeout after `ms` milliseconds. Does not stop the work. */
export function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new DatabaseTimeout(`The database did not answer within ${ms} ms`)), ms)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

/** Returns the code of an error: Node's name (`ENOENT`) or PostgreSQL's SQLSTATE (`23505`); undefined without one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** PostgreSQL's codes for U+0000, in text and in JSON. */
const UNSTORABLE = new Set(['22021', '22P05'])
const INVALID_JSON = '22P02'

/** Whether the database rejected a text that it cannot store: one with U+0000, or JSON with half of a surrogate pair. */
export function isUnstorableText(error: unknown): boolean {
  const code = errorCode(error) ?? ''
  if (UNSTORABLE.has(code)) return true
  return code === INVALID_JSON && error instanceof Error && 'detail' in error && /^Unicode /.test(String(error.detail))
}
