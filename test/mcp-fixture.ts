import { isSpecType } from '@modelcontextprotocol/client'
import {
  CallToolResultSchema,
  EmptyResultSchema,
  InitializeResultSchema,
  JSONRPCErrorResponseSchema,
  JSONRPCResultResponseSchema,
  ListToolsResultSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
import type { Test } from 'tap'
import type { RpcMessage } from '../schemas/mcp.ts'
import type { Answer, CallerTools, McpDeps, ToolRequest } from '../services/mcp/contract.ts'
import { dispatch } from '../services/mcp/dispatch.ts'
import type { Headers } from '../services/mcp/headers.ts'
import { createListCache } from '../services/mcp/list-bytes.ts'
import { protocolGenerationOf } from '../services/mcp/protocol.ts'
import { createToolList, encodeList, type ToolList } from '../services/mcp/tool-list.ts'

export const serverInfo = { name: 'connector-gateway', version: '1.2.3', title: 'Connector Gateway' }
export const instructions = 'Tools of your team.'
export const VERSION = 'io.modelcontextprotocol/protocolVersion'
export const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
export const SERVER_INFO = 'io.modelcontextprotocol/serverInfo'
export const signature = { [SERVER_INFO]: serverInfo }

export const search: Tool = {
  name: 'memory__search_memory',
  description: 'Search.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
}
export const marked: Tool = {
  name: 'shop__order',
  description: 'Order.',
  inputSchema: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      count: { type: 'integer', 'x-mcp-header': 'Count' },
      express: { type: 'boolean', 'x-mcp-header': 'Express' },
      to: { type: 'object', properties: { city: { type: 'string', 'x-mcp-header': 'City' } } },
      note: { type: 'string' },
    },
  },
}

/** A list of tools that shares its bytes with no other. */
export function freshList(tools: readonly Tool[]): ToolList {
  const entriesJson = tools.map(tool => JSON.stringify(tool))
  return createToolList(entriesJson, { serverInfo, lists: createListCache(), content: '' })
}

/** The tools of a caller who sees two. Records the calls. */
export function mcpFixture(overrides: Partial<CallerTools> = {}) {
  const calls: ToolRequest[] = []
  const list = freshList([search, marked])
  const tools: CallerTools = {
    list: () => list,
    inputSchema: name => [marked, search].find(tool => tool.name === name)?.inputSchema,
    call(request) {
      calls.push(request)
      return { result: { content: [{ type: 'text', text: `called ${request.name}` }] }, outcome: 'ok' }
    },
    ...overrides,
  }
  const deps: McpDeps = { serverInfo, instructions, tools }
  return { calls, deps }
}

type Json = Record<string, unknown> & {
  id?: unknown
  result?: Json
  error?: { code: number; message: string; data?: unknown }
}

const LEGACY_RESULTS: Record<string, { safeParse(value: unknown): { success: boolean } }> = {
  initialize: InitializeResultSchema,
  ping: EmptyResultSchema,
  'tools/list': ListToolsResultSchema,
  'tools/call': CallToolResultSchema,
}
const MODERN_RESULTS: Record<string, (value: unknown) => boolean> = {
  'server/discover': isSpecType.DiscoverResult,
  'tools/list': isSpecType.ListToolsResult,
  'tools/call': isSpecType.CallToolResult,
}

/** Reads an answer and checks its body against the schemas of the official SDKs. */
async function read(t: Test, headers: Headers, message: RpcMessage, answer: Answer | Promise<Answer>) {
  const { status, body } = await answer
  if (body === undefined) return { status, body: undefined }
  const text = typeof body === 'string' ? body : Buffer.concat((await encodeList(body, undefined)).pieces).toString()
  const json = JSON.parse(text) as Json
  if (json.error !== undefined && json.id === null) return { status, body: json }
  const method = 'method' in message ? message.method : ''
  if (json.error !== undefined) {
    t.ok(JSONRPCErrorResponseSchema.safeParse(json).success, 'an error answer by the schema of the SDK')
    return { status, body: json }
  }
  t.ok(JSONRPCResultResponseSchema.safeParse(json).success, 'an answer by the schema of the SDK')
  if (protocolGenerationOf(headers, message) === 'legacy') {
    t.ok(LEGACY_RESULTS[method]?.safeParse(json.result).success, 'a result by the schema of the SDK')
  } else {
    t.ok(MODERN_RESULTS[method]?.(json.result), 'a result by the schema of the v2 SDK')
    t.equal(json.result?.resultType, 'complete')
    t.match(json.result?._meta, signature, 'every modern result is signed')
  }
  return { status, body: json }
}

export function request(method: string, params?: Record<string, unknown>, id: string | number = 7): RpcMessage {
  return { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) }
}

/** A modern request and the headers that a conforming client sends with it. */
export function modern(method: string, params: Record<string, unknown> = {}, meta: Record<string, unknown> = {}) {
  const headers: Record<string, string> = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }
  if (method === 'tools/call' || method === 'prompts/get') headers['mcp-name'] = String(params.name)
  if (method === 'resources/read') headers['mcp-name'] = String(params.uri)
  const _meta = { [VERSION]: '2026-07-28', [CAPABILITIES]: {}, ...meta }
  return { headers, message: request(method, { ...params, _meta }) }
}

export async function ask(t: Test, headers: Headers, message: RpcMessage, deps = mcpFixture().deps) {
  return read(t, headers, message, dispatch(headers, message, deps))
}
