import { type ErrorCode, GatewayError } from '../../../lib/errors/errors.ts'
import { sanitizeLine } from '../../../lib/sanitize-text.ts'
import { RPC_ERRORS } from '../../mcp/json-rpc.ts'
import type { OperatorCommands } from '../../operator/operator-commands.ts'
import { readChallenge, stepUpScopes } from '../oauth/challenge.ts'
import type { Registration } from '../registration.ts'
import type { RemoteConnector } from '../remote-connectors.ts'
import { serverSays } from '../upstream/refusals.ts'
import type { UpstreamError, UpstreamFailure } from '../upstream/upstream.ts'

type Failed = Pick<RemoteConnector, 'registration' | 'account'>

interface Row {
  readonly code: ErrorCode
  message(name: string, error: UpstreamError): string
}

/** The error code and the message of each failure. */
const ROWS: Readonly<Record<Exclude<UpstreamFailure, 'insufficient_scope' | 'unauthorized'>, Row>> = {
  rpc: {
    code: 'upstream_rejected',
    message: (name, error) => `${name} rejected the call: ${inQuotes(error)}. ${rejectionAdvice(error)}`,
  },
  timeout: { code: 'timeout', message: late },
  aborted: { code: 'timeout', message: late },
  too_large: {
    code: 'upstream_rejected',
    message: (name, error) => `The answer of ${name} exceeds the gateway's size limit. ${less(error)}`,
  },
  malformed: {
    code: 'upstream_unavailable',
    message: (name, error) => `${name} returned an invalid MCP response. ${retryAdvice(error)}`,
  },
  unreachable: {
    code: 'upstream_unavailable',
    message: (name, error) => `${name} is unreachable: ${sentence(error)} ${retryAdvice(error)}`,
  },
  refused: {
    code: 'upstream_unavailable',
    message: name =>
      `This gateway may not connect to the address of ${name}. An admin must check its URL, or the operator must allow the ` +
      "address with EGRESS_ALLOW, or with EGRESS_ALLOW_LOOPBACK for a server on the gateway's machine.",
  },
  busy: {
    code: 'upstream_unavailable',
    message: (name, error) => `Your organization has too many concurrent calls to ${name}. ${retryAdvice(error)}`,
  },
  open: {
    code: 'upstream_unavailable',
    message: (name, error) =>
      `${name} failed repeatedly, so the gateway does not call it for now. ${retryAdvice(error)}`,
  },
  old_transport: {
    code: 'upstream_unavailable',
    message: name =>
      `${name} speaks the older HTTP+SSE transport at its URL, which this gateway does not support. An admin must register the ` +
      'URL of its Streamable HTTP transport, which is usually /mcp.',
  },
  status: { code: 'upstream_unavailable', message: failedWithStatus },
}
const RATE_LIMITED: Row = {
  code: 'upstream_rate_limited',
  message: (name, error) => `${name} limits its rate of calls. ${retryAdvice(error)}`,
}

/** The error for a failed call of an upstream's tool: what happened, the upstream's own message, and what to do. */
export async function callFailure(
  remote: Failed,
  error: UpstreamError,
  commands: OperatorCommands,
): Promise<GatewayError> {
  if (error.kind === 'insufficient_scope') return scopeMissing(remote, error, commands)
  if (error.kind === 'unauthorized') return failure('upstream_rejected', unauthorized(remote.registration), error)
  const { code, message } = error.kind === 'status' && error.status === 429 ? RATE_LIMITED : ROWS[error.kind]
  return failure(code, message(remote.registration.name, error), error)
}

/** A rejected credential is needs_reauth, so only the modes without one remain. */
function unauthorized({ name, slug, auth }: Registration): string {
  return auth.mode === 'assertion'
    ? `${name} does not accept you or this gateway (HTTP 401). Its operator must give you access, and trust the keys that this gateway publishes at /.well-known/jwks.json.`
    : `${name} requires a credential but is registered without one. An admin must send \`auth\` of mode bearer, header or oauth with PATCH /connectors/org/${slug}.`
}

