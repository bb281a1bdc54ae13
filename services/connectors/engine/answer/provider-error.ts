import type { EgressError } from '../../../../lib/egress/egress.ts'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import { retryAfter } from '../../../../lib/http/headers.ts'
import type { NamedAccount } from '../../../accounts/account.ts'
import type { ConnectorDefinition } from '../../../definitions/connector-types.ts'
import type { OperatorCommands } from '../../../operator/operator-commands.ts'
import type { ProviderFailure } from './classify-answer.ts'
import type { ProviderAnswer } from './provider-answer.ts'
import { secondsToWait } from './provider-answer.ts'

/** A request that a provider rejected or did not answer. */
export interface FailedRequest {
  readonly connector: Pick<ConnectorDefinition, 'name' | 'errors' | 'rateLimit'>
  /** Undefined before the account exists. */
  readonly account?: NamedAccount | undefined
  /** Required with an account. */
  readonly commands?: OperatorCommands
  readonly scopes?: readonly string[] | undefined
  /** Whether the request may have changed something. */
  readonly writes: boolean
  /** Whether the provider executes requests with the same idempotency key only once. */
  readonly idempotent?: boolean | undefined
  /** If the answer is a file: what to do if it is too large. */
  readonly fileAdvice?: string | undefined
}

/** The wait for another call of the same organization to end, in seconds. */
const BUSY_WAIT_S = 5

/** Converts a provider's error to a GatewayError: who rejected the request, the provider's words, and what to do. */
export function providerError(
  request: FailedRequest,
  failure: ProviderFailure,
  headers: ProviderAnswer['headers'],
  now: number,
): GatewayError {
  const { connector, account } = request
  const advice = failure.code === undefined ? undefined : connector.errors?.advice?.[failure.code]
  const summary = summaryOf(connector.name, failure)
  const sentence = (usual: string) => [summary, advice ?? usual].join(' ')
  switch (failure.kind) {
    case 'rate_limited': {
      const seconds = secondsToWait(headers, connector.rateLimit, now)
      return new GatewayError(
        'upstream_rate_limited',
        `${connector.name} temporarily rejects calls of ${accountName(account)}${quotedMessage(failure)}. Wait ${seconds} s, then retry.`,
        { retryAfter: seconds, details: { retry_after: seconds } },
      )
    }
    case 'scope_missing':
      return new GatewayError('scope_missing', sentence(grantAdvice(request)), {
        details: scopeDetails(request),
      })
    case 'unavailable': {
      const seconds = retryAfter(headers['retry-after'], now)
      return new GatewayError('upstream_unavailable', sentence(retryAdvice(request)), {
        ...unsettledOptions(request),
        ...(seconds !== undefined && seconds > 0 && { retryAfter: Math.min(Math.ceil(seconds), 86_400) }),
      })
    }
    case 'unauthorized':
      return new GatewayError('connect_failed', sentence('Check the credential, then connect the account again.'))
    case 'rejected':
      return new GatewayError('upstream_rejected', sentence(adviceFor(failure.status, account)))
  }
}

/** The error for an account that was not granted the scopes of a tool. */
export function scopesMissing(
  commands: OperatorCommands,
  connector: Pick<ConnectorDefinition, 'name'>,
  account: NamedAccount,
  scopes: readonly string[],
): GatewayError {
  return new GatewayError(
    'scope_missing',
    `The account “${account.alias}” of ${connector.name} was not granted the scopes of this tool: ${scopes.join(', ')}. ` +
      grantAdvice({ account, commands, scopes }),
    { details: scopeDetails({ account, commands, scopes }) },
  )
}

/** The error for a tool that acts as the user, on an account without that user's token. */
export function userTokenMissing({
  connector,
  ...request
}: Pick<FailedRequest, 'account' | 'commands' | 'scopes'> & {
  connector: Pick<ConnectorDefinition, 'name'>
}): GatewayError {
  return new GatewayError(
    'scope_missing',
    `This tool acts on ${connector.name} as the user who connected it, but ${accountName(request.account)} has no token of that user. ` +
      grantAdvice(request),
    { details: scopeDetails(request) },
  )
}

