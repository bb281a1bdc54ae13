import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import type { EgressRequest } from '../../../lib/egress/egress.ts'
import type { RemoteOauth } from '../../../schemas/oauth-client.ts'
import { slugOf } from '../../../schemas/remote-names.ts'
import type { Credential } from '../../credentials/credential.ts'
import type { OauthClient } from '../../credentials/oauth-clients.ts'
import { basicAuthorization } from '../../credentials/token-answer.ts'

/** Where a grant at a registered server is revoked (RFC 7009), stored with the job, because the registration may go. */
export interface RemoteRevocation {
  readonly endpoint: string
  readonly clientAuth: RemoteOauth['clientAuth']
}

/** Returns where the grants of a remote connector are revoked; undefined for other connectors and without an endpoint. */
export async function remoteRevocationOf(org: OrgDatabase, connector: string): Promise<RemoteRevocation | undefined> {
  const slug = slugOf(connector)
  if (slug === undefined) return undefined
  const row = await org.selectFrom('remote_connectors').where('slug', '=', slug).select('oauth').executeTakeFirst()
  const { revocationEndpoint: endpoint, clientAuth = 'none' } = row?.oauth ?? {}
  return endpoint === undefined ? undefined : { endpoint, clientAuth }
}

/**
 * Returns the request that revokes a grant: its refresh token, which ends the access tokens too, or else its access token.
 * Undefined for other credentials, and if the client that must send it is gone.
 */
export function remoteRevocationRequest(
  { endpoint, clientAuth }: RemoteRevocation,
  credential: Credential,
  { client, clientId }: { client: OauthClient | undefined; clientId: string | null },
): EgressRequest | undefined {
  if (credential.kind !== 'oauth2' || clientId === null || clientAuth === 'private_key_jwt') return undefined
  if (clientAuth !== 'none' && client === undefined) return undefined
  const { accessToken, refreshToken } = credential
  const form = new URLSearchParams({
    token: refreshToken ?? accessToken,
    token_type_hint: refreshToken === undefined ? 'access_token' : 'refresh_token',
    ...(clientAuth !== 'basic' && { client_id: clientId }),
    ...(clientAuth === 'post' && client !== undefined && { client_secret: client.secret }),
  })
  return {
    method: 'POST',
    url: endpoint,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
    ...(clientAuth === 'basic' &&
      client !== undefined && {
        credential: {
          origin: new URL(endpoint).origin,
          headers: { authorization: basicAuthorization(client.id, client.secret) },
        },
      }),
    deadlineMs: 15_000,
    maxBytes: 1024 * 1024,
  }
}
