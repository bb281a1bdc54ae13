import { Readable } from 'node:stream'
import type { AddressRules } from './address-rules.ts'
import { ACCEPTED_ENCODINGS } from './bodies.ts'
import type { EgressRequest } from './egress.ts'
import type { Outgoing } from './exchange.ts'
import { refused, validateUrl } from './validate-destination.ts'

/** Headers that belong to the connection: a caller that sets one would speak past what was judged. */
const OF_THE_CONNECTION = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'proxy-authorization',
  'proxy-connection',
])

/** Methods that are not a request to a resource, or that send its headers back. */
const REFUSED_METHODS = new Set(['CONNECT', 'TRACE', 'TRACK'])

/** Some vendors (GitHub) turn away what does not say who it is. */
const USER_AGENT = 'connector-gateway'

/** A request as it will be sent, once all of it is judged. Throws an EgressError `refused`. */
export function prepare(request: EgressRequest, rules: AddressRules): Outgoing {
  const url = validateUrl(request.url, rules)
  const method = request.method.toUpperCase()
  if (REFUSED_METHODS.has(method)) throw refused(url.host, `is not asked with ${method}`)

  const headers: Record<string, string> = { 'accept-encoding': ACCEPTED_ENCODINGS, 'user-agent': USER_AGENT }
  put(headers, request.headers, url)
  if (request.credential !== undefined) {
    if (!sameOrigin(request.credential.origin, url))
      throw refused(url.host, 'is not the origin that the credential is for; nothing was sent')
    put(headers, request.credential.headers, url)
  }
  const { body } = request
  if (body instanceof FormData) throw new TypeError('A form is sent as its bytes')
  return { method, url, headers, body: body ?? null }
}

/** The same request with a form written out as bytes, so that its length is told and it can be sent again. */
export async function withFormWritten(request: EgressRequest, form: FormData): Promise<EgressRequest> {
  const written = new Response(form)
  const type = written.headers.get('content-type') ?? 'multipart/form-data'
  const headers = Object.fromEntries(
    Object.entries(request.headers ?? {}).filter(([name]) => name.toLowerCase() !== 'content-type'),
  )
  return { ...request, headers: { ...headers, 'content-type': type }, body: await written.bytes() }
}

/** The names of the headers that stay behind when a request leaves its origin. */
export function secretNames({ credential }: EgressRequest): string[] {
  return Object.keys(credential?.headers ?? {}).map(name => name.toLowerCase())
}

/** Ends a body that will not be read any more. */
export function discard(body: EgressRequest['body']): void {
  if (body instanceof Readable) body.on('error', () => {}).destroy()
}

function put(headers: Record<string, string>, more: Readonly<Record<string, string>> | undefined, url: URL): void {
  for (const name in more) {
    const lower = name.toLowerCase()
    if (OF_THE_CONNECTION.has(lower)) throw refused(url.host, `is not sent a ${lower} header of the caller's`)
    const value = more[name]
    if (value !== undefined) headers[lower] = value
  }
}

function sameOrigin(origin: string, url: URL): boolean {
  return origin === url.origin || URL.parse(origin)?.origin === url.origin
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** What describes a body, and goes with it. */
const OF_THE_BODY = ['content-type', 'content-encoding', 'content-language', 'content-location']

/** What a caller may have put among the plain headers and is a secret all the same. */
const SECRET = ['authorization', 'cookie', 'proxy-authorization']

/** Where an answer sends its request on to; undefined when it does not. */
export function locationOf(status: number, headers: Readonly<Record<string, string>>): string | undefined {
  return REDIRECTS.has(status) ? headers.location : undefined
}

/**
 * The request that follows a redirect, by the rules of fetch (https://fetch.spec.whatwg.org/#http-redirect-fetch):
 * secrets stay behind at another origin, a body that can be read once only is not sent again, and https is not left.
 * Throws an EgressError `refused`.
 */
export function redirected(
  outgoing: Outgoing,
  status: number,
  location: string,
  secrets: readonly string[],
  rules: AddressRules,
): Outgoing {
  const { host } = outgoing.url
  const target = URL.parse(location, outgoing.url.href)
  if (target === null) throw refused(host, 'redirects to what is not a URL')
  const url = validateUrl(target, rules)
  if (outgoing.url.protocol === 'https:' && url.protocol !== 'https:')
    throw refused(host, `redirects from https to http at ${url.host}, which is not followed`)

  const headers = { ...outgoing.headers }
  let { method, body } = outgoing
  const becomesGet = status === 303 ? method !== 'GET' && method !== 'HEAD' : status < 303 && method === 'POST'
  if (becomesGet) {
    method = 'GET'
    body = null
    for (const name of OF_THE_BODY) delete headers[name]
  } else if (body instanceof Readable) {
    throw refused(host, 'redirects a request whose body cannot be sent a second time; send it to its final URL')
  }
  if (url.origin !== outgoing.url.origin) for (const name of [...SECRET, ...secrets]) delete headers[name]
  return { method, url, headers, body }
}
