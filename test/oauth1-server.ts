import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import type { Clock } from '../schemas/time.ts'

/** The accepted clock difference of clients (RFC 5849, section 3.3, leaves it to the server). */
const TOLERANCE_S = 300

interface Oauth1Server {
  readonly origin: string
  readonly consumer: { readonly key: string; readonly secret: string }
  /** The user who agrees on its authorization page. */
  person: { id: string; username: string; fullName: string }
  /** The reasons of rejected requests, in order. */
  readonly refusals: string[]
  /** Opens the authorization URL like a browser: agrees, or declines as on Twitter's page. */
  visit(authorizationUrl: string, decision?: 'agree' | 'decline'): Promise<URL>
}

interface Temporary {
  secret: string
  callback: string
  verifier?: string
}

/**
 * An OAuth 1.0a provider on loopback, closed with the test: temporary credentials, an authorization page, tokens, and
 * `/me`. It checks each signature with its own implementation of RFC 5849, each timestamp, and that no nonce repeats.
 */
export async function oauth1Server(t: Test, clock: Clock): Promise<Oauth1Server> {
  const random = () => randomBytes(12).toString('hex')
  const consumer = { key: random(), secret: `${random()}&/ ü` }
  const temporary = new Map<string, Temporary>()
  const tokens = new Map<string, { secret: string; person: Oauth1Server['person'] }>()
  const nonces = new Set<string>()
  const refusals: string[] = []
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const made: Oauth1Server = {
    origin,
    consumer,
    person: { id: random(), username: 'ada', fullName: 'Ada' },
    refusals,
    async visit(authorizationUrl, decision = 'agree') {
      const url = new URL(authorizationUrl)
      url.searchParams.set('decision', decision)
      const page = await fetch(url, { redirect: 'manual' })
      const location = page.headers.get('location')
      if (location === null) throw new Error(`The page answered ${page.status}`)
      return new URL(location)
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin)
    try {
      response.end(await respond(request, url, response))
    } catch (error) {
      refusals.push(String(error))
      response.writeHead(401).end(`oauth_problem: ${error}`)
    }
  }

  async function respond(request: IncomingMessage, url: URL, response: ServerResponse): Promise<string> {
    const known = temporary.get(url.searchParams.get('oauth_token') ?? '')
    switch (`${request.method} ${url.pathname}`) {
      case 'POST /request': {
        const { oauth_callback: callback } = await verified(request, url, () => '')
        if (callback === undefined) throw new Error('no oauth_callback')
        const [token, secret] = [random(), random()]
        temporary.set(token, { secret, callback })
        return form({ oauth_token: token, oauth_token_secret: secret, oauth_callback_confirmed: 'true' })
      }
      case 'GET /authorize': {
        if (known === undefined) throw new Error('unknown request token')
        const back = new URL(known.callback)
        const token = url.searchParams.get('oauth_token') ?? ''
        if (url.searchParams.get('decision') === 'decline') back.searchParams.set('denied', token)
        else {
          known.verifier = random()
          back.searchParams.set('oauth_token', token)
          back.searchParams.set('oauth_verifier', known.verifier)
        }
        response.writeHead(302, { location: back.href })
        return ''
      }
      case 'POST /access': {
        const { oauth_token: token = '', oauth_verifier } = await verified(
          request,
          url,
          id => temporary.get(id)?.secret,
        )
        const agreed = temporary.get(token)
        temporary.delete(token)
        if (agreed?.verifier === undefined || agreed.verifier !== oauth_verifier) throw new Error('wrong verifier')
        const [id, secret] = [random(), random()]
        tokens.set(id, { secret, person: made.person })
        return form({ oauth_token: id, oauth_token_secret: secret })
      }
      case 'GET /me':
      case 'GET /members/me': {
        const { oauth_token: token = '' } = await verified(request, url, id => tokens.get(id)?.secret)
        response.setHeader('content-type', 'application/json')
        return JSON.stringify(tokens.get(token)?.person)
      }
      default:
        response.statusCode = 404
        return ''
    }
  }

  /** Returns the protocol parameters of a request with a correct signature. */
  async function verified(
    request: IncomingMessage,
    url: URL,
    secretOf: (token: string) => string | undefined,
  ): Promise<Record<string, string | undefined>> {
    const header = request.headers.authorization ?? ''
    if (!header.startsWith('OAuth ')) throw new Error('no OAuth header')
    const fields = header
      .slice('OAuth '.length)
      .split(',')
      .map(field => /^\s*([^=]+)="([^"]*)"\s*$/.exec(field))
      .map(match => [decodeURIComponent(match?.[1] ?? ''), decodeURIComponent(match?.[2] ?? '')] as const)
    const { oauth_signature: signature, ...protocol } = Object.fromEntries(fields)
    const tokenSecret = secretOf(protocol.oauth_token ?? '')
    if (protocol.oauth_consumer_key !== consumer.key) throw new Error('unknown consumer')
    if (tokenSecret === undefined) throw new Error('unknown token')
    if (protocol.oauth_signature_method !== 'HMAC-SHA1') throw new Error('unknown signature method')
    const age = Math.abs(clock.now() / 1000 - Number(protocol.oauth_timestamp))
    if (!(age <= TOLERANCE_S)) throw new Error('timestamp refused')
    if (protocol.oauth_nonce === undefined || nonces.has(protocol.oauth_nonce)) throw new Error('nonce used')
    nonces.add(protocol.oauth_nonce)

    const body = await text(request)
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false
    const pairs = [...Object.entries(protocol), ...url.searchParams, ...(isForm ? new URLSearchParams(body) : [])].map(
      ([name, value]) => `${escape3986(name)}\u0000${escape3986(value ?? '')}`,
    )
    // NUL sorts before all characters of an escaped name, so that names sort first and values decide among equal names.
    const normalized = pairs
      .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .map(pair => pair.replace('\u0000', '='))
    const base = [request.method ?? '', `${url.origin}${url.pathname}`, normalized.join('&')].map(escape3986).join('&')
    const key = `${escape3986(consumer.secret)}&${escape3986(tokenSecret)}`
    if (createHmac('sha1', key).update(base).digest('base64') !== signature) throw new Error('wrong signature')
    return protocol
  }

  return made
}

function form(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString()
}

/** RFC 5849, section 3.6, byte by byte. */
function escape3986(text: string): string {
  return [...Buffer.from(text)]
    .map(byte => {
      const character = String.fromCharCode(byte)
      return /[A-Za-z0-9\-._~]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}
