import type { IncomingMessage, ServerResponse } from 'node:http'
import { Type } from '@sinclair/typebox'
import type { Test } from 'tap'
import { type ConnectorDefinition, defineConnector, type Revocation } from '../services/definitions/define-connector.ts'
import {
  done,
  file,
  type HttpTool,
  type HttpToolDefinition,
  httpTool,
  pick,
  text,
} from '../services/definitions/http-tool.ts'
import { type Upstream, upstream } from './egress-fixture.ts'
import type { LeakMarkers } from './leak-markers.ts'

/** How the provider misbehaves; `undefined` for a normal answer. */
export type Indiscretion =
  | undefined
  | { status: number; as?: 'json' | 'text' | 'html' | 'form'; code?: string; headers?: 'echoed'; slashes?: 'escaped' }
  | 'elsewhere'
  | 'cut off'
  | 'not HTTP'
  | 'garbled'

/** The misbehaviors that the tests try for every request. */
export const INDISCRETIONS: readonly Exclude<Indiscretion, undefined>[] = [
  { status: 400 },
  { status: 400, code: 'invalid_grant' },
  { status: 401, headers: 'echoed' },
  { status: 403, as: 'text' },
  { status: 404, as: 'html' },
  { status: 422, slashes: 'escaped' },
  { status: 429, headers: 'echoed' },
  { status: 500 },
  { status: 502, as: 'text', headers: 'echoed' },
  { status: 200, as: 'form' },
  { status: 200, as: 'html' },
  'elsewhere',
  'cut off',
  'not HTTP',
  'garbled',
]

/** A provider on loopback that repeats every secret that it knows: from the last request, and from what it issued. */
interface IndiscreetProvider {
  readonly origin: string
  /** A server of another origin, to which the provider redirects. */
  readonly elsewhere: Upstream
  behavior: Indiscretion
  /** The paths at which it misbehaves; all by default. */
  at: RegExp
  /** Sets the tool whose result fields the normal answers contain. The fields contain the echo. */
  answers(tool: HttpTool): void
  /** Returns all secrets that it knows now, as its answers contain them. */
  secrets(): string[]
  readonly asked: readonly string[]
}

