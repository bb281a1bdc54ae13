import type { EgressError } from '../../../../lib/egress/egress.ts'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import { retryAfter } from '../../../../lib/http/headers.ts'
import type { NamedAccount } from '../../../accounts/account.ts'
import { reauthorizeCommand } from '../../../credentials/operator-advice.ts'
import type { ConnectorDefinition } from '../../../definitions/define-connector.ts'
import type { ProviderAnswer, Refusal } from './classify-answer.ts'
import { secondsToWait } from './provider-answer.ts'

/** Whose request a provider has refused. */
export interface RefusedRequest {
  readonly connector: Pick<ConnectorDefinition, 'name' | 'errors' | 'rateLimit'>
  /** Undefined before there is one. */
  readonly account?: NamedAccount | undefined
  readonly scopes?: readonly string[] | undefined
  /** Whether it may have changed something. */
  readonly writes: boolean
  /** Whether the provider itself sees to it that a repetition with the same idempotency key is done once. */
  readonly idempotent?: boolean | undefined
}

/** What is waited for another call of the same organization to end. */
const BUSY_WAIT_S = 5

/** A provider's refusal as a sentence: who said no, its own words, and what to do. */
export function providerError(
  request: RefusedRequest,
  refusal: Refusal,
  headers: ProviderAnswer['headers'],
  now: number,
): GatewayError {
  const { connector, account } = request
  const advice = refusal.code === undefined ? undefined : connector.errors?.advice?.[refusal.code]
  const said = saidOf(connector.name, refusal)
  const sentence = (usual: string) => [said, advice ?? usual].join(' ')
  switch (refusal.kind) {
    case 'rate_limited': {
      const seconds = secondsToWait(headers, connector.rateLimit, now)
      return new GatewayError(
        'upstream_rate_limited',
        `${connector.name} takes no more calls of ${named(account)} for now${quoted(refusal)}. Wait ${seconds} s, then try again.`,
        { retryAfter: seconds, details: { retry_after: seconds } },
      )
    }
    case 'scope_missing':
      return new GatewayError('scope_missing', sentence(grantAdvice(account, request.scopes)), {
        details: scopeDetails(account, request.scopes),
      })
    case 'unavailable': {
      const seconds = retryAfter(headers['retry-after'], now)
      return new GatewayError('upstream_unavailable', sentence(retryAdvice(request)), {
        ...inDoubt(request),
        ...(seconds !== undefined && seconds > 0 && { retryAfter: Math.min(Math.ceil(seconds), 86_400) }),
      })
    }
    case 'unauthorized':
      return new GatewayError('connect_failed', sentence('Check the credential, and connect the account again.'))
    case 'rejected':
      return new GatewayError('upstream_rejected', sentence(adviceFor(refusal.status, account)))
  }
}

/** The refusal of a call whose account was never granted what the tool needs. */
export function scopesMissing(
  connector: Pick<ConnectorDefinition, 'name'>,
  account: NamedAccount,
  scopes: readonly string[],
): GatewayError {
  return new GatewayError(
    'scope_missing',
    `The account “${account.alias}” of ${connector.name} was not granted what this tool needs: ${scopes.join(', ')}. ` +
      grantAdvice(account, scopes),
    { details: scopeDetails(account, scopes) },
  )
}

/** The refusal of a call that acts as the user, on an account that has no token of his. */
export function userTokenMissing(
  connector: Pick<ConnectorDefinition, 'name'>,
  account: RefusedRequest['account'],
  scopes: readonly string[] | undefined,
): GatewayError {
  return new GatewayError(
    'scope_missing',
    `This tool acts on ${connector.name} as the user who connected it, and ${named(account)} has no token of that user. ` +
      grantAdvice(account, scopes),
    { details: scopeDetails(account, scopes) },
  )
}

