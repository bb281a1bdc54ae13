import type { IncomingMessage } from 'node:http'

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
