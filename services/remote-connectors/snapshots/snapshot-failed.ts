import { errorRow, GatewayError } from '../../../lib/errors/errors.ts'
import type { Registration } from '../registration.ts'
import { UpstreamError } from '../upstream/upstream.ts'

/** HTTP statuses of a path where no MCP server is. */
const NOTHING_THERE = new Set([404, 405, 410])

/**
 * Runs what asks an upstream for its tools; what it fails with throws snapshot_failed with a sentence for the admin, or
 * `gone` where the registration was removed meanwhile.
 */
export async function snapshotFailed<T>(
  { name, auth }: Registration,
  ask: () => Promise<T>,
  gone: () => Promise<GatewayError>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    // Its credential went with the registration.
    const removed = error instanceof GatewayError && error.code === 'account_not_found'
    throw removed ? await gone() : failureOf({ name, auth }, error)
  }
}

function failureOf({ name, auth }: Pick<Registration, 'name' | 'auth'>, error: unknown): unknown {
  const failed = (why: string) =>
    new GatewayError('snapshot_failed', `${name} gave no list of its tools. ${why}`, { cause: error })
  if (error instanceof UpstreamError) return failed(reasonOf(error, auth))
  if (!(error instanceof GatewayError)) return error
  // What is made for a tool's result alone has no status of its own.
  return errorRow(error.code).envelope === 'tool' ? failed(error.message) : error
}

/** What happened, and what an admin does about it where that is known. */
function reasonOf({ kind, status, message }: UpstreamError, { mode }: Registration['auth']): string {
  if (kind === 'unauthorized' && mode === 'none')
    return 'It asks for a credential (HTTP 401): remove it and register it with bearer, header or oauth.'
  if (kind === 'status' && status !== undefined && NOTHING_THERE.has(status))
    return `${message} Check the path of its URL, which is usually /mcp. With another URL it is removed and registered again.`
  if (kind === 'unreachable') return `${message} Check that it runs and that its URL is right, then refresh.`
  return message
}
