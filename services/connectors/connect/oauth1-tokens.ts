import { GatewayError } from '../../../lib/errors/errors.ts'
import { createOauth1Signer, type Oauth1Pair, type Oauth1Request } from '../../../lib/http/oauth1.ts'
import type { OauthClient } from '../../credentials/oauth-clients.ts'
import type { ConnectorDefinition } from '../../definitions/connector-types.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import type { Oauth1Connector } from './connect-errors.ts'

const DEADLINE_MS = 12_000
const MAX_BYTES = 64 * 1024

/** The two requests of RFC 5849, section 2. Both throw connect_failed and EgressErrors. */
export interface Oauth1Tokens {
  /** Requests temporary credentials, and returns the URL where the person authorizes them. */
  requestToken(
    connector: Oauth1Connector,
    client: OauthClient,
    redirectUri: string,
  ): Promise<{ requestToken: Oauth1Pair; url: URL }>
  /** Exchanges authorized temporary credentials for the token. */
  accessToken(
    connector: Oauth1Connector,
    client: OauthClient,
    agreed: { requestToken: Oauth1Pair; verifier: string },
  ): Promise<Oauth1Pair>
}

export function createOauth1Tokens({ egress, clock }: Pick<Infrastructure, 'egress' | 'clock'>): Oauth1Tokens {
  const sign = createOauth1Signer({ clock })

  async function ask(
    connector: ConnectorDefinition,
    client: OauthClient,
    { url, ...request }: { url: string } & Pick<Oauth1Request, 'token' | 'extra'>,
  ): Promise<{ pair: Oauth1Pair; form: URLSearchParams }> {
    const consumer = { key: client.id, secret: client.secret }
    const authorization = sign({ method: 'POST', url, consumer, ...request })
    const { status, body } = await egress.request({
      method: 'POST',
      url,
      credential: { origin: new URL(url).origin, headers: { authorization } },
      deadlineMs: DEADLINE_MS,
      maxBytes: MAX_BYTES,
    })
    const form = new URLSearchParams(body)
    const [key, secret] = [form.get('oauth_token'), form.get('oauth_token_secret')]
    if (status !== 200 || !key || secret === null) throw refused(connector, status)
    return { pair: { key, secret }, form }
  }

  return {
    async requestToken(connector, client, redirectUri) {
      const { auth } = connector
      const extra = { oauth_callback: redirectUri }
      const { pair, form } = await ask(connector, client, { url: auth.requestTokenUrl, extra })
      // Without this confirmation, the provider uses OAuth 1.0, where one person's authorization can complete another
      // person's connection.
      if (form.get('oauth_callback_confirmed') !== 'true') throw refused(connector, 200)
      const url = new URL(auth.authorizationUrl)
      for (const [name, value] of Object.entries(auth.authorizationParams ?? {})) url.searchParams.set(name, value)
      url.searchParams.set('oauth_token', pair.key)
      return { requestToken: pair, url }
    },

    async accessToken(connector, client, { requestToken, verifier }) {
      const { pair } = await ask(connector, client, {
        url: connector.auth.accessTokenUrl,
        token: requestToken,
        extra: { oauth_verifier: verifier },
      })
      return pair
    },
  }
}

function refused({ name }: ConnectorDefinition, status: number): GatewayError {
  if (status >= 500 || status === 429)
    return new GatewayError('connect_failed', `${name} failed (HTTP ${status}). Retry later.`)
  return new GatewayError(
    'connect_failed',
    `${name} issued no token (HTTP ${status}). Begin again. If it happens again, check the OAuth app's key, secret and redirect URL.`,
  )
}
