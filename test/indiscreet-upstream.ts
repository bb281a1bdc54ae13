import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import type { Test } from 'tap'
import { upstream } from './egress-fixture.ts'
import type { LeakMarkers } from './leak-markers.ts'

/** Where the upstream leaks every secret: in answers about tools or resources and prompts, in its handshake, or where it issues secrets. */
export type Leak = 'tools' | 'offers' | 'handshake' | 'token' | 'registration'

/** The forms of a leak. */
export const LEAKS = [
  'an error of JSON-RPC',
  'an error of HTTP',
  'a challenge',
  'missing scopes',
  'too many requests',
  'a redirect',
  'events',
  'not JSON',
  'cut off',
] as const

/** The lifetime of its tokens, in seconds. */
export const TOKEN_LIFE_S = 600

/** An MCP server and its authorization server that repeat the secrets of the last request and the ones that they issued. */
interface IndiscreetUpstream {
  readonly origin: string
  /** Where it misbehaves. If unset, it works but repeats every secret in its answers. */
  leak: { at: Leak; as: (typeof LEAKS)[number] } | undefined
  /** The number of requests that were answered with a leak. */
  leaked: number
}

/**
 * The upstreams of one origin, each with its own session and path. Those at `/oauth…` accept only the tokens that their
 * authorization server issues.
 */
export async function indiscreetUpstream(t: Test, markers: LeakMarkers): Promise<IndiscreetUpstream> {
  /** The tokens of the last grant. */
  let grant: string[] = []
  const known = new Set<string>()
  const server = await upstream(t, (request, response) => {
    const { body = '' } = server.requests.at(-1) ?? {}
    const { leak } = made
    if (leak === undefined || leak.at !== placeOf(request, body)) return does(request, body, response)
    made.leaked++
    return leaks(leak.as, { said: echo(request, body), body }, request, response)
  })

  function issue(what: string): string {
    return `${markers.text(what)}/+._~-`
  }

  /** Returns the secrets of a request, encoded and decoded, and the tokens of the grant. */
  function echo({ headers, url = '' }: IncomingMessage, body: string): string {
    const form = new URLSearchParams(body)
    const verifier = form.get('code_verifier')
    if (verifier !== null && !known.has(verifier)) markers.add('PKCE verifier', verifier)
    known.add(verifier ?? '')
    const { authorization = '' } = headers
    const [key, session] = ['x-team-key', 'mcp-session-id'].map(name => String(headers[name] ?? ''))
    const [scheme = '', credential = ''] = authorization.split(' ')
    const basic = scheme === 'Basic' ? Buffer.from(credential, 'base64').toString() : ''
    const fields = ['client_secret', 'refresh_token', 'code', 'code_verifier'].map(name => form.get(name) ?? '')
    const inHeaders = [authorization, credential, basic, `${key}`, `${session}`]
    const told = [...inHeaders, ...fields, ...(url.startsWith('/oauth') ? grant : [])]
    return [
      ...told.flatMap(text => [text, encodeURIComponent(text)]),
      ...inHeaders.map(text => Buffer.from(text).toString('base64')),
    ]
      .filter(text => text !== '')
      .join(' ')
  }

  function does(request: IncomingMessage, body: string, response: ServerResponse): unknown {
    const { url = '', headers, method } = request
    const [path = ''] = url.split('?')
    const said = echo(request, body)
    if (path.startsWith('/.well-known/oauth-protected-resource/'))
      return json(response, 200, {
        resource: server.origin + path.replace('/.well-known/oauth-protected-resource', ''),
        authorization_servers: [server.origin],
      })
    if (path.startsWith('/.well-known/')) return json(response, 200, metadata())
    if (path === '/register')
      return json(response, 201, {
        ...JSON.parse(body),
        client_id: 'registered',
        client_secret: issue('secret of a registered client'),
      })
    if (path === '/token') {
      grant = [issue('access token'), issue('refresh token')]
      const [access_token, refresh_token] = grant
      return json(response, 200, {
        access_token,
        refresh_token,
        expires_in: TOKEN_LIFE_S,
        token_type: 'Bearer',
        echo: said,
      })
    }
    if (method !== 'POST') return response.writeHead(405).end(said)
    if (path.startsWith('/oauth') && headers.authorization !== `Bearer ${grant[0]}`)
      return response
        .writeHead(401, {
          'www-authenticate': `Bearer resource_metadata="${server.origin}/.well-known/oauth-protected-resource${path}"`,
        })
        .end(said)
    return answers(JSON.parse(body), said, response)
  }

  function metadata() {
    return {
      issuer: server.origin,
      authorization_endpoint: `${server.origin}/authorize`,
      token_endpoint: `${server.origin}/token`,
      registration_endpoint: `${server.origin}/register`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
    }
  }

  function answers({ id, method, params }: JSONRPCRequest, said: string, response: ServerResponse): unknown {
    if (id === undefined) return response.writeHead(202).end(said)
    const result = (result: object, headers = {}) =>
      json(response, 200, { jsonrpc: '2.0', id, result, echo: said }, headers)
    switch (method) {
      case 'initialize':
        return result(
          {
            protocolVersion: params?.protocolVersion,
            capabilities: { resources: { said }, prompts: { said } },
            serverInfo: { name: said, version: said },
            instructions: said,
          },
          { 'mcp-session-id': markers.text('session of an upstream') },
        )
      case 'tools/list':
        return result({ tools: tools(said) })
      case 'tools/call':
        return result({
          content: [
            { type: 'text', text: said, _meta: { said } },
            { type: 'resource', resource: { uri: `echo:${encodeURIComponent(said)}`, text: said, _meta: { said } } },
          ],
          structuredContent: { [said]: [{ said }] },
          isError: params?.name === 'fails',
          _meta: { [`echo.test/${said}`]: said, said },
        })
      case 'resources/list':
        return result({
          resources: ['test://works', `test://${said.replaceAll(' ', '+')}`].map(uri => ({ ...offer(said), uri })),
        })
      case 'resources/templates/list':
        return result({ resourceTemplates: [{ ...offer(said), uriTemplate: 'test://{works}' }] })
      case 'prompts/list':
        return result({
          prompts: [{ ...offer(said), name: 'works', arguments: [{ name: 'said', description: said }] }, offer(said)],
        })
      case 'resources/read':
        return result({ contents: [{ uri: said, mimeType: said, text: said, _meta: { said } }], _meta: { said } })
      case 'prompts/get':
        return result({
          description: said,
          messages: [{ role: 'user', content: { type: 'text', text: said } }],
          _meta: { said },
        })
      default:
        return json(response, 404, { jsonrpc: '2.0', id, error: { code: -32601, message: said, data: said } })
    }
  }

  const made: IndiscreetUpstream = { origin: server.origin, leak: undefined, leaked: 0 }
  return made
}

