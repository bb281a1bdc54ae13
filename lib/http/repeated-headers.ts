import type { IncomingMessage } from 'node:http'

/**
 * Whether a request has a header more than once; the name is given in lower case. Node shows only the first value of
 * some headers (Host, Authorization, Content-Type) and joins the values of others.
 */
export function isRepeated(name: string, rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const raw = rawHeaders[i]
    if (raw?.length === name.length && (raw === name || raw.toLowerCase() === name)) count++
  }
  return count > 1
}

/** The headers of MCP and of this gateway that have one value. */
const SINGLE = /^(?:mcp-.+|idempotency-key)$/

/**
 * Makes a list of every MCP header and idempotency key that a request has more than once. Node joins the values with
 * commas, and the result may look like one value.
 */
export function listRepeated({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): void {
  // As many names as lines: no header is repeated.
  if (Object.keys(headers).length * 2 === rawHeaders.length) return
  const values = new Map<string, string[]>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? ''
    if (!SINGLE.test(name)) continue
    const list = values.get(name) ?? []
    list.push(rawHeaders[i + 1] ?? '')
    values.set(name, list)
  }
  for (const [name, list] of values) if (list.length > 1) headers[name] = list
}
