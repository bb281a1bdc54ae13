import { isJsonObject } from '../../lib/http/json.ts'
import type { Meta, Params, Trace } from '../../schemas/tools/mcp.ts'
import type { Headers } from './headers.ts'
import type { CallingClient, ToolRequest } from './mcp-types.ts'
import { CAPABILITIES_KEY, type ProtocolGeneration } from './protocol.ts'

const EMPTY = {}
/** Most clients send no `_meta`. */
const WITHOUT_META = { legacy: clientOf('legacy', undefined, EMPTY), modern: clientOf('modern', undefined, EMPTY) }

/** Reads the parameters of a `tools/call`. Returns a sentence if they are invalid. */
export function readToolRequest(
  params: Params | undefined,
  headers: Headers,
  generation: ProtocolGeneration,
): ToolRequest | string {
  if (params === undefined || typeof params.name !== 'string')
    return 'Invalid params: tools/call needs a name, the string that tools/list shows.'
  const { name, arguments: args = {}, _meta: meta } = params
  if (generation === 'modern' && params.inputResponses !== undefined && !isJsonObject(params.inputResponses))
    return 'Invalid params: the inputResponses of tools/call must be an object.'
  if (generation === 'modern' && params.requestState !== undefined && typeof params.requestState !== 'string')
    return 'Invalid params: the requestState of tools/call must be a string.'
  const client = meta === undefined ? WITHOUT_META[generation] : clientOf(generation, meta, params)
  return { name, arguments: args, meta, headers, client }
}

/** Describes the calling client. Only a modern client can be asked for input, and its `_meta` says for which kinds. */
export function clientOf(
  generation: ProtocolGeneration,
  meta: Meta | undefined,
  { inputResponses, requestState }: Params,
): CallingClient {
  const capabilities = generation === 'modern' ? meta?.[CAPABILITIES_KEY] : undefined
  return {
    generation,
    capabilities: isJsonObject(capabilities) ? capabilities : EMPTY,
    trace: meta === undefined ? EMPTY : traceIn(meta),
    ...(generation === 'modern' && isJsonObject(inputResponses) && { inputResponses }),
    ...(generation === 'modern' && typeof requestState === 'string' && { requestState }),
  }
}

function traceIn({ traceparent, tracestate, baggage }: Meta): Trace {
  return {
    ...(typeof traceparent === 'string' && { traceparent }),
    ...(typeof tracestate === 'string' && { tracestate }),
    ...(typeof baggage === 'string' && { baggage }),
  }
}
