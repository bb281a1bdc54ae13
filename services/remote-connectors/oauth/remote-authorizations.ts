import { GatewayError } from '../../../lib/errors/errors.ts'
import { remoteCapability } from '../../../schemas/remote-names.ts'
import { connectFailed } from '../../connectors/connect/connect-errors.ts'
import type { Member } from '../../connectors/connect/connect-request.ts'
import { authorizationUrl, randomToken, readCallback } from '../../connectors/connect/oauth-redirect.ts'
import type {
  PendingAuthorizations,
  PendingRemoteAuthorization,
} from '../../connectors/connect/pending-authorizations.ts'
import type { IssuedCredential } from '../../credentials/credential.ts'
import type { OauthClients } from '../../credentials/oauth-clients.ts'
import type { TokenEndpoint } from '../../credentials/token-endpoint.ts'
import { signInConnectorOf } from '../grant-connector.ts'
import type { Registration } from '../registration.ts'
import type { StartedAuthorization } from '../remote-connectors.ts'

/** An answer of an upstream's authorization server, as it came back with the person. */
interface RemoteAnswer {
  readonly member: Member
  /** The callback's URL, or its parameters. */
  readonly callback: string | URLSearchParams
  /** The registration of a slug, as it is now. */
  registrationOf(slug: string): Promise<Registration | undefined>
}

/** Authorizations of upstreams: PKCE with S256, single use, each its member's alone, ten minutes long. */
export interface RemoteAuthorizations {
  /** Throws invalid_request for a registration that is not of mode `oauth`. */
  begin(request: { registration: Registration; member: Member; redirectUri: string }): Promise<StartedAuthorization>
  /** Throws connect_failed, after which the authorization has to be begun again. */
  finish(answer: RemoteAnswer): Promise<{ registration: Registration; issued: IssuedCredential }>
}

export interface RemoteAuthorizationsOptions {
  pendingAuthorizations: PendingAuthorizations
  tokenEndpoint: Pick<TokenEndpoint, 'exchangeCode'>
  clients: Pick<OauthClients, 'ofGrant'>
}

export function createRemoteAuthorizations(options: RemoteAuthorizationsOptions): RemoteAuthorizations {
  const { pendingAuthorizations, tokenEndpoint, clients } = options

  /** What an authorization was begun for, where nothing of it has changed since. */
  async function unchanged(pending: PendingRemoteAuthorization, registrationOf: RemoteAnswer['registrationOf']) {
    const { connector, slug, remoteId, issuer, clientId } = pending
    const registration = await registrationOf(slug)
    if (
      registration?.id !== remoteId ||
      registration.auth.mode !== 'oauth' ||
      registration.auth.oauth.issuer !== issuer
    )
      throw new GatewayError(
        'connect_failed',
        `The registration of ${slug} has gone or changed since this authorization was begun. Begin again.`,
      )
    const { oauth } = registration.auth
    if (oauth.clientId !== clientId) throw changedClient(registration)
    const client = await clients.ofGrant(registration.orgId, connector, clientId)
    if (client === undefined) throw changedClient(registration)
    return { registration, oauth, client }
  }

  return {
    async begin({ registration, member, redirectUri }) {
      const { id: remoteId, slug, name, auth } = registration
      if (auth.mode !== 'oauth')
        throw new GatewayError('invalid_request', `${name} is not authorized by signing in: it has no auth mode oauth.`)
      const { issuer, clientId } = auth.oauth
      const [state, verifier] = [randomToken(), randomToken()]
      const url = authorizationUrl(signInConnectorOf(registration, auth.oauth).auth, {
        clientId,
        redirectUri,
        state,
        verifier,
      })
      const connector = remoteCapability(slug)
      const began = {
        v: 1,
        kind: 'remote',
        connector,
        slug,
        remoteId,
        issuer,
        clientId,
        redirectUri,
        verifier,
      } as const
      await pendingAuthorizations.begin(member, state, began)
      return { authorizationUrl: url.href, state }
    },

    async finish({ member, callback, registrationOf }) {
      const { handle, parameters } = readCallback(callback)
      const pending = await pendingAuthorizations.take(member, handle, 'remote')
      const { registration, oauth, client } = await unchanged(pending, registrationOf)
      const connector = signInConnectorOf(registration, oauth)
      const issued = await connectFailed(connector, () =>
        tokenEndpoint.exchangeCode(connector, client, {
          callbackParameters: parameters,
          expectedState: handle,
          codeVerifier: pending.verifier,
          redirectUri: pending.redirectUri,
        }),
      )
      return { registration, issued }
    },
  }
}

function changedClient({ slug }: Registration): GatewayError {
  return new GatewayError(
    'connect_failed',
    `The OAuth client of ${slug} is another one than this authorization was begun with. Begin again.`,
  )
}
