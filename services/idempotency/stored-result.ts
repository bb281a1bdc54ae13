import { type ErrorCode, GatewayError } from '../../lib/errors/errors.ts'

/** The maximum size of a stored result, in bytes. */
const RESULT_BYTES = 256 * 1024

/** The stored form of a finished call. It has a version because it outlives a deployment. */
type StoredResult =
  | { v: 1; result: object }
  | { v: 1; tooLarge: number }
  | { v: 1; dropped: number }
  | { v: 1; unsettled: true }
  | { v: 1; failure: { code: ErrorCode; message: string; details?: GatewayError['details'] } }

/** The text to store for a finished call. */
export interface ResultText {
  text: string
  /** Its size in the quotas; 0 without a result. */
  bytes: number
}

/** JSON escapes that jsonb rejects. Also matches an escaped backslash, so that the text after it is not taken for an escape. */
const REJECTED = /\\(?:\\|u0000|ud[89a-f][0-9a-f]{2})/gi

/** The stored form of a result: complete, or only its size if it is too large. U+0000 and lone surrogates become U+FFFD. */
export function storeResult(result: object): ResultText {
  return storeText({ v: 1, result })
}

function storeText(stored: StoredResult): ResultText {
  const text = JSON.stringify(stored)
  const bytes = Buffer.byteLength(text)
  if (bytes > RESULT_BYTES) return marker({ v: 1, tooLarge: bytes })
  return { text: text.replace(REJECTED, match => (match === '\\\\' ? match : '\ufffd')), bytes }
}

/** The stored form of a failure that its call was charged for. Without the time of a retry, which this key does not have. */
export function storeFailure({ code, message, details }: GatewayError): ResultText {
  return storeText({ v: 1, failure: { code, message, ...(details !== undefined && { details }) } })
}

/** The stored form of a call whose effect is unknown. */
export function storeUnsettled(): ResultText {
  return marker({ v: 1, unsettled: true })
}

function marker(stored: StoredResult): ResultText {
  return { text: JSON.stringify(stored), bytes: 0 }
}

/** The result of a stored call. Throws its failure, and idempotency_conflict if neither is stored. */
export function readResult(stored: unknown): object {
  const { v, ...rest } = stored as StoredResult
  if (v === 1 && 'result' in rest) return rest.result
  if (v === 1 && 'failure' in rest) {
    const { code, message, details } = rest.failure
    throw new GatewayError(
      code,
      `${message} The call does not run again with this idempotency key: send a new one to make it a second time.`,
      { ...(details !== undefined && { details }) },
    )
  }
  if (v === 1 && 'unsettled' in rest)
    throw new GatewayError(
      'idempotency_conflict',
      'A call with this idempotency key got no answer, so it is unknown whether it had an effect. The call does not run ' +
        'again. Check whether it had an effect, or send a new idempotency key to make the call a second time.',
    )
  if (v === 1 && 'dropped' in rest)
    throw new GatewayError(
      'idempotency_conflict',
      'A call with this idempotency key has ended. Its result is no longer stored: it was dropped because newer results ' +
        'reached the limit of stored results. The call does not run again. Check what it changed, or send a new ' +
        'idempotency key to make the call a second time.',
    )
  throw new GatewayError(
    'idempotency_conflict',
    'A call with this idempotency key has ended. Its result was too large to store. The call does not run again. Check ' +
      'what it changed, or send a new idempotency key to make the call a second time.',
  )
}
