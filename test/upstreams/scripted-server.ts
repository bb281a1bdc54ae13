import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Test } from 'tap'
import { upstream } from '../egress-fixture.ts'

/** A message that came to a scripted server, and ways to answer it. */
export interface Scripted {
  readonly id: number | undefined
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly headers: IncomingHttpHeaders
  readonly response: ServerResponse
  /** The raw way. */
  send(status: number, body?: string, headers?: Record<string, string>): void
  result(result: unknown, headers?: Record<string, string>): void
  /** `named: false`: an error that does not name the request. */
  error(status: number, error: { code: number; message: string; data?: unknown }, options?: { named: boolean }): void
}

type Script = (message: Scripted) => unknown

const JSON_TYPE = { 'content-type': 'application/json' }

/** What a request is answered with where the test says nothing else: by a server of one era, without sessions. */
const USUAL: Readonly<Record<'modern' | 'legacy', Record<string, Script>>> = {
  modern: {
    'server/discover': ({ result }) =>
      result({ resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }),
  },
  legacy: {
    'server/discover': ({ error }) =>
      error(400, { code: -32_000, message: 'Bad Request: Server not initialized' }, { named: false }),
    initialize: ({ result }) =>
      result({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } }),
    'notifications/initialized': ({ send }) => send(202),
    'notifications/cancelled': ({ send }) => send(202),
  },
}

/** A server that answers each method as the test has it; `DELETE` is a method here too, and `answer` what is posted back. */
export async function scriptedServer(t: Test, era: 'modern' | 'legacy', script: Record<string, Script> = {}) {
  const server = await upstream(t, (request, response) => {
    const message = request.method === 'DELETE' ? { method: 'DELETE' } : JSON.parse(server.requests.at(-1)?.body ?? '')
    const { id, method = 'answer', params = {} } = message
    const send: Scripted['send'] = (status, body = '', headers = {}) => {
      response.writeHead(status, headers).end(body)
    }
    const answer = Object.hasOwn(scripts, method) ? scripts[method] : USUAL[era][method]
    if (answer === undefined) return send(method.includes('/') && id !== undefined ? 404 : 202)
    return answer({
      id,
      method,
      params,
      headers: request.headers,
      response,
      send,
      result: (result, headers) =>
        send(200, JSON.stringify({ jsonrpc: '2.0', id, result }), { ...JSON_TYPE, ...headers }),
      error: (status, error, { named } = { named: true }) =>
        send(status, JSON.stringify({ jsonrpc: '2.0', id: named ? id : null, error }), JSON_TYPE),
    })
  })
  const scripts = script

  return {
    url: `${server.origin}/mcp`,
    server,
    /** May be changed while it runs. */
    script: scripts,
    /** The methods of what came, in order. */
    methods: () => server.requests.map(({ method, body }) => (method === 'DELETE' ? method : nameOf(body))),
  }
}

function nameOf(body: string): string {
  const { method } = JSON.parse(body)
  return typeof method === 'string' ? method : 'answer'
}