export async function indiscreetProvider(t: Test, markers: LeakMarkers): Promise<IndiscreetProvider> {
  /** The valid secrets of each grant: its token with the refresh token or token secret, and the user's. */
  const grants: string[][][] = []
  const asked: string[] = []
  const known = new Set<string>()
  let heard: string[] = []
  let shape: Pick<HttpTool, 'result' | 'pagination'> = { result: pick('', []) }
  const elsewhere = await upstream(t, (_request, response) => response.writeHead(404).end(echo()))
  const server = await upstream(t, (request, response) => {
    const { body = '' } = server.requests.at(-1) ?? {}
    asked.push(`${request.method} ${request.url?.split('?')[0]}`)
    const { texts, secrets } = told(request, body)
    for (const [what, secret] of Object.entries(secrets)) if (!known.has(secret)) markers.add(what, secret)
    for (const secret of Object.values(secrets)) known.add(secret)
    heard = texts
    const { behavior, at } = made
    return behavior === undefined || !at.test(request.url ?? '')
      ? does(request.url ?? '', body, response)
      : refuses(request, response)
  })

  /** Issues tokens with characters that JSON, URLs and forms encode differently. */
  function issue(what: string): string {
    const secret = `${markers.text(what)}/+._~-`
    heard.push(secret)
    return secret
  }

  /** Returns a token answer, of a new grant or of a refreshed one. */
  function tokens(old: string | undefined): object {
    const [access, refresh] = [issue('access token'), issue('refresh token')]
    const answer = { access_token: access, refresh_token: refresh, expires_in: 3600, token_type: 'Bearer' }
    const part = grants.flat().find(part => old !== undefined && part.includes(old))
    if (part !== undefined) {
      part.splice(0, 2, access, refresh)
      return answer
    }
    const user = [issue('token of the user'), issue('refresh token of the user')]
    grants.push([[access, refresh], user])
    const ofUser = { access_token: user[0], refresh_token: user[1], expires_in: 3600 }
    return { ...answer, user: ofUser, team: 'T1' }
  }

  function echo(): string {
    return made.secrets().join(' ')
  }

  function does(url: string, body: string, response: ServerResponse): unknown {
    const [path = ''] = url.split('?')
    if (path === '/token') {
      const old = new URLSearchParams(body).get('refresh_token') ?? undefined
      return json(response, 200, { ...tokens(old), echo: echo() })
    }
    if (path === '/request' || path === '/access') {
      const [token, secret] = [issue(`token of ${path}`), issue(`token secret of ${path}`)]
      grants.push([[token, secret]])
      const answer = { oauth_token: token, oauth_token_secret: secret, oauth_callback_confirmed: 'true', echo: echo() }
      return response.end(`${new URLSearchParams(answer)}`)
    }
    const head = {
      link: `<${server.origin}/things?page=2&access_token=${encodeURIComponent(heard[0] ?? '')}>; rel="next"`,
    }
    if (path !== '/me' && (shape.result.kind === 'text' || shape.result.kind === 'file'))
      return response.writeHead(200, head).end(echo())
    response.writeHead(200, { ...head, 'content-type': 'application/json' })
    const answer = shaped(path === '/me' ? { result: pick('', []) } : shape, made.secrets())
    const whole = Array.isArray(answer) ? answer : { id: 1, login: `me ${echo()}`, ...answer }
    return response.end(JSON.stringify(whole))
  }

  function refuses(request: IncomingMessage, response: ServerResponse): unknown {
    const { behavior } = made
    if (behavior === 'cut off')
      return response.writeHead(200, { 'content-length': '9999' }).write(echo()) && request.socket.destroySoon()
    if (behavior === 'not HTTP') return request.socket.end(`${echo()}\r\n\r\n`)
    if (behavior === 'garbled') return response.writeHead(200, { 'content-encoding': 'gzip' }).end(echo())
    if (behavior === 'elsewhere') {
      const location = `${elsewhere.origin}/?access_token=${encodeURIComponent(made.secrets()[0] ?? '')}`
      return response.writeHead(302, { location }).end(echo())
    }
    if (behavior === undefined) throw new Error('No misbehavior is set')
    const { status, as = 'json', code, headers, slashes } = behavior
    const said = made.secrets()
    if (headers === 'echoed') {
      response.setHeader('www-authenticate', `Bearer error="${said.join(' ')}"`)
      response.setHeader('x-echo', said.join(' '))
      response.setHeader('set-cookie', `token=${said[0] ?? ''}`)
      response.setHeader('retry-after', said[0] ?? '1')
    }
    if (as === 'text') return response.writeHead(status, { 'content-type': 'text/plain' }).end(echo())
    if (as === 'html') return response.writeHead(status, { 'content-type': 'text/html' }).end(`<p>${echo()}</p>`)
    if (as === 'form') return response.writeHead(status).end(`${new URLSearchParams({ error: echo(), token: echo() })}`)
    const body = {
      ok: false,
      error: code ?? said[0],
      error_description: echo(),
      error_uri: `${server.origin}/?token=${said[0]}`,
      message: echo(),
      errors: [{ message: echo(), extensions: { code: said[0] } }],
      echo: echo(),
    }
    return json(response, status, body, slashes === 'escaped')
  }

  function json(response: ServerResponse, status: number, body: unknown, escaped = false): unknown {
    const plain = JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json' })
    return response.end(escaped ? plain.replaceAll('/', '\\/').replaceAll('+', '\\u002B') : plain)
  }

  const made: IndiscreetProvider = {
    origin: server.origin,
    elsewhere,
    behavior: undefined,
    at: /^/,
    asked,
    answers(tool) {
      shape = tool
    },
    secrets: () => {
      const ofGrant = grants.map(grant => grant.flat()).find(all => all.some(secret => heard.includes(secret)))
      return [...new Set([...heard, ...(ofGrant ?? [])])]
    },
  }
  return made
}

/** Returns the secrets of a request, encoded and decoded, and those that only the gateway can make. */
function told({ headers, url = '' }: IncomingMessage, body: string) {
  const { authorization = '', 'x-key': key } = headers
  const [scheme = '', credential = ''] = authorization.split(/ (.*)/s)
  const parameters = new URLSearchParams(body)
  const fields = ['client_secret', 'refresh_token', 'code', 'code_verifier', 'token'].map(name => parameters.get(name))
  const basic = scheme === 'Basic' ? [credential, ...Buffer.from(credential, 'base64').toString().split(':')] : []
  const bearer = scheme === 'Bearer' ? [credential] : []
  const signed = /oauth_token="([^"]+)"/.exec(credential)?.[1]
  const inUrl = [...new URL(url, 'http://provider').searchParams.values()]
  const all = [...basic, ...bearer, key, signed && decodeURIComponent(signed), ...fields, ...inUrl]
  const verifier = parameters.get('code_verifier')
  return {
    texts: all.filter(text => typeof text === 'string' && text.length > 8) as string[],
    secrets: {
      ...(verifier !== null && { 'PKCE verifier': verifier }),
      ...(basic.length > 0 && { 'credential of a Basic header': credential }),
    },
  }
}

