import { isSecretName, NAME_ENDINGS, SECRET_FORMS } from './scrub-patterns.ts'

/** Redacts credentials. */
export interface Scrubber {
  /** Redacts what looks like a credential, and the configured secrets. */
  text(text: string): string
  /** Redacts in a line of JSON, which stays valid; also redacts fields with a credential's name, at any depth. */
  line(line: string): string
}

/**
 * A line that matches none of these has nothing to redact. They are written for speed: most lines match none, and a
 * full search costs ten times as much.
 */
const SUSPECTS = [
  /(?<=cgw|gh[pousr]|github|whsec|[sr]k|hf|npm|shp[a-z]{2})_|(?<=glpat|xox[a-z]|xapp|sk|GOCSPX|----)-|SG\.|:\/\/[^\s/?#"]*@|%3[Aa]%2[Ff]|eyJ|AKIA|ASIA|AIza|ya29|_secret_|pay\/cs_/,
  new RegExp(`(?<=(?:${NAME_ENDINGS}|headers|code|state)\\\\*["']? *)(?:[:=]|%3[AD])`, 'i'),
  /(?<=bearer|basic)(?: |\+|%20|\\t)/i,
]
const REDACTED = '[redacted]'
/** Shorter secrets could match ordinary words. They are redacted only where a name or a URL identifies them. */
const MIN_LENGTH = 8

/** Creates a scrubber that also redacts these secrets, in any of their encodings. */
export function createScrubber(secrets: readonly string[] = []): Scrubber {
  const values = secretEncodings(secrets).map(value => value.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
  const known = values.length === 0 ? undefined : new RegExp(values.join('|'), 'g')
  const suspects = values.length === 0 ? SUSPECTS : [...SUSPECTS, new RegExp(values.join('|'))]

  function text(text: string): string {
    let scrubbed = known === undefined ? text : text.replace(known, REDACTED)
    for (const [form, rest] of SECRET_FORMS) scrubbed = scrubbed.replace(form, rest)
    return scrubbed
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
    if (!suspects.some(suspect => suspect.test(line))) return line
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

/** Returns the secrets as they appear in texts, in URLs, in JSON and in JSON within JSON, longest first. */
function secretEncodings(secrets: readonly string[]): string[] {
  const found = new Set<string>()
  for (const secret of secrets) {
    if (secret.length < MIN_LENGTH) continue
    const once = JSON.stringify(secret).slice(1, -1)
    const twice = JSON.stringify(once).slice(1, -1)
    const percent = encodeURIComponent(secret)
    const lower = percent.replace(/%../g, code => code.toLowerCase())
    for (const form of [secret, once, twice, percent, lower, encodeURI(secret)]) found.add(form)
  }
  return [...found].sort((a, b) => b.length - a.length)
}
