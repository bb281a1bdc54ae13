/** Formats a value as JSON over several lines. */
export function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** Characters that JSON leaves as they are but TOML or YAML forbid in a quoted string. */
const UNPRINTABLE = /[\u007f-\u009f\ufffe\uffff]/g

/** Quotes a text as a string that means the same in JSON, TOML, YAML, JavaScript and Python. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    UNPRINTABLE,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Encodes a configuration for a link's query parameter: JSON, base64, percent-encoding. */
export function base64Parameter(value: unknown): string {
  return encodeURIComponent(Buffer.from(JSON.stringify(value)).toString('base64'))
}

/** Encodes a configuration as a link's whole query. */
export function jsonQuery(value: unknown): string {
  return encodeURIComponent(JSON.stringify(value))
}

/** Makes a name of letters, digits, `-` and `_`, which every client accepts. */
export function identifierOf(name: string): string {
  const identifier = name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replaceAll(/^-+|-+$/g, '')
  return identifier === '' ? 'connector-gateway' : identifier
}
