import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { GatewayError } from '../../lib/errors/errors.ts'

/** Bytes of a result that are kept at most. */
const RESULT_BYTES = 256 * 1024

/** What is at rest of a finished call; carries its version because it outlives a deployment. */
type StoredResult =
  | { v: 1; result: CallToolResult }
  | { v: 1; tooLarge: number }
  | { v: 1; dropped: number }
  | { v: 1; unsettled: true }

/** What is written of a finished call. */
export interface ResultText {
  text: string
  /** What it counts as in the quotas; 0 without a result. */
  bytes: number
}

/** Escapes in JSON that jsonb refuses; the escaped backslash is matched so that what follows one is left alone. */
const REFUSED = /\\(?:\\|u0000|ud[89a-f][0-9a-f]{2})/gi

/**
 * A result as it is stored: whole, or when it is too large for that, the bare fact that it was. U+0000 and half
 * surrogates become U+FFFD.
 */
export function storeResult(result: CallToolResult): ResultText {
  const text = JSON.stringify({ v: 1, result } satisfies StoredResult)
  const bytes = Buffer.byteLength(text)
  if (bytes > RESULT_BYTES) return marker({ v: 1, tooLarge: bytes })
  return { text: text.replace(REFUSED, match => (match === '\\\\' ? match : '\ufffd')), bytes }
}

/** What is stored of a call that ended without anybody knowing whether it was done. */
export function storeUnsettled(): ResultText {
  return marker({ v: 1, unsettled: true })
}

function marker(stored: StoredResult): ResultText {
  return { text: JSON.stringify(stored), bytes: 0 }
}

/** The result of a call that is not run again. Throws idempotency_conflict when there is none to show. */
export function readResult(stored: unknown): CallToolResult {
  const { v, ...rest } = stored as StoredResult
  if (v === 1 && 'result' in rest) return rest.result
  if (v === 1 && 'unsettled' in rest)
    throw new GatewayError(
      'idempotency_conflict',
      'This call was made with this idempotency key, and nobody knows whether it was done: its answer did not come. It is ' +
        'not run again: look whether it was, and send another key to make it a second time.',
    )
  if (v === 1 && 'dropped' in rest)
    throw new GatewayError(
      'idempotency_conflict',
      'A call with this idempotency key succeeded. Its result is no longer stored: it was dropped because newer results ' +
        'reached the limit of stored results. The call does not run again. Check what it changed, or send a new ' +
        'idempotency key to make the call a second time.',
    )
  throw new GatewayError(
    'idempotency_conflict',
    'This call was made with this idempotency key and succeeded; its result was too large to keep. It is not run again: ' +
      'look at what it changed, or send another key to make it a second time.',
  )
}
