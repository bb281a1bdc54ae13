import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { GatewayError } from '../error-envelope/errors.ts'

/** Bytes of a result that are kept at most. */
const RESULT_BYTES = 256 * 1024

/** What is at rest of a finished call; carries its version because it outlives a deployment. */
type StoredResult = { v: 1; result: CallToolResult } | { v: 1; tooLarge: number } | { v: 1; unsettled: true }

/** Escapes in JSON that jsonb refuses; the escaped backslash is matched so that what follows one is left alone. */
const REFUSED = /\\(?:\\|u0000|ud[89a-f][0-9a-f]{2})/gi

/**
 * A result as it is stored: whole, or when it is too large for that, the bare fact that it was. U+0000 and half
 * surrogates become U+FFFD.
 */
export function storeResult(result: CallToolResult): string {
  const text = JSON.stringify({ v: 1, result } satisfies StoredResult)
  const bytes = Buffer.byteLength(text)
  if (bytes > RESULT_BYTES) return JSON.stringify({ v: 1, tooLarge: bytes } satisfies StoredResult)
  return text.replace(REFUSED, match => (match === '\\\\' ? match : '\ufffd'))
}

/** What is stored of a call that ended without anybody knowing whether it was done. */
export function storeUnsettled(): string {
  return JSON.stringify({ v: 1, unsettled: true } satisfies StoredResult)
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
  throw new GatewayError(
    'idempotency_conflict',
    'This call was made with this idempotency key and succeeded; its result was too large to keep. It is not run again: ' +
      'look at what it changed, or send another key to make it a second time.',
  )
}
