import { parse } from 'content-type'

/** What the official clients send. */
const COMMON = new Set(['application/json, text/event-stream', 'text/event-stream, application/json'])

/**
 * Whether an Accept header lists both application/json and text/event-stream with a weight above 0 (RFC 9110, section
 * 12.5.1). A wildcard lists neither: a client of MCP must name both.
 */
export function acceptsJsonAndEvents(accept: string | undefined): boolean {
  if (accept === undefined) return false
  if (COMMON.has(accept)) return true
  const listed = new Set<string>()
  for (let start = 0; start < accept.length; ) {
    const { type, parameters, index } = parse(accept, { comma: true, start })
    if (parameters.q === undefined || Number(parameters.q) > 0) listed.add(type)
    start = index + 1
  }
  return listed.has('application/json') && listed.has('text/event-stream')
}
