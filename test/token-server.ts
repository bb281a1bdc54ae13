import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import {
  type ConnectorAuth,
  type ConnectorDefinition,
  defineConnector,
} from '../services/definitions/define-connector.ts'

/** A grant of the server: its current tokens, and the previous refresh token. */
interface Family {
  access: string
  refresh: string
  before: string | undefined
}

export interface TokenServerOptions {
  /** Whether the previous refresh token still works, as with a reuse grace. */
  grace?: boolean
  expiresIn?: number
}

/** Faults of the server on a token request. */
type Misbehavior =
  | { status: number; body?: string; headers?: Record<string, string> }
  /** Processes the request, and its answer is lost. */
  | 'lose the answer'
  | 'hang'

/**
 * A provider on 127.0.0.1: a token endpoint that rotates single-use refresh tokens, an API under `/api` that accepts
 * only the newest access tokens, and a revocation endpoint.
 */
export async function tokenServer(t: Test, { grace = false, expiresIn = 3_600 }: TokenServerOptions = {}) {
  const families: Family[] = []
  const state = {
    origin: '',
    /** Refreshes that issued a new token. */
    refreshed: 0,
    /** Rejected refresh tokens that were used before. */
    reused: 0,
    /** Token requests of any outcome. */
    asked: 0,
    /** Bodies and Authorization headers of token requests. */
    requests: [] as { form: URLSearchParams; authorization: string | undefined }[],
    revocations: [] as { method: string; url: string; authorization: string | undefined; body: string }[],
    misbehavior: undefined as Misbehavior | undefined,
    /** Changes a token answer before it is sent. */
    dress: (answer: Record<string, unknown>): unknown => answer,
    /** Delays a token answer. */
    before: async (): Promise<void> => {},
    /** Delays the answer after the rotation. */
    rotated: async (): Promise<void> => {},
    expiresIn,
    /** The answer of the revocation endpoint. */
    revocationStatus: 200,
    /** Whether the API rejects every token. */
    refusesAll: false,
  }
  const fresh = () => ({ access: `at_${randomUUID()}`, refresh: `rt_${randomUUID()}` })

  async function token(form: URLSearchParams, response: ServerResponse): Promise<void> {
    const { misbehavior } = state
    if (misbehavior === 'hang') return
    if (typeof misbehavior === 'object') {
      response.writeHead(misbehavior.status, { 'content-type': 'application/json', ...misbehavior.headers })
      return void response.end(misbehavior.body ?? '{}')
    }
    await state.before()
    const asked = form.get('refresh_token') ?? ''
    const family = families.find(({ refresh, before }) => refresh === asked || (grace && before === asked))
    if (family === undefined) {
      state.reused += 1
      return send(response, 400, { error: 'invalid_grant', error_description: `unknown ${asked}` })
    }
    Object.assign(family, { before: asked, ...fresh() })
    state.refreshed += 1
    const { access, refresh } = family
    await state.rotated()
    if (misbehavior === 'lose the answer') return void response.destroy()
    send(
      response,
      200,
      state.dress({ access_token: access, refresh_token: refresh, expires_in: state.expiresIn, token_type: 'Bearer' }),
    )
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const { url = '', method = '' } = request
    const { authorization } = request.headers
    if (url === '/token') {
      state.asked += 1
      const form = new URLSearchParams(body)
      state.requests.push({ form, authorization })
      await token(form, response)
    } else if (url === '/api') {
      const good = !state.refusesAll && families.some(({ access }) => authorization === `Bearer ${access}`)
      send(response, good ? 200 : 401, { good })
    } else {
      state.revocations.push({ method, url, authorization, body })
      response.writeHead(state.revocationStatus).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  state.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })

  return Object.assign(state, {
    /** Creates a grant, as after an authorization. */
    grant(): { accessToken: string; refreshToken: string } {
      const { access, refresh } = fresh()
      families.push({ access, refresh, before: undefined })
      return { accessToken: access, refreshToken: refresh }
    },
    /** Invalidates all access tokens, as a provider may do early. */
    endAccess() {
      for (const family of families) family.access = randomUUID()
    },
    /** Ends the grants: no token is valid. */
    endGrants() {
      families.length = 0
    },
    /** Whether this refresh token is the current one. */
    isNewest: (token: string | undefined) => families.some(({ refresh }) => refresh === token),
  })
}

export type TokenServer = Awaited<ReturnType<typeof tokenServer>>

function send(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(json))
}

/** Returns the connector of this server. */
export function rotatingConnector(
  origin: string,
  auth: Partial<Extract<ConnectorAuth, { type: 'oauth2' }>> = {},
): ConnectorDefinition {
  return defineConnector({
    id: 'rotor',
    name: 'Rotor',
    category: 'developer',
    description: 'Rotates its refresh tokens.',
    icon: { monogram: 'R', color: '#333333' },
    baseUrl: origin,
    auth: {
      type: 'oauth2',
      authorizationUrl: `${origin}/authorize`,
      tokenUrl: `${origin}/token`,
      pkce: 'supported',
      clientAuth: 'basic',
      scopes: { read: 'Read.' },
      ...auth,
    } as Extract<ConnectorAuth, { type: 'oauth2' }>,
    identity: { request: { url: '/me' }, label: '{/login}' },
    tools: [],
  })
}
