import { ACCEPTED_ENCODINGS } from './bodies.ts'
import type { EgressRequest } from './egress.ts'
import type { Outgoing } from './exchange.ts'
import type { AddressRules } from './private-addresses.ts'
import { refused, validateUrl } from './validate-destination.ts'

/** Connection headers. A caller must not set them: they could bypass the checks of the destination. */
const CONNECTION_HEADERS = new Set([
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

/** Methods that open a tunnel or echo headers. */
const REFUSED_METHODS = new Set(['CONNECT', 'TRACE', 'TRACK'])

/** Some vendors (GitHub) reject requests without a User-Agent. */
const USER_AGENT = 'connector-gateway'

/** Checks a request and completes its headers. Throws an EgressError `refused`. */
export function prepare(request: EgressRequest, rules: AddressRules): Outgoing {
  const url = validateUrl(request.url, rules)
  const method = request.method.toUpperCase()
  if (REFUSED_METHODS.has(method)) throw refused(url.host, `does not receive ${method} requests from this gateway`)

  const headers: Record<string, string> = { 'accept-encoding': ACCEPTED_ENCODINGS, 'user-agent': USER_AGENT }
  put(headers, request.headers, url)
  if (request.credential !== undefined) {
    if (!sameOrigin(request.credential.origin, url))
      throw refused(url.host, 'is not the origin of the credential, so nothing was sent')
    put(headers, request.credential.headers, url)
  }
  const { body } = request
  if (body instanceof FormData) throw new TypeError('Serialize the form before sending it')
  if (typeof body === 'object' && 'open' in body) headers['content-length'] = String(body.bytes)
  return { method, url, headers, body: body ?? null }
}

/** Serializes a form body to bytes, so that the length is known and the body can be sent again. */
export async function withFormWritten(request: EgressRequest, form: FormData): Promise<EgressRequest> {
  const written = new Response(form)
  const type = written.headers.get('content-type') ?? 'multipart/form-data'
  const headers = Object.fromEntries(
    Object.entries(request.headers ?? {}).filter(([name]) => name.toLowerCase() !== 'content-type'),
  )
  return { ...request, headers: { ...headers, 'content-type': type }, body: await written.bytes() }
}

/** The names of the credential headers, which a redirect to another origin drops. */
export function secretNames({ credential }: EgressRequest): string[] {
  return Object.keys(credential?.headers ?? {}).map(name => name.toLowerCase())
}

function put(headers: Record<string, string>, more: Readonly<Record<string, string>> | undefined, url: URL): void {
  for (const name in more) {
    const lower = name.toLowerCase()
    if (CONNECTION_HEADERS.has(lower)) throw refused(url.host, `does not accept a ${lower} header from the caller`)
    const value = more[name]
    if (value !== undefined) headers[lower] = value
  }
}

function sameOrigin(origin: string, url: URL): boolean {
  return origin === url.origin || URL.parse(origin)?.origin === url.origin
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Headers that describe a body and are dropped with it. */
const BODY_HEADERS = ['content-length', 'content-type', 'content-encoding', 'content-language', 'content-location']

/** Headers that are secret even when a caller passes them as plain headers. */
const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization']

/** The redirect target of an answer; undefined if it is not a redirect. */
export function locationOf(status: number, headers: Readonly<Record<string, string>>): string | undefined {
  return REDIRECTS.has(status) ? headers.location : undefined
}

/**
 * Builds the request that follows a redirect, by the rules of fetch
 * (https://fetch.spec.whatwg.org/#http-redirect-fetch). A redirect to another origin drops secrets; a
 * redirect from https to http is refused. Throws an EgressError `refused`.
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
  if (target === null) throw refused(host, 'redirects to an invalid URL')
  const url = validateUrl(target, rules)
  if (outgoing.url.protocol === 'https:' && url.protocol !== 'https:')
    throw refused(host, `redirects from https to http at ${url.host}, which is not allowed`)

  const headers = { ...outgoing.headers }
  let { method, body } = outgoing
  const becomesGet = status === 303 ? method !== 'GET' && method !== 'HEAD' : status < 303 && method === 'POST'
  if (becomesGet) {
    method = 'GET'
    body = null
    for (const name of BODY_HEADERS) delete headers[name]
  }
  if (url.origin !== outgoing.url.origin) for (const name of [...SECRET_HEADERS, ...secrets]) delete headers[name]
  return { method, url, headers, body }
}
