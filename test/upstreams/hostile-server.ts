import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import type { Test } from 'tap'
import { upstream } from '../fixtures/egress-fixture.ts'
import { type Behavior, type Exchange, HOSTILE_ANSWERS, JSON_TYPE } from './hostile-answers.ts'
import { HOSTILE_LISTS, LOOK } from './hostile-lists.ts'

const SESSIONS = {
  /** Issues a session with each handshake and recognizes none of them. */
  'sessions that die at once'({ message, send, good }) {
    if (message.method === 'initialize') return good()
    send(404, '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}')
  },
  '__proto__ in results'({ message, send, good }) {
    if (message.method !== 'tools/call') return good()
    const polluting = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}'
    send(
      200,
      `{"jsonrpc":"2.0","id":${message.id},"result":{"content":[{"type":"text","text":"fine"}],"structuredContent":{${polluting}},"_meta":{${polluting}},${polluting}}}`,
      JSON_TYPE,
    )
  },
} as const satisfies Record<string, Behavior>

const BEHAVIORS = { ...HOSTILE_ANSWERS, ...HOSTILE_LISTS, ...SESSIONS }

export type HostileMode = keyof typeof BEHAVIORS

/** The modes that affect every request for tools. */
export const ANSWER_MODES = Object.keys(HOSTILE_ANSWERS) as (keyof typeof HOSTILE_ANSWERS)[]

/** The modes that end only by the caller's deadline. */
export const WAITING_MODES: readonly HostileMode[] = ['drip', 'events that never answer', 'never answers']

/** The modes that affect only lists. */
export const LIST_MODES = Object.keys(HOSTILE_LISTS) as (keyof typeof HOSTILE_LISTS)[]

/**
 * A legacy server with one tool, `look`, that behaves as the mode says. Without a mode it works.
 */
export async function hostileServer(t: Test, first?: HostileMode) {
  const asked = new Map<string, number>()
  const open = new Set<ServerResponse>()
  let mode = first
  const server = await upstream(t, (request, response) => answer(request, response, server.requests.at(-1)?.body ?? ''))

  function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    response.on('error', () => {})
    open.add(response)
    response.once('close', () => open.delete(response))
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const message: JSONRPCRequest = JSON.parse(body)
    if (message.id === undefined) return void response.writeHead(202).end()
    const before = asked.get(message.method) ?? 0
    asked.set(message.method, before + 1)
    const send: Exchange['send'] = (status, body, headers = {}) => void response.writeHead(status, headers).end(body)
    const result: Exchange['result'] = result =>
      send(200, JSON.stringify({ jsonrpc: '2.0', id: message.id, result }), JSON_TYPE)
    const good = () => goodAnswer(message, { send, result, session: mode === 'sessions that die at once' })
    const behavior: Behavior | undefined = mode && BEHAVIORS[mode]
    const spoiled =
      behavior !== undefined &&
      (mode !== undefined && mode in HOSTILE_LISTS ? message.method === 'tools/list' : /^tools\//.test(message.method))
    if (spoiled) behavior({ message, request, response, before, good, result, send })
    else good()
  }

  return {
    url: `${server.origin}/mcp`,
    requests: server.requests,
    get mode(): HostileMode | undefined {
      return mode
    },
    /** Sets the mode and resets the counters. */
    set mode(next: HostileMode | undefined) {
      mode = next
      asked.clear()
    },
    /** Closes the connections of all unanswered requests. */
    cut() {
      for (const response of open) response.destroy()
    },
    /** How often a method was requested in this mode. */
    asked: (method: string) => asked.get(method) ?? 0,
  }
}

function goodAnswer(
  { id, method, params }: JSONRPCRequest,
  { send, result, session }: Pick<Exchange, 'send' | 'result'> & { session: boolean },
): void {
  if (method === 'initialize') {
    const handshake = {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'look', version: '1' },
    }
    const headers = { ...JSON_TYPE, ...(session && { 'mcp-session-id': crypto.randomUUID() }) }
    send(200, JSON.stringify({ jsonrpc: '2.0', id, result: handshake }), headers)
  } else if (method === 'tools/list') result({ tools: [LOOK] })
  else if (method === 'tools/call') result({ content: [{ type: 'text', text: 'fine' }] })
  else
    send(404, JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } }), JSON_TYPE)
}
