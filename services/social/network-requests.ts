import { type Egress, EgressError } from '../../lib/egress/egress.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { retryAfter } from '../../lib/http/headers.ts'
import { parseUpstream } from '../../lib/http/json.ts'
import type { Clock } from '../../schemas/primitives/time.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { SocialCall } from './network.ts'

/** Shorter than the deadline of a tool, so that one silent network does not fail a call to several. */
const DEADLINE_MS = 12_000
/** A thread of Hacker News with 5,000 comments has about 5 MB. */
const MAX_BYTES = 8 * 1024 ** 2
/** The wait after a 429 without a time. */
const DEFAULT_WAIT_S = 60
const MAX_WAIT_S = 86_400

/** A request to a network. */
export interface NetworkRequest {
  method?: 'GET' | 'POST'
  /** Query parameters; those that are undefined are left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  headers?: Readonly<Record<string, string>>
  body?: string
  /** Secret headers, and the settings that hold the secret. */
  credential?: { readonly headers: Readonly<Record<string, string>>; readonly settings: string }
  /** Reads the seconds to wait from the headers of a 429, besides Retry-After. */
  waitOf?(headers: Readonly<Record<string, string>>): number | undefined
  /** Statuses besides 2xx that the network handles itself. */
  accepts?: readonly number[]
}

interface NetworkAnswer {
  readonly status: number
  readonly json: unknown
}

/** Sends requests to one network. Throws a GatewayError that names the network, what failed and what to do. */
export type SendRequest = (url: string, request: NetworkRequest, call: SocialCall) => Promise<NetworkAnswer>

interface SendRequestOptions extends Pick<Infrastructure, 'clock'> {
  egress: Pick<Egress, 'request'>
  /** The name that people know. */
  network: string
}

export function createSendRequest({ egress, clock, network }: SendRequestOptions): SendRequest {
  return async function sendRequest(url, request, { orgId, signal }) {
    const { method = 'GET', headers, body, credential } = request
    const target = withQuery(url, request.query)
    const answer = await egress
      .request({
        method,
        url: target,
        headers: { accept: 'application/json', ...headers },
        ...(body !== undefined && { body }),
        ...(credential !== undefined && { credential: { origin: target.origin, headers: credential.headers } }),
        deadlineMs: DEADLINE_MS,
        maxBytes: MAX_BYTES,
        concurrencyKey: orgId,
        signal,
      })
      .catch((error: unknown) => {
        throw error instanceof EgressError ? unanswered(network, error) : error
      })
    const { status } = answer
    if ((status < 200 || status > 299) && request.accepts?.includes(status) !== true)
      throw rejected(network, status, request, waitAfter(request, answer.headers, clock.now()))
    const json = parseUpstream(answer.body)
    if (json === undefined && status < 300)
      throw new GatewayError('upstream_unavailable', `${network} did not answer with JSON. Retry later.`)
    return { status, json }
  }
}

function withQuery(url: string, query: NetworkRequest['query'] = {}): URL {
  const target = new URL(url)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) target.searchParams.set(name, String(value))
  return target
}

function waitAfter({ waitOf }: NetworkRequest, headers: Readonly<Record<string, string>>, now: number): number {
  const seconds = retryAfter(headers['retry-after'], now) ?? waitOf?.(headers) ?? DEFAULT_WAIT_S
  return Math.min(Math.max(Math.ceil(seconds), 1), MAX_WAIT_S)
}

function rejected(network: string, status: number, { credential }: NetworkRequest, wait: number): GatewayError {
  if (status === 404 || status === 410)
    return new GatewayError('not_found', `${network} has no such post or profile. It may be deleted or private.`)
  if (status === 429)
    return new GatewayError(
      'upstream_rate_limited',
      `${network} limits the requests of this gateway for now. Wait ${wait} s, then retry.`,
      { retryAfter: wait, details: { retry_after: wait } },
    )
  if (status === 401 || status === 403)
    return new GatewayError(
      'upstream_rejected',
      credential === undefined
        ? `${network} does not show this without a credential (status ${status}).`
        : `${network} rejected the credential of this gateway (status ${status}). Ask the operator to check ${credential.settings}.`,
    )
  if (status >= 500)
    return new GatewayError('upstream_unavailable', `${network} failed (status ${status}). Retry later.`)
  return new GatewayError(
    'upstream_rejected',
    `${network} rejected the request (status ${status}). Check the arguments.`,
  )
}

function unanswered(network: string, error: EgressError): GatewayError {
  switch (error.reason) {
    case 'timeout':
    case 'aborted':
      return new GatewayError('timeout', `${network} did not answer in time. Retry later.`, { cause: error })
    case 'refused':
      return new GatewayError('invalid_request', `This gateway does not connect to this address: ${error.message}`, {
        cause: error,
      })
    case 'overloaded':
      return new GatewayError('upstream_rate_limited', error.message, { cause: error, retryAfter: 5 })
    default:
      return new GatewayError('upstream_unavailable', `${network} is unreachable: ${error.message} Retry later.`, {
        cause: error,
      })
  }
}

/** A token, and how long it can be used. */
interface IssuedToken {
  readonly token: string
  readonly lastsMs: number
}

/** Returns the token of the gateway's account, another one than a rejected one. Throws what `issue` throws. */
type SharedToken = (call: SocialCall, rejected?: string) => Promise<string>

/** Networks limit sign-ins (Bluesky: 300 a day), so that a failed one is not repeated at once. */
const FAILURE_LASTS_MS = 60_000
const ISSUE_DEADLINE_MS = 15_000

/** Keeps one token for all calls of this process. Concurrent calls wait for the same one. */
export function createSharedToken(clock: Clock, issue: (call: SocialCall) => Promise<IssuedToken>): SharedToken {
  let stored: { token: string; until: number } | undefined
  let failed: { error: unknown; until: number } | undefined
  let inFlight: Promise<string> | undefined

  async function renew(call: SocialCall): Promise<string> {
    try {
      // The result serves all callers, so that none of them ends it.
      const { token, lastsMs } = await issue({ ...call, signal: AbortSignal.timeout(ISSUE_DEADLINE_MS) })
      stored = { token, until: clock.now() + lastsMs }
      return token
    } catch (error) {
      failed = { error, until: clock.now() + FAILURE_LASTS_MS }
      throw error
    } finally {
      inFlight = undefined
    }
  }

  return async function sharedToken(call, rejected) {
    const now = clock.now()
    if (stored !== undefined && stored.until > now && stored.token !== rejected) return stored.token
    if (failed !== undefined && failed.until > now) throw failed.error
    inFlight ??= renew(call)
    return inFlight
  }
}
