import type { RpcMessage } from '../../schemas/mcp.ts'

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** Where a request says it stands in a trace (W3C Trace Context): the `_meta` of its message, else its header. */
export function traceOf(header: unknown, message: RpcMessage | null | undefined): string | undefined {
  const inMeta = message && 'params' in message ? message.params?._meta?.traceparent : undefined
  const trace = inMeta ?? header
  return typeof trace === 'string' && trace.length === 55 && TRACEPARENT.test(trace) ? trace : undefined
}
