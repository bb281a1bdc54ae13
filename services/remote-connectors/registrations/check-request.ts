import { type Egress, EgressError } from '../../../lib/egress/egress.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { isSecretName, NAME_ENDINGS } from '../../../lib/redaction/secret-forms.ts'
import { sanitizeLine } from '../../../lib/sanitize-text.ts'
import type { OauthRequest, RemoteAuthRequest } from '../../../schemas/remotes/auth.ts'
import { isSlug } from '../../../schemas/remotes/names.ts'
import { type RegisterRemoteRequest, SLUG_RULE } from '../../../schemas/remotes/remote.ts'
import { isHeaderName } from '../../mcp/headers.ts'
import { isScope } from '../oauth/published-metadata.ts'

/** The maximum length of a display name, in characters. */
const MAX_NAME = 80

/** Headers that only the gateway sets: they control the transport or identify the client. */
const OWN_HEADERS = new Set([
  ...['host', 'connection', 'transfer-encoding', 'keep-alive', 'upgrade', 'expect', 'te', 'trailer', 'via', 'date'],
  ...['cookie', 'set-cookie', 'origin', 'referer', 'range', 'user-agent', 'last-event-id', 'forwarded'],
  ...['traceparent', 'tracestate', 'baggage', 'cache-control', 'pragma', 'authority', 'http2-settings'],
])
const OWN_PREFIXES = /^(mcp|content|accept|proxy|sec|if|x-forwarded|access-control)(-|$)/

const BEARER_TOKEN = /^[\x21-\x7e]+$/
/** Words of visible ASCII (`Token abc`), separated by single spaces. */
const HEADER_VALUE = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/
/** A shorter credential cannot be redacted from the upstream's answers without hiding ordinary words. */
const MIN_CREDENTIAL = 8
const MAX_CREDENTIAL = 8192

/** The maximum length of an upstream's URL, in characters. */
const MAX_URL = 2048

const SECRET_ENDING = new RegExp(`(?:${NAME_ENDINGS}|^key)$`, 'i')

/** The validated slug, name and auth of a request, normalized. Throws invalid_request. */
export function checkRequest({ slug, name: text, auth }: RegisterRemoteRequest): {
  slug: string
  name: string
  auth: RemoteAuthRequest
} {
  if (!isSlug(slug)) throw invalid(`The slug ${SLUG_RULE}.`)
  return { slug, name: checkName(text), auth: checkAuth(auth) }
}

/** The sanitized display name. Throws invalid_request. */
export function checkName(text: string): string {
  const name = sanitizeLine(text, MAX_NAME)
  if (!/[\p{L}\p{N}]/u.test(name)) throw invalid('The name must be one line that contains a letter or a digit.')
  return name
}

/** The validated auth of a request, normalized. Throws invalid_request. */
export function checkAuth(auth: RemoteAuthRequest): RemoteAuthRequest {
  switch (auth.mode) {
    case 'none':
      return auth
    case 'bearer':
      return { ...auth, ...checkHeaders(auth), token: checkProvidedCredential('bearer', auth.token) }
    case 'header': {
      const name = toHeaderName(auth.name)
      return { ...auth, ...checkHeaders(auth, name), name, value: checkProvidedCredential('header', auth.value) }
    }
    case 'oauth': {
      if (auth.client_secret !== undefined && auth.client_id === undefined)
        throw invalid('A client_secret requires the client_id that it was issued for. Send both, or neither.')
      checkScopes(auth)
      return { ...auth, ...checkHeaders(auth) }
    }
    case 'assertion':
      return { ...auth, ...checkHeaders(auth) }
    case 'client_credentials':
      if ((auth.client_secret === undefined) === (auth.private_key === undefined))
        throw invalid('Send either the client_secret or the private_key of the client.')
      checkScopes(auth)
      return { ...auth, ...checkHeaders(auth) }
  }
}

function checkScopes({ scopes }: Pick<OauthRequest, 'scopes'>): void {
  if (scopes?.every(isScope) === false)
    throw invalid('A scope must be printable ASCII without spaces, quotes and backslashes.')
}

/** The fixed headers of an `auth`, normalized. `credential` is the header that carries the credential. */
function checkHeaders({ headers }: Pick<OauthRequest, 'headers'>, credential = 'authorization') {
  if (headers === undefined) return {}
  const taken = new Set([credential])
  return {
    headers: headers.map(({ name: text, value: provided }) => {
      const [name, value] = [toHeaderName(text), provided.trim()]
      if (taken.has(name)) throw invalid(`The header ${name} is named twice. Name each header once.`)
      taken.add(name)
      if (!HEADER_VALUE.test(value)) throw invalidHeaderValue()
      return { name, value }
    }),
  }
}

function toHeaderName(text: string): string {
  const name = text.toLowerCase()
  if (!isHeaderName(name)) throw invalid('A header name must consist of letters, digits and dashes.')
  if (OWN_HEADERS.has(name) || OWN_PREFIXES.test(name))
    throw invalid(`The header ${name} is set by the gateway and cannot carry a credential. Use another header.`)
  return name
}

/**
 * The trimmed credential for an upstream of mode `bearer` or `header`. Throws invalid_request if it is not a valid header
 * value, or if its length prevents its redaction.
 */
export function checkProvidedCredential(mode: 'bearer' | 'header', provided: string): string {
  const secret = provided.trim()
  if (mode === 'bearer' && !BEARER_TOKEN.test(secret))
    throw invalid('A token must be printable ASCII without spaces. Send only the token, without the word Bearer.')
  if (!HEADER_VALUE.test(secret)) throw invalidHeaderValue()
  if (secret.length < MIN_CREDENTIAL || secret.length > MAX_CREDENTIAL)
    throw invalid(
      `A token or header value must have ${MIN_CREDENTIAL} to ${MAX_CREDENTIAL} characters. A shorter one cannot be ` +
        "redacted from the server's answers without hiding ordinary words.",
    )
  return secret
}

function invalidHeaderValue(): GatewayError {
  return invalid('A header value must be one line of printable ASCII, with single spaces between words.')
}

function invalid(message: string): GatewayError {
  return new GatewayError('invalid_request', message)
}

/** The canonical form of an upstream's URL. Throws invalid_upstream_url. */
export type ToUpstreamUrl = (text: string) => Promise<string>

export function createToUpstreamUrl({ egress }: { egress: Pick<Egress, 'validateDestination'> }): ToUpstreamUrl {
  return async function toUpstreamUrl(text) {
    // Reject what needs no DNS lookup first.
    const url = URL.parse(text)
    if (url !== null) requireRegistrable(url)
    try {
      return (await egress.validateDestination(text)).href
    } catch (error) {
      throw error instanceof EgressError ? invalidUrl(error.message) : error
    }
  }
}

function requireRegistrable({ href, searchParams }: URL): void {
  if (href.includes('#')) throw invalidUrl('It has a fragment (#…), which HTTP never sends. Remove the fragment.')
  if (href.length > MAX_URL) throw invalidUrl(`It is longer than ${MAX_URL} characters.`)
  for (const name of searchParams.keys())
    if (isSecretName(name) || SECRET_ENDING.test(name))
      throw invalidUrl(
        'Judging by a parameter name, its query contains a secret, and every member sees the URL. Use mode bearer or header.',
      )
}

function invalidUrl(why: string): GatewayError {
  return new GatewayError('invalid_upstream_url', `This URL cannot be registered. ${why}`)
}
