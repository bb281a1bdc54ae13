import { createRedactor, REDACTED } from '../redaction/redactor.ts'
import { isSecretName, isSuspect, redactForms } from '../redaction/secret-forms.ts'

/** Redacts credentials. */
export interface Scrubber {
  /** Redacts what looks like a credential, and the configured secrets. */
  text(text: string): string
  /** Redacts in a line of JSON, which stays valid; also redacts fields with a credential's name, at any depth. */
  line(line: string): string
}

/** Creates a scrubber that also redacts these secrets, in any of their encodings. */
export function createScrubber(secrets: readonly string[] = []): Scrubber {
  // A log has both kinds of secrets: those of the settings are known by value, those in other texts only by their form.
  // No Base64 is searched for: it appears in the header Basic, which has a form of its own. The longest secret is replaced
  // first, so that no part of one that contains another stays.
  const redactKnown = createRedactor({ plain: secrets.toSorted((a, b) => b.length - a.length) })

  function text(text: string): string {
    return redactForms(redactKnown(text))
  }

  function field(name: string, value: unknown): unknown {
    if (value === null || typeof value === 'boolean') return value
    if (isSecretName(name)) return REDACTED
    if (typeof value === 'string') return text(value)
    if (typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map((item, index) => field(headerBefore(value, index), item))
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [text(key), field(key, held)]))
  }

  function line(line: string): string {
    if (!isSuspect(line) && redactKnown(line) === line) return line
    try {
      return `${JSON.stringify(field('', JSON.parse(line)))}\n`
    } catch {
      return `${JSON.stringify({ level: 50, time: Date.now(), msg: 'A line was dropped because it could not be scrubbed of secrets.' })}\n`
    }
  }

  return { text, line }
}

/** Returns the name before a value in a raw header list. */
function headerBefore(list: readonly unknown[], index: number): string {
  const before = list[index - 1]
  return index % 2 === 1 && typeof before === 'string' ? before : ''
}
