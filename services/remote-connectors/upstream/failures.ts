import { EgressError, type EgressReason } from '../../../lib/egress/egress.ts'
import { foreignLine } from '../../../lib/egress/private-addresses.ts'
import { rejectsToken, retryAfter } from '../../../lib/http/headers.ts'
import type { JsonBounds } from '../../../lib/http/json.ts'
import type { RpcFault } from './rpc-message.ts'
import { UpstreamError, type UpstreamFailure } from './upstream.ts'

const KINDS = {
  refused: 'refused',
  unreachable: 'unreachable',
  timeout: 'timeout',
  too_large: 'too_large',
  aborted: 'aborted',
  overloaded: 'busy',
} as const satisfies Record<EgressReason, UpstreamFailure>

/** The error codes of JSON-RPC and MCP that mean that the request was not executed. */
const REFUSALS = new Set([-32_700, -32_600, -32_601, -32_602, -32_020, -32_021, -32_022, -32_042])

/** An EgressError as an UpstreamError; other errors unchanged. `heard`: a part of the answer arrived. */
export function exchangeFailed(error: unknown, { runs, heard }: { runs: boolean; heard: boolean }): unknown {
  if (!(error instanceof EgressError)) return error
  const { reason, sent, message } = error
  const kind = heard && reason === 'unreachable' ? 'malformed' : KINDS[reason]
  return new UpstreamError(kind, message, { cause: error, unsettled: runs && sent && kind !== 'refused' })
}

/** How a web page is called in the message of a malformed answer. */
export const WEB_PAGE = 'a web page'

/** The error for an answer that is not valid MCP. */
export function malformed(host: string, what: string, runs: boolean): UpstreamError {
  return new UpstreamError('malformed', `${host} answered with ${what}.`, { unsettled: runs })
}

/** The error for a server of the HTTP+SSE transport, which MCP replaced on 2025-03-26. */
export function oldTransport(host: string): UpstreamError {
  return new UpstreamError(
    'old_transport',
    `${host} speaks the older HTTP+SSE transport at this URL, which this gateway does not support.`,
  )
}

/** The error for an answer with more elements or levels than this gateway passes on. */
export function tooComplex(host: string, { elements, levels }: JsonBounds, runs: boolean): UpstreamError {
  const limit = `${elements.toLocaleString('en')} elements or ${levels} levels of JSON`
  return new UpstreamError('too_large', `${host} answered with more than ${limit}.`, { unsettled: runs })
}

/** An answer without a result. */
interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly fault: RpcFault | undefined
  /** What the upstream says, as it was sent. */
  readonly words: string | undefined
}

/** The message of a JSON-RPC error, for use in a sentence. */
export function rpcMessage(words: string): string {
  return foreignLine(words) || 'no reason given'
}

/** The error for an answer without a result: an HTTP status, or a JSON-RPC error. */
export function refusalOf(
  host: string,
  { status, headers, fault, words }: Refusal,
  { runs, now }: { runs: boolean; now: number },
): UpstreamError {
  const challenge = headers['www-authenticate']
  if (rejectsToken(status, headers))
    return new UpstreamError('unauthorized', `${host} does not accept the credential (HTTP ${status}).`, {
      challenge,
      status,
      words,
    })
  if (status === 403 && challenge !== undefined && /\bscope=|\binsufficient_scope\b/i.test(challenge))
    return new UpstreamError('insufficient_scope', `${host} requires more scopes (HTTP 403).`, {
      challenge,
      status,
      words,
    })
  const after = retryAfter(headers['retry-after'], now)
  if (fault !== undefined && status < 500 && (status < 400 || fault.named))
    return new UpstreamError('rpc', rpcMessage(fault.message), {
      words,
      rpcCode: fault.code,
      unsettled: runs && status < 400 && !REFUSALS.has(fault.code),
      retryAfter: after,
    })
  return new UpstreamError('status', `${host} answered with HTTP ${status}.`, {
    status,
    // A 4xx means that nothing was executed. Any other status is ambiguous.
    unsettled: runs && (status < 400 || status >= 500),
    words,
    challenge,
    retryAfter: after,
  })
}

/** Marks an error as settled, for the requests before a call, which cannot have executed it. */
export function settled(error: unknown): unknown {
  return error instanceof UpstreamError && error.unsettled ? error.with({ unsettled: false }) : error
}
