import { useQuery } from '@tanstack/react-query'
import { ApiError, request } from './api.ts'

/** A tool as MCP clients see it. */
export interface Tool {
  name: string
  title?: string
  description?: string
  inputSchema: InputSchema
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean }
}

/** The JSON Schema of a tool's arguments. */
export interface InputSchema {
  properties?: Record<string, ArgumentSchema>
  required?: string[]
}

/** The JSON Schema of one argument, as far as a form shows it. */
export interface ArgumentSchema extends InputSchema {
  type?: string | string[] | undefined
  anyOf?: ArgumentSchema[] | undefined
  title?: string
  description?: string
  enum?: unknown[]
  default?: unknown
  items?: ArgumentSchema
  minimum?: number
  maximum?: number
  maxLength?: number
}

/** The result of a call. */
export interface ToolResult {
  content: { type: string; text?: string; data?: string; mimeType?: string; uri?: string; name?: string }[]
  structuredContent?: unknown
  isError?: boolean
  _meta?: { 'connector-gateway/account'?: { id: string; alias: string } }
}

interface Answer<T> {
  result?: T
  error?: { code: number; message: string }
}

const MCP_URL = '/api/mcp'

async function rpc<T>(method: string, params: object): Promise<T> {
  const body = { jsonrpc: '2.0', id: 1, method, params }
  const { result, error } = await request<Answer<T>>('POST', MCP_URL, {
    body,
    accept: 'application/json, text/event-stream',
  })
  if (result === undefined)
    throw new ApiError(error?.message ?? 'The gateway sent no result.', { status: 400, code: String(error?.code) })
  return result
}

/** Calls a tool as the user, like an MCP client. */
export function callTool(name: string, args: object): Promise<ToolResult> {
  return rpc<ToolResult>('tools/call', { name, arguments: args })
}

/** The key of the query of the tools. */
export const TOOLS_KEY = MCP_URL

/** The tools that the user can call now. */
export function useTools() {
  return useQuery({
    queryKey: [TOOLS_KEY],
    async queryFn() {
      const tools: Tool[] = []
      let cursor: string | undefined
      do {
        const page = await rpc<{ tools: Tool[]; nextCursor?: string }>('tools/list', cursor ? { cursor } : {})
        tools.push(...page.tools)
        cursor = page.nextCursor
      } while (cursor !== undefined)
      return tools
    },
  })
}

/** The family or connector of a tool: `github`, or `org__wiki` for a server of the organization. */
export function capabilityOf(tool: string): string {
  const [first = '', second] = tool.split('__')
  return first === 'org' && second !== undefined ? `org__${second}` : first
}