/** The error for a request that was not sent or not answered. */
export function egressFailure(request: FailedRequest, error: EgressError): GatewayError {
  const { name } = request.connector
  // A request that was not sent changed nothing, so that it may be retried like a read.
  const tried = error.sent ? request : { ...request, writes: false }
  const options = { cause: error, ...unsettledOptions(tried) }
  switch (error.reason) {
    case 'timeout':
    case 'aborted':
      return new GatewayError('timeout', `${name} did not answer in time. ${retryAdvice(tried)}`, options)
    case 'too_large':
      return answerTooLarge(tried, error)
    case 'refused':
      return new GatewayError(
        'upstream_unavailable',
        `This gateway does not connect to the address of ${name}. Check the settings of the account, and ask the ` +
          'operator to check EGRESS_ALLOW, or EGRESS_ALLOW_LOOPBACK for an address of this machine.',
        { cause: error },
      )
    case 'unreachable':
      return new GatewayError(
        'upstream_unavailable',
        `${name} is unreachable: ${error.message} ${retryAdvice(tried)}`,
        options,
      )
    case 'overloaded':
      return new GatewayError(
        'upstream_rate_limited',
        `Your organization has reached its limit of concurrent calls to ${name}. Wait ${BUSY_WAIT_S} s, then retry.`,
        { cause: error, retryAfter: BUSY_WAIT_S, details: { retry_after: BUSY_WAIT_S } },
      )
  }
}

/** The error for an answer or a file that is larger than the gateway reads. */
export function answerTooLarge(request: FailedRequest, cause?: unknown): GatewayError {
  const { connector, writes, fileAdvice } = request
  const what = fileAdvice === undefined ? `The answer of ${connector.name}` : `This file of ${connector.name}`
  const advice = writes ? retryAdvice(request) : (fileAdvice ?? 'Use a smaller limit or a narrower search.')
  return new GatewayError('upstream_rejected', `${what} is larger than this gateway reads. ${advice}`, {
    ...unsettledOptions(request),
    cause,
  })
}

/** The error for an answer that does not match the provider's API. */
export function unreadableAnswer(request: FailedRequest, status: number): GatewayError {
  return new GatewayError(
    'upstream_unavailable',
    `${request.connector.name} answered (${status}) with an unreadable body. ${retryAdvice(request)}`,
    unsettledOptions(request),
  )
}

/** The error for an answer without the requested result. */
export function resultMissing(request: FailedRequest): GatewayError {
  const { connector, account } = request
  return new GatewayError(
    'upstream_rejected',
    `${connector.name} answered without the requested item. ${checkIds(account)}`,
    unsettledOptions(request),
  )
}

/** Whether the request may have been executed, so that a retry may repeat it. */
function unsettledOptions({ writes, idempotent }: FailedRequest): { unsettled: boolean } {
  return { unsettled: writes && idempotent !== true }
}

function summaryOf(name: string, failure: ProviderFailure): string {
  const status = failure.status >= 300 ? ` (${failure.status})` : ''
  return `${name} ${failure.kind === 'unavailable' ? 'failed' : 'rejected this'}${status}${quotedMessage(failure)}.`
}

function quotedMessage({ code, message }: ProviderFailure): string {
  if (message === undefined) return code === undefined ? '' : `: ${code}`
  const words = `: “${message.replace(/\.$/, '')}”`
  return code === undefined || code === message || /\s/.test(code) ? words : `${words} (${code.slice(0, 100)})`
}

function adviceFor(status: number, account: FailedRequest['account']): string {
  switch (status) {
    case 404:
    case 410:
      return checkIds(account)
    case 402:
      return `Check the plan and the payments of ${accountName(account)} at the provider.`
    case 403:
      return `Check the permissions of ${accountName(account)}, or use another account.`
    case 409:
    case 412:
      return 'The item has changed: read it again, then retry with its current state.'
    case 413:
      return 'Send less data.'
    default:
      if (status >= 300 && status < 400) return 'The item has moved: check its ID.'
      return 'Correct the arguments, then retry.'
  }
}

function checkIds(account: FailedRequest['account']): string {
  return `Check the IDs, and that ${accountName(account)} may access the item.`
}

function accountName(account: FailedRequest['account']): string {
  return account === undefined ? 'this credential' : `the account “${account.alias}”`
}

function retryAdvice({ writes, idempotent }: FailedRequest): string {
  if (!writes) return 'Retry later.'
  return idempotent
    ? 'The call may have been executed: retry with the same idempotency key, which prevents a repetition.'
    : 'The call may have been executed: check before you retry.'
}

function grantAdvice({
  account,
  commands,
  scopes = [],
}: Pick<FailedRequest, 'account' | 'commands' | 'scopes'>): string {
  if (account === undefined || commands === undefined) return 'Connect again and grant it.'
  const remedy = commands.advise.reauthorize(account)
  if (account.authKind === 'api_key') return `Give the account a key with this permission. ${remedy}`
  const grants = scopes.length === 0 ? 'it' : scopes.length === 1 ? 'that scope' : 'those scopes'
  return `Reauthorize the account and grant ${grants}. ${remedy}`
}

function scopeDetails({
  account,
  commands,
  scopes = [],
}: Pick<FailedRequest, 'account' | 'commands' | 'scopes'>): Record<string, unknown> {
  return {
    ...(account !== undefined && { account: account.id, ...commands?.errorFields.reauthorize(account, scopes) }),
    ...(scopes.length > 0 && { scopes }),
  }
}
