import { Readable } from 'node:stream'
import type { AddressRules } from './addresses.ts'
import { refused, validateUrl } from './destination.ts'
import type { Outgoing } from './exchange.ts'

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
