import type { ToolRequest } from './dispatch.ts'
import type { Headers, Params } from './json-rpc.ts'

/** The parameters of a `tools/call`, or the sentence that says what is wrong with them. */
export function readToolRequest(params: Params | undefined, headers: Headers): ToolRequest | string {
  const name = params?.name
  if (typeof name !== 'string') return 'Invalid params: tools/call needs a name, the string that tools/list shows.'
  const args = params?.arguments ?? (params !== undefined && 'arguments' in params ? null : {})
  if (!isRecord(args)) return 'Invalid params: the arguments of tools/call must be an object.'
  return { name, arguments: args, meta: params?._meta, headers }
}

/** Goes on with a value at once where it is there, and when it comes where it is promised. */
export function after<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
