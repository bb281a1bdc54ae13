import type { IncomingMessage } from 'node:http'
import type { Test } from 'tap'
import { createAsk } from '../services/social/ask.ts'
import type { SocialCall } from '../services/social/network.ts'
import { egressOf, upstream } from './egress-fixture.ts'
import { testClock } from './fixture.ts'

/** What a double received. */
export interface DoubleRequest {
  /** The segments of the path that the pattern leaves open. */
  path: readonly string[]
  query: Readonly<Record<string, string>>
  headers: IncomingMessage['headers']
  body: string
}

export interface DoubleAnswer {
  status?: number
  headers?: Record<string, string>
  /** JSON, or a text as it is. */
  body?: unknown
  /** Never answers. */
  hangs?: boolean
}

/** One endpoint as the provider documents it. Anything else in a request is a fault of the test. */
export interface DoubleRoute {
  /** By name: what the value must match. */
  query?: Readonly<Record<string, RegExp>>
  required?: readonly string[]
  /** Headers that must be there. No other than the usual ones may be. */
  headers?: Readonly<Record<string, RegExp>>
  answer(request: DoubleRequest): DoubleAnswer
}

/** The headers that every request of the gateway has. */
const USUAL = /^(?:host|connection|accept|accept-encoding|user-agent|content-length)$/

/** A strict double of a network: `GET /path/*` by pattern. Ends the test with a failure for what the provider does not document. */
export async function socialDouble(t: Test, routes: Readonly<Record<string, DoubleRoute>>) {
  const server = await upstream(t, (request, response) => {
    const { method = '', url = '', headers } = request
    const target = new URL(url, 'http://double')
    const found = Object.entries(routes).find(([pattern]) => matches(pattern, method, target.pathname))
    if (found === undefined) {
      t.fail(`${method} ${target.pathname} is not an endpoint`)
      return response.writeHead(404).end('{}')
    }
    const [pattern, route] = found
    const query = Object.fromEntries(target.searchParams)
    for (const [name, value] of target.searchParams)
      if (route.query?.[name]?.test(value) !== true) t.fail(`${pattern}: the parameter ${name}=${value} is wrong`)
    for (const name of route.required ?? []) if (!(name in query)) t.fail(`${pattern}: ${name} is missing`)
    for (const name of Object.keys(headers))
      if (!USUAL.test(name) && route.headers?.[name] === undefined) t.fail(`${pattern}: the header ${name} is wrong`)
    for (const [name, value] of Object.entries(route.headers ?? {}))
      if (!value.test(String(headers[name]))) t.fail(`${pattern}: the header ${name} does not match`)
    const body = server.requests.at(-1)?.body ?? ''
    const answer = route.answer({ path: matches(pattern, method, target.pathname) ?? [], query, headers, body })
    if (answer.hangs === true) return
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? null)
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers }).end(text)
  })
  return { origin: server.origin, requests: server.requests }
}

function matches(pattern: string, method: string, path: string): readonly string[] | undefined {
  const [wantedMethod, wantedPath = ''] = pattern.split(' ')
  const expression = new RegExp(`^${wantedPath.replaceAll('.', '\\.').replaceAll('*', '([^/]+)')}$`)
  const found = method === wantedMethod ? expression.exec(path) : null
  return found === null ? undefined : found.slice(1).map(decodeURIComponent)
}

/** What a network needs to ask its double, and a call that records its cost and notes. */
export function askDouble(t: Test, network: string) {
  const clock = testClock(Date.parse('2026-11-23T12:00:00Z'))
  const notes: { code: string; message: string }[] = []
  const spent = { micros: 0 }
  const call: SocialCall = {
    orgId: 'org_1',
    signal: AbortSignal.timeout(20_000),
    charge(micros) {
      spent.micros += micros
    },
    note: (code, message) => void notes.push({ code, message }),
  }
  return { ask: createAsk({ egress: egressOf(t), clock, network }), clock, call, notes, spent }
}