function late(name: string, error: UpstreamError): string {
  return `${name} did not answer in time. ${retryAdvice(error)}`
}

function failedWithStatus(name: string, error: UpstreamError): string {
  const { status } = error
  const wrongAddress = status === 404 || status === 405 || status === 410 || (status !== undefined && status < 400)
  const advice = wrongAddress
    ? 'There may no longer be an MCP server at its URL. An admin must check it.'
    : retryAdvice(error)
  // Where it redirects concerns only admins, who see it at a refresh.
  const said = status !== undefined && status < 400 ? '' : serverSays(error.words)
  return `${name} failed${status === undefined ? '' : ` (HTTP ${status})`}.${said} ${advice}`
}

async function scopeMissing(
  { registration, account }: Failed,
  error: UpstreamError,
  commands: OperatorCommands,
): Promise<GatewayError> {
  const { name, slug, auth } = registration
  const challenge = await readChallenge(error.challenge)
  const scopes = challenge?.scopes ?? []
  const needed = scopes.length === 0 ? 'more access than its credential has' : `the scopes ${scopes.join(', ')}`
  const details = {
    ...(account !== undefined && { account: account.id }),
    ...(scopes.length > 0 && { scopes }),
  }
  return failure('scope_missing', `${name} requires ${needed} for this call. ${grantAdvice()}`, error, details)

  function grantAdvice(): string {
    if (account === undefined)
      return auth.mode === 'assertion'
        ? 'Its operator must give you this access.'
        : `An admin must send \`auth\` with a credential that has this access, with PATCH /connectors/org/${slug}.`
    const command = commands.advise.connectRemote(registration, account.userId)
    const otherToken = `It needs a token that has this access. ${command}`
    if (!('oauth' in auth)) return otherToken
    const requested = auth.oauth.scopes
    // Without requested scopes the server decides. A list that omits granted scopes would narrow the grant.
    const had = requested.length > 0 ? requested : (account.grantedScopes ?? [])
    const all = stepUpScopes(had, challenge)
    const signIn = auth.mode === 'oauth'
    if (all === undefined) return signIn ? `It must be authorized again with this access. ${command}` : otherToken
    const how = `PATCH /connectors/org/${slug}`
    return (
      `Its registration does not request these scopes. An admin must send \`auth\` with \`scopes\`: ${all.join(', ')}, with ` +
      (signIn ? `manage__remote_update or ${how}, then sign in again.` : `${how}.`)
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
  if (error.unsettled) return 'The call may have been executed: check before you retry.'
  const seconds = secondsToWait(error)
  return seconds === undefined ? 'Retry later.' : `Wait ${seconds} s, then retry.`
}

function less(error: UpstreamError): string {
  return error.unsettled ? retryAdvice(error) : 'Request less, with a smaller limit or a narrower search.'
}

function rejectionAdvice(error: UpstreamError): string {
  if (error.unsettled) return retryAdvice(error)
  switch (error.rpcCode) {
    case RPC_ERRORS.methodNotFound.code:
      return 'It may no longer have this tool. An admin can refresh its tools (manage__remote_refresh).'
    case RPC_ERRORS.invalidParams.code:
      return 'Correct the arguments, then retry. If they are correct, an admin can refresh its tools (manage__remote_refresh).'
    default:
      return 'Correct the call, or check the documentation of the upstream.'
  }
}

function inQuotes({ message, rpcCode }: UpstreamError): string {
  const words = `“${sanitizeLine(message).replace(/\.$/, '')}”`
  return rpcCode === undefined ? words : `${words} (${rpcCode})`
}

function sentence({ message }: UpstreamError): string {
  const line = sanitizeLine(message)
  return /[.!?…]$/.test(line) ? line : `${line}.`
}
