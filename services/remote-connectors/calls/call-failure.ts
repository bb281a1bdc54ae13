import { type ErrorCode, GatewayError } from '../../../lib/errors/errors.ts'
import { sanitizeLine } from '../../../lib/sanitize-text.ts'
import { remoteConnectCommand } from '../../credentials/operator-advice.ts'
import { RPC_ERRORS } from '../../mcp/json-rpc.ts'
import { readChallenge } from '../oauth/challenge.ts'
import { stepUpScopes } from '../oauth/step-up.ts'
import type { RemoteConnector } from '../remote-connectors.ts'
import type { UpstreamError, UpstreamFailure } from '../upstream/upstream.ts'

type Failed = Pick<RemoteConnector, 'registration' | 'account'>

interface Row {
  readonly code: ErrorCode
  says(name: string, error: UpstreamError): string
}

/** What a failure is to who calls, and what is said of it: what happened, the upstream's own words, and what to do. */
const ROWS: Readonly<Record<Exclude<UpstreamFailure, 'insufficient_scope'>, Row>> = {
  rpc: {
    code: 'upstream_rejected',
    says: (name, error) => `${name} refused this: ${quoted(error)}. ${rejectionAdvice(error)}`,
  },
  unauthorized: {
    code: 'upstream_rejected',
    says: name =>
      `${name} asks for a credential, and is registered without one. An administrator removes it and registers it again with one.`,
  },
  timeout: { code: 'timeout', says: late },
  aborted: { code: 'timeout', says: late },
  too_large: {
    code: 'upstream_rejected',
    says: (name, error) => `The answer of ${name} is larger than this gateway reads. ${less(error)}`,
  },
  malformed: {
    code: 'upstream_unavailable',
    says: (name, error) => `${name} answered with something that is no answer of MCP. ${retryAdvice(error)}`,
  },
  unreachable: {
    code: 'upstream_unavailable',
    says: (name, error) => `${name} cannot be reached: ${sentence(error)} ${retryAdvice(error)}`,
  },
  refused: {
    code: 'upstream_unavailable',
    says: name =>
      `This gateway does not connect to the address of ${name}. An administrator checks its URL, and an operator ` +
      'EGRESS_ALLOW, or EGRESS_ALLOW_LOOPBACK where that is this machine itself.',
  },
  busy: {
    code: 'upstream_unavailable',
    says: (name, error) => `Your organization has as many calls to ${name} under way as it may. ${retryAdvice(error)}`,
  },
  open: {
    code: 'upstream_unavailable',
    says: (name, error) => `${name} has failed again and again, and is not asked for a while. ${retryAdvice(error)}`,
  },
  status: { code: 'upstream_unavailable', says: failedWithStatus },
}
const RATE_LIMITED: Row = {
  code: 'upstream_rate_limited',
  says: (name, error) => `${name} takes no more calls for now. ${retryAdvice(error)}`,
}

/** Why a call of an upstream's tool has no result, as a sentence: what happened, the upstream's own words, and what to do. */
export async function callFailure(remote: Failed, error: UpstreamError): Promise<GatewayError> {
  if (error.kind === 'insufficient_scope') return scopeMissing(remote, error)
  const { code, says } = error.kind === 'status' && error.status === 429 ? RATE_LIMITED : ROWS[error.kind]
  return failure(code, says(remote.registration.name, error), error)
}

function late(name: string, error: UpstreamError): string {
  return `${name} did not answer in time. ${retryAdvice(error)}`
}

function failedWithStatus(name: string, error: UpstreamError): string {
  const { status } = error
  const wrongAddress = status === 404 || status === 405 || status === 410 || (status !== undefined && status < 400)
  const advice = wrongAddress
    ? 'There may be no MCP server at its URL any more: an administrator checks it.'
    : retryAdvice(error)
  return `${name} failed${status === undefined ? '' : ` (HTTP ${status})`}. ${advice}`
}

async function scopeMissing({ registration, account }: Failed, error: UpstreamError): Promise<GatewayError> {
  const { name, auth } = registration
  const challenge = await readChallenge(error.challenge)
  const scopes = challenge?.scopes ?? []
  const needed = scopes.length === 0 ? 'more than its credential was granted' : `the scopes ${scopes.join(', ')}`
  const details = {
    ...(account !== undefined && { account: account.id }),
    ...(scopes.length > 0 && { scopes }),
  }
  return failure('scope_missing', `${name} needs ${needed} for this. ${grantAdvice()}`, error, details)

  function grantAdvice(): string {
    if (account === undefined) return 'An administrator registers it again with a credential that may do this.'
    const command = remoteConnectCommand(registration)
    if (auth.mode !== 'oauth') return `An administrator gives it a token that may do this: ${command}`
    const requested = auth.oauth.scopes
    // Where nothing is asked for the server decides, and a list in its place would narrow what was granted.
    const had = requested.length > 0 ? requested : (account.grantedScopes ?? [])
    const all = stepUpScopes(had, challenge)
    if (all === undefined) return `An administrator authorizes it again and grants that: ${command}`
    return (
      'Its registration does not ask for that: an administrator removes it and registers it again with these scopes ' +
      `(\`auth.scopes\`): ${all.join(', ')}.`
    )
  }
}

function failure(
  code: ErrorCode,
  message: string,
  error: UpstreamError,
  details: Readonly<Record<string, unknown>> = {},
): GatewayError {
  const seconds = secondsToWait(error)
  const all = { ...details, ...(seconds !== undefined && { retry_after: seconds }) }
  return new GatewayError(code, message, {
    cause: error,
    unsettled: error.unsettled,
    ...(seconds !== undefined && { retryAfter: seconds }),
    ...(Object.keys(all).length > 0 && { details: all }),
  })
}

function secondsToWait({ retryAfter }: UpstreamError): number | undefined {
  return retryAfter !== undefined && retryAfter > 0 ? Math.min(Math.ceil(retryAfter), 86_400) : undefined
}

function retryAdvice(error: UpstreamError): string {
  if (error.unsettled) return 'It may have been done all the same: look before you try again.'
  const seconds = secondsToWait(error)
  return seconds === undefined ? 'Try again in a while.' : `Wait ${seconds} s, then try again.`
}

function less(error: UpstreamError): string {
  return error.unsettled ? retryAdvice(error) : 'Ask for less: a smaller limit, or a narrower search.'
}

function rejectionAdvice(error: UpstreamError): string {
  if (error.unsettled) return retryAdvice(error)
  switch (error.rpcCode) {
    case RPC_ERRORS.methodNotFound.code:
      return 'It may not have this tool any more: an administrator refreshes its tools (manage__remote_refresh).'
    case RPC_ERRORS.invalidParams.code:
      return 'Correct the arguments, then try again. Where they are right, an administrator refreshes its tools (manage__remote_refresh).'
    default:
      return 'Correct the call, or see at the upstream what it needs.'
  }
}

function quoted({ message, rpcCode }: UpstreamError): string {
  const words = `“${sanitizeLine(message).replace(/\.$/, '')}”`
  return rpcCode === undefined ? words : `${words} (${rpcCode})`
}

function sentence({ message }: UpstreamError): string {
  const line = sanitizeLine(message)
  return /[.!?…]$/.test(line) ? line : `${line}.`
}
