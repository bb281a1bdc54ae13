import type { Params } from '../../schemas/mcp.ts'
import type { ToolRequest } from './contract.ts'
import type { Headers } from './headers.ts'
import { isJsonObject } from './json-object.ts'

/** The parameters of a `tools/call`, or the sentence that says what is wrong with them. */
export function readToolRequest(params: Params | undefined, headers: Headers): ToolRequest | string {
  const name = params?.name
  if (typeof name !== 'string') return 'Invalid params: tools/call needs a name, the string that tools/list shows.'
  const args = params?.arguments ?? (params !== undefined && 'arguments' in params ? null : {})
  if (!isJsonObject(args)) return 'Invalid params: the arguments of tools/call must be an object.'
  return { name, arguments: args, meta: params?._meta, headers }
}