function placeOf({ url = '' }: IncomingMessage, body: string): Leak | undefined {
  if (url === '/token') return 'token'
  if (url === '/register') return 'registration'
  if (/"method":"tools\//.test(body)) return 'tools'
  if (/"method":"(resources|prompts)\//.test(body)) return 'offers'
  return /"method":"(initialize|notifications|server)/.test(body) ? 'handshake' : undefined
}

/** The fields of a resource, template or prompt, with the leak in every text. */
function offer(said: string) {
  return { name: said, title: said, description: said, mimeType: said, annotations: { said }, _meta: { [said]: said } }
}

/** Tools that contain the leak in every text. The last one cannot be published. */
function tools(said: string): object[] {
  const inputSchema = {
    type: 'object',
    title: said,
    properties: { said: { type: 'string', description: said, default: said, enum: [said] } },
  }
  const tool = { title: said, description: said, inputSchema, outputSchema: inputSchema, annotations: { title: said } }
  return [
    { ...tool, name: 'works', outputSchema: undefined },
    { ...tool, name: 'fails', outputSchema: undefined },
    { ...tool, name: said },
    {
      ...tool,
      name: 'odd',
      inputSchema: { ...inputSchema, properties: { said: { type: said, pattern: `(${said}` } } },
    },
  ]
}

function leaks(
  as: (typeof LEAKS)[number],
  { said, body }: { said: string; body: string },
  { socket }: IncomingMessage,
  response: ServerResponse,
): unknown {
  const { id } = parsed(body)
  const [first = ''] = said.split(' ')
  switch (as) {
    case 'an error of JSON-RPC':
      return json(response, 200, { jsonrpc: '2.0', id, error: { code: -32_000, message: said, data: { said } } })
    case 'an error of HTTP':
      return json(response, 500, { error: said, error_description: said, echo: said })
    case 'a challenge':
      return json(
        response,
        401,
        { said },
        { 'www-authenticate': `Bearer error="${first}", error_description="${said}"` },
      )
    case 'missing scopes':
      return json(
        response,
        403,
        { said },
        { 'www-authenticate': `Bearer error="insufficient_scope", scope="${said}", error_description="${said}"` },
      )
    case 'too many requests':
      return json(response, 429, { said }, { 'retry-after': first })
    case 'a redirect':
      return response.writeHead(307, { location: `/elsewhere?said=${encodeURIComponent(said)}` }).end(said)
    case 'events':
      return response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`event: ${said}\nid: ${said}\ndata: {"said":"${said}"}\n\n`)
    case 'not JSON':
      return response.writeHead(200, { 'content-type': 'application/json' }).end(said)
    case 'cut off':
      return response.writeHead(200, { 'content-length': '100000' }).write(said, () => socket.destroy())
  }
}

/** The body of a request: MCP or a form. */
function parsed(body: string): { id?: unknown } {
  return body.startsWith('{') ? JSON.parse(body) : {}
}

function json(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): unknown {
  return response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
