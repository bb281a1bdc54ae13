import { GatewayError } from '../../../lib/errors/errors.ts'
import { randomSecret } from '../../../lib/random-secret.ts'
import { remoteCapability } from '../../../schemas/remotes/names.ts'
import type { RemoteOauth } from '../../../schemas/remotes/oauth-client.ts'
import { withConnectErrors } from '../../connectors/connect/connect-errors.ts'
import type { Member } from '../../connectors/connect/connect-request.ts'
import { authorizationUrl, readCallback } from '../../connectors/connect/oauth-redirect.ts'
import type {
  PendingAuthorizations,
  PendingRemoteAuthorization,
} from '../../connectors/connect/pending-authorizations.ts'
import type { IssuedCredential } from '../../credentials/credential.ts'
import type { OauthClients } from '../../credentials/oauth-clients.ts'
import { importClientKey } from '../../credentials/token-answer.ts'
import type { TokenEndpoint } from '../../credentials/token-endpoint.ts'
import { clientConnectorOf, signInConnectorOf } from '../grant-connector.ts'
import type { Registration } from '../registration.ts'
import type { StartedAuthorization } from '../remote-connectors.ts'

/** The response of an upstream's authorization server, from the browser's redirect. */
interface RemoteAnswer {
  readonly member: Member
  /** The URL of the callback, or its parameters. */
  readonly callback: string | URLSearchParams
  /** The current registration of a slug. */
  registrationOf(slug: string): Promise<Registration | undefined>
}

/** Authorizations of upstreams: PKCE with S256, single use, bound to one member, valid for ten minutes. */
export interface RemoteAuthorizations {
  /** Throws invalid_request unless the registration's mode is `oauth`. */
  begin(request: { registration: Registration; member: Member; redirectUri: string }): Promise<StartedAuthorization>
  /** Throws connect_failed; the authorization must then start again. */
  finish(answer: RemoteAnswer): Promise<{ registration: Registration; issued: IssuedCredential }>
}

interface RemoteAuthorizationsOptions {
  pendingAuthorizations: PendingAuthorizations
  tokenEndpoint: Pick<TokenEndpoint, 'exchangeCode'>
  clients: Pick<OauthClients, 'ofGrant'>
}

export function createRemoteAuthorizations(options: RemoteAuthorizationsOptions): RemoteAuthorizations {
  const { pendingAuthorizations, tokenEndpoint, clients } = options

  /** The registration and the client of a pending authorization. Throws connect_failed if either has changed. */
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
        `The registration of ${slug} was changed or removed after this authorization started. Start again.`,
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
        throw new GatewayError('invalid_request', `${name} does not use OAuth: its auth mode is ${auth.mode}.`)
      const { issuer, clientId } = auth.oauth
      const [state, verifier] = [randomSecret(), randomSecret()]
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
      const issued = await withConnectErrors(connector, () =>
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
    `The OAuth client of ${slug} changed after this authorization started. Start again.`,
  )
}

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
