import { GatewayError } from '../../../lib/errors/errors.ts'
import type { RemoteOauth } from '../../../schemas/oauth-client.ts'
import { withConnectErrors } from '../../connectors/connect/connect-errors.ts'
import { importClientKey } from '../../credentials/client-key.ts'
import type { IssuedCredential } from '../../credentials/credential.ts'
import type { TokenEndpoint } from '../../credentials/token-endpoint.ts'
import { clientConnectorOf } from '../grant-connector.ts'

/** A client of mode `client_credentials`, with its secret or private key. */
interface TokenClient {
  readonly slug: string
  readonly name: string
  readonly oauth: RemoteOauth
  readonly secret: string
}

/** Requests a token for the client itself. Throws connect_failed, and invalid_request for an unusable private key. */
export type ClientToken = (client: TokenClient) => Promise<IssuedCredential>

export function createClientToken({ tokenEndpoint }: { tokenEndpoint: Pick<TokenEndpoint, 'refresh'> }): ClientToken {
  return async function clientToken({ slug, name, oauth, secret }) {
    if (oauth.clientAuth === 'private_key_jwt') await requireUsableKey(secret)
    const connector = clientConnectorOf({ slug, name }, oauth)
    return withConnectErrors(connector, () =>
      tokenEndpoint.refresh(connector, { id: oauth.clientId, secret, source: 'org' }, ''),
    )
  }
}

async function requireUsableKey(text: string): Promise<void> {
  try {
    await importClientKey(text)
  } catch (cause) {
    throw new GatewayError(
      'invalid_request',
      'The private_key must be a private RSA, EC (P-256, P-384, P-521) or Ed25519 key: PKCS #8 in PEM, or a JWK.',
      { cause },
    )
  }
}
