import type { Test } from 'tap'

/** Characters that must not be in a text for people or models: control, bidirectional, invisible and tag characters. */
export const HIDDEN = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u

/** Secrets and internals of the hostile server, of the addresses it refers to, and of this gateway. */
const INTERNALS = /hunter2|169\.254|10\.0\.0\.1|node_modules|\.ts:\d|TypeError|SyntaxError|RangeError|internal_error/

/** Checks that an error's text is short, sanitized and free of internals. */
export function isClear(t: Test, text: unknown, what: string): void {
  if (typeof text !== 'string') return void t.fail(`${what}: no text`)
  t.ok(text.length > 10 && text.length < 2000, `${what}: has the length of a message`)
  t.notMatch(text, HIDDEN, `${what}: no hidden characters`)
  t.notMatch(text, INTERNALS, `${what}: no internals`)
}

/** Checks that a result is a clear tool error. */
export function isClearError(t: Test, result: Record<string, unknown>, what: string): void {
  t.equal(result.isError, true, `${what}: a tool error`)
  const content = result.content as { type: string; text: string }[]
  t.equal(content.length, 1, `${what}: one block`)
  isClear(t, messageIn(content[0]?.text ?? ''), what)
}

function messageIn(text: string): unknown {
  try {
    return JSON.parse(text).error.message
  } catch {
    return text
  }
}
