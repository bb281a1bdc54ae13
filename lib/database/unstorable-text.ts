import { errorCode } from './error-code.ts'

/** PostgreSQL's codes for U+0000, in a text and in JSON. */
const UNSTORABLE = new Set(['22021', '22P05'])
const INVALID_JSON = '22P02'

/** Whether the database rejected a text that it cannot store: one with U+0000, or JSON with half of a surrogate pair. */
export function isUnstorableText(error: unknown): boolean {
  const code = errorCode(error) ?? ''
  if (UNSTORABLE.has(code)) return true
  return code === INVALID_JSON && error instanceof Error && 'detail' in error && /^Unicode /.test(String(error.detail))
}
