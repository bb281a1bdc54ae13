import type { RpcMessage } from '../mcp/json-rpc.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * Whether parsed JSON is one JSON-RPC 2.0 message as MCP has them, by the rules of the SDK's JSONRPCMessageSchema, to
 * which a property test holds it. The schema itself is not loaded: with all that it comes with, it costs 24 MB.
 */
export function isRpcMessage(value: unknown): value is RpcMessage {
  if (!isObject(value) || value.jsonrpc !== '2.0') return false
  if ('method' in value) return isCall(value)
  if ('result' in value)
    return hasOnly(value, RESULT_FIELDS) && isRequestId(value.id) && isObject(value.result) && hasMeta(value.result)
  return isErrorResponse(value)
}

const CALL_FIELDS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params'])
const RESULT_FIELDS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'result'])
const ERROR_FIELDS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'error'])

function isCall(value: Json): boolean {
  if (typeof value.method !== 'string' || !hasOnly(value, CALL_FIELDS)) return false
  if ('id' in value && !isRequestId(value.id)) return false
  return !('params' in value) || (isObject(value.params) && hasMeta(value.params))
}

function isErrorResponse(value: Json): boolean {
  const { error } = value
  if (!isObject(error) || !hasOnly(value, ERROR_FIELDS)) return false
  if ('id' in value && !isRequestId(value.id)) return false
  return Number.isSafeInteger(error.code) && typeof error.message === 'string'
}

/** Whether `_meta` is absent or an object whose fields of JSON-RPC's own concern have their form. */
function hasMeta(value: Json): boolean {
  if (!('_meta' in value)) return true
  const meta = value._meta
  if (!isObject(meta)) return false
  if ('progressToken' in meta && !isRequestId(meta.progressToken)) return false
  if (!(RELATED_TASK in meta)) return true
  const task = meta[RELATED_TASK]
  return isObject(task) && typeof task.taskId === 'string'
}

const RELATED_TASK = 'io.modelcontextprotocol/related-task'

function isRequestId(value: unknown): boolean {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

function hasOnly(value: Json, fields: ReadonlySet<string>): boolean {
  for (const name in value) if (!fields.has(name)) return false
  return true
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
