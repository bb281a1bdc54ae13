import { createHash } from 'node:crypto'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { Clock } from '../../../schemas/time.ts'
import type { Account } from '../../accounts/account.ts'
import type { Credential } from '../../credentials/credential.ts'
import type { OauthClients } from '../../credentials/oauth-clients.ts'
import { apiKeyMethodOf, type ConnectorDefinition } from '../../definitions/define-connector.ts'
import type { CheckRequest } from './check-request.ts'
import { isOauth1, isOauth2, requireClient, wrongConnectMethod } from './connect-errors.ts'
import type { ConnectRequest } from './connect-request.ts'
import { type IdentifiedAccount, type IdentifyAccount, labelOf } from './identify-account.ts'
import type { StoreConnection } from './store-connection.ts'

/** A credential that was made elsewhere, as it is handed in. */
export type ProvidedCredential =
  | { kind: 'oauth2'; accessToken: string; refreshToken?: string; expiresInSeconds?: number }
  | { kind: 'oauth1a'; token: string; tokenSecret: string }
  | { kind: 'api_key'; key: string }

/** A credential to make an account of. */
export interface AddRequest extends ConnectRequest {
  credential: ProvidedCredential
  /** What the account is called, in place of what the provider says. */
  identity?: string
  /** False: the provider is not asked, and `identity` stands alone; of a key its fingerprint does. */
  probe?: boolean
}

/** The doors for what a person brings along. */
export interface CredentialConnectMethods {
  /** Connects with a pasted key: asked about at the provider where it can be, else stored unverified by its fingerprint. */
  connectWithKey(request: ConnectRequest & { key: string }): Promise<Account>
  /** Connects with tokens or a key that the operator hands in. */
  add(request: AddRequest): Promise<Account>
}

export interface CredentialConnectMethodsOptions {
  clock: Clock
  clients: Pick<OauthClients, 'of'>
  checkRequest: CheckRequest
  identifyAccount: IdentifyAccount
  storeConnection: StoreConnection
}

/** A header takes no more, and nothing else. */
const SECRET = /^[\x20-\x7e]{1,8192}$/

export function createCredentialConnectMethods({
  clock,
  clients,
  checkRequest,
  identifyAccount,
  storeConnection,
}: CredentialConnectMethodsOptions): CredentialConnectMethods {
  async function add(request: AddRequest): Promise<Account> {
    const { caller, by = caller, probe = true } = request
    const identity = request.identity === undefined ? undefined : requireLabel(request.identity)
    const { connector, target } = await checkRequest(request)
    const credential = toCredential(connector, request, clock.now())
    const found = credential.kind === 'api_key' ? undefined : await clients.of(caller.orgId, connector.id)
    // Each of its requests is signed with the app's secret.
    const client = credential.kind === 'oauth1a' ? requireClient(connector, found, request) : found
    const app = client === undefined ? null : { id: client.id, source: client.source }
    const issued = { credential, grantedScopes: null, client: app }
    const probed = probe && (credential.kind !== 'api_key' || apiKeyMethodOf(connector)?.probe === true)
    const account = probed
      ? await identifyAccount({ connector, issued, settings: target.settings, client })
      : unverifiedAccount(credential, target.settings, identity)
    const keyVerified = credential.kind === 'api_key' ? probed : null
    const named = { ...account.identity, ...(identity !== undefined && { label: identity }) }
    return storeConnection({ member: caller, by, connector, target, issued, ...account, identity: named, keyVerified })
  }

  return {
    connectWithKey: ({ key, ...request }) => add({ ...request, credential: { kind: 'api_key', key } }),
    add,
  }
}

/** What was handed in as what is stored; throws invalid_request for what the connector does not take. */
function toCredential(connector: ConnectorDefinition, request: AddRequest, now: number): Credential {
  const { credential: provided } = request
  switch (provided.kind) {
    case 'oauth2': {
      if (!isOauth2(connector)) throw wrongConnectMethod(connector, 'an access token', request)
      const { accessToken, refreshToken, expiresInSeconds } = provided
      return {
        v: 1,
        kind: 'oauth2',
        accessToken: toSecret(accessToken),
        ...(refreshToken !== undefined && { refreshToken: toSecret(refreshToken) }),
        ...(expiresInSeconds !== undefined && { expiresAt: now + expiresInSeconds * 1000 }),
      }
    }
    case 'oauth1a':
      if (!isOauth1(connector)) throw wrongConnectMethod(connector, 'a token with a secret', request)
      return { v: 1, kind: 'oauth1a', token: toSecret(provided.token), tokenSecret: toSecret(provided.tokenSecret) }
    case 'api_key':
      if (apiKeyMethodOf(connector) === undefined) throw wrongConnectMethod(connector, 'a key', request)
      return { v: 1, kind: 'api_key', key: toSecret(provided.key) }
  }
}

function toSecret(pasted: string): string {
  const secret = pasted.trim()
  if (!SECRET.test(secret))
    throw new GatewayError(
      'invalid_request',
      'A key or token is one line of printable ASCII. Paste it again, whole and alone.',
    )
  return secret
}

function requireLabel(text: string): string {
  const label = labelOf(text)
  if (label === undefined)
    throw new GatewayError('invalid_request', 'The identity of an account is one line with letters or digits in it.')
  return label
}

function unverifiedAccount(
  credential: Credential,
  settings: IdentifiedAccount['settings'],
  identity: string | undefined,
): IdentifiedAccount {
  if (credential.kind === 'api_key') {
    const fingerprint = fingerprintOf(credential.key)
    return { settings, identity: { label: fingerprint, key: fingerprint } }
  }
  if (identity === undefined)
    throw new GatewayError('invalid_request', 'Where the provider is not asked who this is, say it: --identity.')
  return { settings, identity: { label: identity, key: identity } }
}

/** Keys that are shorter show none of themselves. */
const SHOWS_ITS_END = 16

/** How a key is named that no provider was asked about: told apart from others by it, and never recovered. */
export function fingerprintOf(key: string): string {
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 8)
  return key.length < SHOWS_ITS_END ? `key (fp ${hash})` : `key …${key.slice(-4)} (fp ${hash})`
}
