import { CALL_TEXT, CALLED, type Size } from './tools.ts'

/** The servers under test: each runs once, whatever is asked of it. */
export type ServerName = 'http' | 'bare' | 'info' | 'warn' | 'sdk'

/** One line of the bench: what is asked of which server, and what it may cost. */
export interface Subject {
  title: string
  server: ServerName
  /** Whose key the request carries. */
  size: Size
  headers: Record<string, string>
  /** The token that stands in place of the key. */
  token?: 'session' | 'mcp'
  body: string
  /** Throws where an answer is not what the line says it measures. */
  check(answer: { result?: { tools?: unknown[]; content?: unknown[] } }): void
  /** The most it may cost, in processor time of the bare route. */
  atMost?: number
  /** What is wished for beyond that, and not asked. */
  aim?: number
}

const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const GZIP = { 'accept-encoding': 'gzip' }
const MODERN = '2026-07-28'

const call = {
  size: 10,
  headers: HEADERS,
  body: rpc('tools/call', { name: CALLED, arguments: { text: CALL_TEXT } }),
  check({ result }) {
    if (JSON.stringify(result?.content) !== JSON.stringify([{ type: 'text', text: CALL_TEXT }]))
      throw new Error(`Not the tool's answer: ${JSON.stringify(result)}`)
  },
} satisfies Partial<Subject>

const modernCall = {
  ...call,
  headers: { ...HEADERS, 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': CALLED },
  body: rpc('tools/call', {
    name: CALLED,
    arguments: { text: CALL_TEXT },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  }),
} satisfies Partial<Subject>

function list(size: Size) {
  return {
    size,
    headers: HEADERS,
    body: rpc('tools/list', {}),
    check({ result }) {
      if (result?.tools?.length !== size) throw new Error(`Not ${size} tools but ${result?.tools?.length}`)
    },
  } satisfies Partial<Subject>
}

function rpc(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

/** What everything is measured in: a POST of the same bytes, parsed by Fastify, with a static answer. */
export const BARE: Subject = { ...call, title: 'bare Fastify route', server: 'bare' }

/** What `tools/call` is compared with, too. */
export const SDK_CALL: Subject = { ...call, title: 'SDK server per request: tools/call', server: 'sdk' }

/** What is asked of this server, at the default log level unless the title says otherwise. */
export const CALL: Subject = { ...call, title: 'tools/call', server: 'info', atMost: 2 }

/** Every line of the bench, in the order of its rounds. */
export const SUBJECTS: readonly Subject[] = [
  { ...call, title: 'static answer of node:http', server: 'http', check() {} },
  BARE,
  CALL,
  { ...modernCall, title: 'tools/call, 2026-07-28', server: 'info', atMost: 2 },
  { ...call, title: 'tools/call, session JWT', server: 'info', token: 'session', atMost: 2.2 },
  { ...call, title: 'tools/call, MCP OAuth token', server: 'info', token: 'mcp', atMost: 2.2 },
  { ...call, title: 'tools/call, LOG_LEVEL=warn', server: 'warn', aim: 1.6 },
  { ...modernCall, title: 'tools/call, 2026-07-28, LOG_LEVEL=warn', server: 'warn' },
  { ...list(10), title: 'tools/list, 10 tools', server: 'info' },
  { ...list(10), title: 'tools/list, 10 tools, gzip', server: 'info', headers: { ...HEADERS, ...GZIP } },
  { ...list(100), title: 'tools/list, 100 tools', server: 'info' },
  { ...list(100), title: 'tools/list, 100 tools, gzip', server: 'info', headers: { ...HEADERS, ...GZIP } },
  { ...list(500), title: 'tools/list, 500 tools', server: 'info', atMost: 3.5 },
  { ...list(500), title: 'tools/list, 500 tools, gzip', server: 'info', headers: { ...HEADERS, ...GZIP }, atMost: 2 },
  SDK_CALL,
  { ...list(500), title: 'SDK server per request: tools/list, 500 tools', server: 'sdk' },
]
