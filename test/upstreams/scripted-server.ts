import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Test } from 'tap'
import { upstream } from '../fixtures/egress-fixture.ts'

/** A message to a scripted server, and functions to answer it. */
export interface Scripted {
  readonly id: number | undefined
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly headers: IncomingHttpHeaders
  readonly response: ServerResponse
  /** Sends a raw response. */
  send(status: number, body?: string, headers?: Record<string, string>): void
  result(result: unknown, headers?: Record<string, string>): void
  /** `named: false` sends an error without the request's ID. */
  error(status: number, error: { code: number; message: string; data?: unknown }, options?: { named: boolean }): void
}

type Script = (message: Scripted) => unknown

const JSON_TYPE = { 'content-type': 'application/json' }

/** The default answers of a server of each protocol generation, without sessions. */
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

/** A server that answers each method as the test says. `GET` and `DELETE` count as methods, and `answer` is the method of a posted response. */
export async function scriptedServer(t: Test, era: 'modern' | 'legacy', script: Record<string, Script> = {}) {
  // A registration of an earlier test still asks the port of its server, which may be the port of this one now.
  const path = `/${randomUUID()}/mcp`
  const own = (url = '') => url.startsWith(path)
  const server = await upstream(t, (request, response) => {
    const { method: verb = '', url } = request
    if (!own(url)) return response.writeHead(404).end()
    const message = verb === 'POST' ? JSON.parse(server.requests.at(-1)?.body ?? '') : { method: verb }
    const { id, method = 'answer', params = {} } = message
    const send: Scripted['send'] = (status, body = '', headers = {}) => {
      response.writeHead(status, headers).end(body)
    }
    const answer = Object.hasOwn(scripts, method) ? scripts[method] : USUAL[era][method]
    if (answer === undefined && verb === 'GET') return send(405)
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
    url: server.origin + path,
    server,
    /** A test may change it while the server runs. */
    script: scripts,
    /** The received methods, in order. */
    methods: () =>
      server.requests
        .filter(({ url }) => own(url))
        .map(({ method, body }) => (method === 'POST' ? nameOf(body) : method)),
  }
}

function nameOf(body: string): string {
  const { method } = JSON.parse(body)
  return typeof method === 'string' ? method : 'answer'
}
