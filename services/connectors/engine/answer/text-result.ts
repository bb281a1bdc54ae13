import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Redact } from './redactor.ts'

/** Characters of a text at most: what is behind them drowns what the model has in hand. */
const LONGEST = 100_000
/** How many are looked through, and how many of them no half of a secret is longer than, however it is written. */
const READ = 200_000
const MARGIN = 50_000
/** What JSON writes with a backslash. */
const ESCAPE = /\\(?:u([\da-f]{4})|[\s\S])/gi

/** A text as it is, without the account's secrets; of a longer one its beginning, which says so. */
export function textResult(body: string, redact: Redact = text => text): CallToolResult {
  const whole = body.length <= READ
  const clean = redactedSource(whole ? body : body.slice(0, READ), redact)
  if (whole && clean.length <= LONGEST) return resultOf(clean)
  const beginning = (whole ? clean : clean.slice(0, -MARGIN)).slice(0, LONGEST).toWellFormed()
  const length = whole ? clean.length : body.length
  return resultOf(`${beginning}\n\n[Only the first ${beginning.length} of ${length} characters are given.]`)
}

/** The same of a text that may be JSON, where a secret may stand behind escapes that no JSON needs. */
function redactedSource(source: string, redact: Redact): string {
  const clean = redact(source)
  if (!/\\[/u]/.test(clean)) return clean
  const plain = clean.replace(ESCAPE, unescaped)
  const redacted = redact(plain)
  // A text that gave nothing away stays as it is written: it may be somebody's file.
  return redacted === plain ? clean : redacted
}

function unescaped(written: string, hex: string | undefined): string {
  if (hex !== undefined) return JSON.stringify(String.fromCharCode(Number.parseInt(hex, 16))).slice(1, -1)
  return written === '\\/' ? '/' : written
}

function resultOf(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] }
}