/** Makes an answer in which each field that the tool picks contains the echo. */
function shaped({ result, pagination }: Pick<HttpTool, 'result' | 'pagination'>, secrets: readonly string[]): object {
  if (result.kind !== 'pick') return {}
  const picked: Record<string, unknown> = {}
  for (const field of result.fields.length === 0 ? ['text'] : result.fields)
    put(picked, field.split('.'), `echo ${secrets.join(' ')}`)
  const there = pagination === undefined ? picked : [picked]
  if (result.pointer === '') return there
  const whole = {}
  put(whole, result.pointer.slice(1).split('/'), there)
  return whole
}

function put(into: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) into[name] = value
  else {
    const next = (typeof into[name] === 'object' ? into[name] : {}) as Record<string, unknown>
    into[name] = next
    put(next, rest, value)
  }
}

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }
const about = { category: 'developer', icon: { monogram: 'T', color: '#333333' } } as const

function tools(as: Pick<HttpTool, 'as'> = {}): HttpTool[] {
  const tool = (operation: string, facts: Pick<HttpTool, 'request' | 'result'> & Partial<HttpToolDefinition>) =>
    httpTool({ operation, title: operation, description: operation, annotations, input: {}, ...as, ...facts })
  const get = { method: 'GET', path: '/things' } as const
  return [
    tool('read', { request: get, result: pick('', ['text', 'of.somebody']) }),
    tool('diff', { request: get, result: text() }),
    tool('download', { request: get, result: file('things') }),
    tool('list', {
      input: { limit: Type.Integer({ default: 1 }), cursor: Type.Optional(Type.String()) },
      request: { ...get, query: { size: '{limit}', page: '{cursor}' } },
      pagination: { style: 'link', items: '/items' },
      result: pick('/items', ['text']),
    }),
    tool('write', {
      annotations: { ...annotations, readOnlyHint: false },
      request: { method: 'POST', path: '/things', body: { form: { a: 'b' } } },
      result: done('Written.'),
    }),
  ]
}

/** One connector per kind of credential, all on this provider. */
export function indiscreetConnectors(origin: string): ConnectorDefinition[] {
  const identity = { request: { url: '/me' }, label: '{/login}', key: '{/id}' }
  const base = { ...about, baseUrl: origin, identity, tools: tools() }
  const oauth2 = {
    type: 'oauth2',
    authorizationUrl: `${origin}/authorize`,
    tokenUrl: `${origin}/token`,
    pkce: 'required',
    quirks: { userToken: '/user', keep: { team: '/team' } },
    accessSummary: 'All of it.',
  } as const
  const back = { url: `${origin}/revoke`, method: 'POST' } as const
  const byClient: Revocation = { ...back, as: 'client', form: { token: '{refresh_token}', client: '{client_id}' } }
  const key = { header: 'x-key', hint: 'A key.' }
  return [
    defineConnector({
      ...base,
      id: 'hub',
      name: 'Hub',
      description: 'Authenticates its app with HTTP Basic.',
      auth: { ...oauth2, clientAuth: 'basic', revocation: byClient },
    }),
    defineConnector({
      ...base,
      id: 'lounge',
      name: 'Lounge',
      description: 'Authenticates its app in the body, and acts as the user.',
      auth: {
        ...oauth2,
        clientAuth: 'post',
        revocation: { ...back, as: 'token', json: { token: '{access_token}' } },
      },
      tools: tools({ as: 'user' }),
    }),
    defineConnector({
      ...base,
      id: 'board',
      name: 'Board',
      description: 'Signs its requests.',
      auth: {
        type: 'oauth1a',
        requestTokenUrl: `${origin}/request`,
        authorizationUrl: `${origin}/authorize`,
        accessTokenUrl: `${origin}/access`,
        accessSummary: 'All of it.',
        revocation: { url: `${origin}/tokens/{access_token}`, method: 'DELETE', as: 'token' },
      },
    }),
    defineConnector({
      ...base,
      id: 'mailer',
      name: 'Mailer',
      description: 'Accepts a key and requests its owner.',
      auth: { type: 'api_key', apiKey: { ...key, header: 'authorization', basic: true, probe: true } },
    }),
    defineConnector({
      ...base,
      id: 'sender',
      name: 'Sender',
      description: 'Accepts a key without a check.',
      auth: { type: 'api_key', apiKey: { ...key, probe: false } },
    }),
  ]
}
