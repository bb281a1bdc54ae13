/** Errors of Node's sockets and resolver, of Node's own making, when the server cannot be had. */
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

/** What pg, pg-pool, Kysely and PGlite say without a code. */
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

/** The database did not answer within the time its caller gave it. */
export class DatabaseTimeout extends Error {
  override readonly name = 'DatabaseTimeout'
}

/**
 * Whether the error says that the database cannot be had now, of either engine: refused, cut off, timed out, shutting
 * down or out of connections. What it says of the query itself is not.
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
    // Connection exceptions, insufficient resources, and the server's own leaving and entering the stage.
    if (/^(08...|53...|57P0[1235]|57014|25006)$/.test(code)) return true
  }
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable)
  return MESSAGES.some(known => error.message.includes(known))
}

/** How long a read may take, its second try included: a connection and a query that both time out. */
const READ_DEADLINE_MS = 8_000

/** How long a caller waits for what is looked up of every request: who he is, where he acts, what he sees. */
export const LOOKUP_DEADLINE_MS = 1_500

/**
 * Runs an idempotent read, and once more when the connection failed under it: a pool hands out connections that were
 * cut without its knowledge. Rejects with DatabaseTimeout after so many milliseconds in all.
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

/** The answer, or DatabaseTimeout after so many milliseconds; the work itself is not stopped. */
export function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new DatabaseTimeout(`The database did not answer within ${ms} ms`)), ms)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

/** The code of an error: a name from Node (`ENOENT`), an SQLSTATE from PostgreSQL (`23505`); undefined when it has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** PostgreSQL's codes for U+0000, in a text and in JSON. */
const UNSTORABLE = new Set(['22021', '22P05'])
const INVALID_JSON = '22P02'

/** Whether the database rejected a text that it cannot store: one with U+0000, or JSON with half of a surrogate pair. */
export function isUnstorableText(error: unknown): boolean {
  const code = errorCode(error) ?? ''
  if (UNSTORABLE.has(code)) return true
  return code === INVALID_JSON && error instanceof Error && 'detail' in error && /^Unicode /.test(String(error.detail))
}
