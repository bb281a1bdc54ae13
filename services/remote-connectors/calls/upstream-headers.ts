import { authorize } from '../../connectors/engine/request/authorize.ts'
import type { Credential } from '../../credentials/credential.ts'
import type { GrantConnector } from '../../definitions/define-connector.ts'

/** What a credential of a header does not depend on: only signed requests have one of their own. */
const ANY_REQUEST = { method: 'POST', url: new URL('https://upstream.invalid/') }

/** The headers that a registration's credential is sent in, whatever the request. */
export function upstreamHeaders(connector: GrantConnector, credential: Credential): Record<string, string> {
  return authorize({ connector, credential, request: ANY_REQUEST, sign: neverSigned })
}

function neverSigned(): never {
  throw new TypeError('No upstream is authenticated to with OAuth 1.0a')
}
