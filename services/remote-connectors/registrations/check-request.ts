import { GatewayError } from '../../../lib/errors/errors.ts'
import { sanitizeLine } from '../../../lib/sanitize-text.ts'
import { type RegisterRemoteRequest, type RemoteAuthRequest, SLUG_RULE } from '../../../schemas/remote.ts'
import { isSlug } from '../../../schemas/remote-names.ts'
import { isHeaderName } from '../../mcp/headers.ts'
import { isScope } from '../oauth/scopes.ts'
import { checkProvidedCredential } from './provided-credential.ts'

/** Characters of a display name at most. */
const MAX_NAME = 80

/** What says how a request is sent, who sends it or what is in it: the gateway's alone. */
const OWN_HEADERS = new Set([
  ...['host', 'connection', 'transfer-encoding', 'keep-alive', 'upgrade', 'expect', 'te', 'trailer', 'via', 'date'],
  ...[
    'cookie',
    'set-cookie',
    'origin',
    'referer',
    'range',
    'user-agent',
    'last-event-id',
    'forwarded',
    'cache-control',
  ],
  ...['traceparent', 'tracestate', 'baggage', 'pragma', 'authority', 'http2-settings'],
])
const OWN_PREFIXES = /^(mcp|content|accept|proxy|sec|if|x-forwarded|access-control)(-|$)/

/** What a registration says of itself, in the form in which it is kept. Throws invalid_request with what is wrong. */
export function checkRequest({ slug, name: text, auth }: RegisterRemoteRequest): {
  slug: string
  name: string
  auth: RemoteAuthRequest
} {
  if (!isSlug(slug)) throw invalid(`The slug ${SLUG_RULE}.`)
  const name = sanitizeLine(text, MAX_NAME)
  if (!/[\p{L}\p{N}]/u.test(name)) throw invalid('The name is one line with letters or digits in it.')
  return { slug, name, auth: checkAuth(auth) }
}

function checkAuth(auth: RemoteAuthRequest): RemoteAuthRequest {
  switch (auth.mode) {
    case 'none':
      return auth
    case 'bearer':
      return { mode: 'bearer', token: checkProvidedCredential('bearer', auth.token) }
    case 'header':
      return { mode: 'header', name: toHeaderName(auth.name), value: checkProvidedCredential('header', auth.value) }
    case 'oauth': {
      if (auth.client_secret !== undefined && auth.client_id === undefined)
        throw invalid('A client_secret goes with the client_id that it was issued with. Give both, or neither.')
      const wrong = auth.scopes?.find(scope => !isScope(scope))
      if (wrong !== undefined) throw invalid('A scope is printable ASCII without spaces, quotes and backslashes.')
      return auth
    }
  }
}

function toHeaderName(text: string): string {
  const name = text.toLowerCase()
  if (!isHeaderName(name)) throw invalid('The name of a header has letters, digits and dashes, and no spaces.')
  if (OWN_HEADERS.has(name) || OWN_PREFIXES.test(name))
    throw invalid(`The header ${name} is not for a credential: the gateway sets it by itself. Name another one.`)
  return name
}

function invalid(message: string): GatewayError {
  return new GatewayError('invalid_request', message)
}