/** A request that was not let out, or not answered. */
export function egressFailure(request: RefusedRequest, error: EgressError): GatewayError {
  const { name } = request.connector
  // What was not sent is not in doubt, and may be tried again like something that only reads.
  const tried = error.sent ? request : { ...request, writes: false }
  const options = { cause: error, ...inDoubt(tried) }
  switch (error.reason) {
    case 'timeout':
    case 'aborted':
      return new GatewayError('timeout', `${name} did not answer in time. ${retryAdvice(tried)}`, options)
    case 'too_large':
      return answerTooLarge(tried, error)
    case 'refused':
      return new GatewayError(
        'upstream_unavailable',
        `This gateway does not connect to the address of ${name}. Check the settings of the account, and have an ` +
          'operator check EGRESS_ALLOW, or EGRESS_ALLOW_LOOPBACK where that is this machine itself.',
        { cause: error },
      )
    case 'unreachable':
      return new GatewayError(
        'upstream_unavailable',
        `${name} cannot be reached: ${error.message} ${retryAdvice(tried)}`,
        options,
      )
    case 'overloaded':
      return new GatewayError(
        'upstream_rate_limited',
        `Your organization has as many calls to ${name} under way as it may. Wait ${BUSY_WAIT_S} s, then try again.`,
        { cause: error, retryAfter: BUSY_WAIT_S, details: { retry_after: BUSY_WAIT_S } },
      )
  }
}

/** What a call is told whose answer is more than is read. */
export function answerTooLarge(request: RefusedRequest, cause?: unknown): GatewayError {
  const { name } = request.connector
  return new GatewayError(
    'upstream_rejected',
    request.writes
      ? `${name} answered with more than this gateway reads. ${retryAdvice(request)}`
      : `The answer of ${name} is larger than this gateway reads. Ask for less: a smaller limit, or a narrower search.`,
    { ...inDoubt(request), cause },
  )
}

/** What a call is told whose answer is not what the provider's API promises. */
export function unreadableAnswer(request: RefusedRequest, status: number): GatewayError {
  return new GatewayError(
    'upstream_unavailable',
    `${request.connector.name} answered (${status}) with something that cannot be read. ${retryAdvice(request)}`,
    inDoubt(request),
  )
}

/** What a call is told whose answer has nothing where the result stands. */
export function nothingThere(request: RefusedRequest): GatewayError {
  const { connector, account } = request
  return new GatewayError(
    'upstream_rejected',
    `${connector.name} answered, and has nothing there. ${checkIds(account)}`,
    inDoubt(request),
  )
}

/** Whether it may have been done all the same, and again if it is tried again. */
function inDoubt({ writes, idempotent: once }: RefusedRequest): { unsettled: boolean } {
  return { unsettled: writes && once !== true }
}

function saidOf(name: string, refusal: Refusal): string {
  const status = refusal.status >= 300 ? ` (${refusal.status})` : ''
  return `${name} ${refusal.kind === 'unavailable' ? 'failed' : 'refused this'}${status}${quoted(refusal)}.`
}

function quoted({ code, message }: Refusal): string {
  if (message === undefined) return code === undefined ? '' : `: ${code}`
  const words = `: “${message.replace(/\.$/, '')}”`
  return code === undefined || code === message || /\s/.test(code) ? words : `${words} (${code.slice(0, 100)})`
}

function adviceFor(status: number, account: RefusedRequest['account']): string {
  switch (status) {
    case 404:
    case 410:
      return checkIds(account)
    case 402:
      return `See what ${named(account)} has paid for there.`
    case 403:
      return `See what ${named(account)} may do there, or use another account.`
    case 409:
    case 412:
      return 'It is not in the state that this needs: read it again, then try with what it is now.'
    case 413:
      return 'Send less.'
    default:
      if (status >= 300 && status < 400) return 'It stands somewhere else now: check the id.'
      return 'Correct the arguments, then try again.'
  }
}

function checkIds(account: RefusedRequest['account']): string {
  return `Check the ids, and that ${named(account)} may see it.`
}

function named(account: RefusedRequest['account']): string {
  return account === undefined ? 'this credential' : `the account “${account.alias}”`
}

function retryAdvice({ writes, idempotent: once }: RefusedRequest): string {
  if (!writes) return 'Try again in a while.'
  return once
    ? 'It may have been done all the same: try again with the same idempotency key, and it is done once.'
    : 'It may have been done all the same: look before you try again.'
}

function grantAdvice(account: RefusedRequest['account'], scopes: readonly string[] = []): string {
  if (account === undefined) return 'Connect again and grant it.'
  if (account.authKind === 'api_key') return `Give the account a key that may do this: ${reauthorizeCommand(account)}`
  const grants = scopes.length === 0 ? 'it' : scopes.length === 1 ? 'that scope' : 'those scopes'
  return `Reauthorize the account and grant ${grants}: ${reauthorizeCommand(account)}`
}

function scopeDetails(account: RefusedRequest['account'], scopes: readonly string[] = []): Record<string, unknown> {
  return { ...(account !== undefined && { account: account.id }), ...(scopes.length > 0 && { scopes }) }
}
