import { GatewayError } from '../../../lib/errors/errors.ts'
import type { Account } from '../../accounts/account.ts'
import type { Credential } from '../../credentials/credential.ts'
import type { OauthClients } from '../../credentials/oauth-clients.ts'
import { type ApiKeyMethod, apiKeyMethodOf, type ConnectorDefinition } from '../../definitions/connector-types.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import type { OperatorCommands } from '../../operator/operator-commands.ts'
import type { CheckRequest } from './check-request.ts'
import { isOauth1, isOauth2, requireClient, wrongConnectMethod } from './connect-errors.ts'
import type { ConnectRequest } from './connect-request.ts'
import { type AccountIdentity, type IdentifyAccount, identityOfKey, labelOf } from './identify-account.ts'
import type { StoreConnection } from './store-connection.ts'

/** A credential that was issued elsewhere. */
export type ProvidedCredential =
  | { kind: 'oauth2'; accessToken: string; refreshToken?: string; expiresInSeconds?: number }
  | { kind: 'oauth1a'; token: string; tokenSecret: string }
  | { kind: 'api_key'; key: string }

/** A request to create an account from a provided credential. */
interface AddRequest extends ConnectRequest {
  credential: ProvidedCredential
  /** Replaces the name that the provider reports for the account. */
  identity?: string
  /** If false, the provider is not asked: the identity is `identity`, or the fingerprint of a key. */
  probe?: boolean
}

/** The connect methods for credentials that a person already has. */
export interface CredentialConnectMethods {
  /**
   * Connects with a pasted key. The provider verifies it if it can; otherwise it is stored unverified. Without an
   * identity from the provider, it is labeled by its fingerprint.
   */
  connectWithKey(request: ConnectRequest & { key: string }): Promise<Account>
  /** Connects with tokens or a key that the operator provides. */
  add(request: AddRequest): Promise<Account>
}

interface CredentialConnectMethodsOptions extends Pick<Infrastructure, 'clock' | 'commands'> {
  clients: Pick<OauthClients, 'of'>
  checkRequest: CheckRequest
  identifyAccount: IdentifyAccount
  storeConnection: StoreConnection
}

/** The characters and the length that fit into a header. */
const SECRET = /^[\x20-\x7e]{1,8192}$/

export function createCredentialConnectMethods({
  clock,
  clients,
  checkRequest,
  identifyAccount,
  storeConnection,
  commands,
}: CredentialConnectMethodsOptions): CredentialConnectMethods {
  async function add(request: AddRequest): Promise<Account> {
    const { caller, by = caller, probe = true } = request
    const identity = request.identity === undefined ? undefined : requireLabel(request.identity)
    const { connector, target } = await checkRequest(request)
    const credential = toCredential(commands, connector, request, clock.now())
    const found = credential.kind === 'api_key' ? undefined : await clients.of(caller.orgId, connector.id)
    // OAuth 1.0a signs each request with the app's secret.
    const client = credential.kind === 'oauth1a' ? requireClient(commands, connector, found, request) : found
    const app = client === undefined ? null : { id: client.id, source: client.source }
    const issued = { credential, grantedScopes: null, client: app }
    const probed = probe && (credential.kind !== 'api_key' || apiKeyMethodOf(connector)?.probe !== false)
    const account = probed
      ? await identifyAccount({ connector, issued, settings: target.settings, client })
      : { settings: target.settings, identity: unverifiedIdentity(connector, credential, identity) }
    const keyVerified = credential.kind === 'api_key' ? probed : null
    const named = identity === undefined ? account.identity : { label: identity, key: account.identity.key }
    return storeConnection({ member: caller, by, connector, target, issued, ...account, identity: named, keyVerified })
  }

  return {
    connectWithKey: ({ key, ...request }) => add({ ...request, credential: { kind: 'api_key', key } }),
    add,
  }
}

/**
 * Converts a provided credential to the stored form. Throws invalid_request if the connector does not accept its kind.
 */
function toCredential(
  commands: OperatorCommands,
  connector: ConnectorDefinition,
  request: AddRequest,
  now: number,
): Credential {
  const { credential: provided } = request
  switch (provided.kind) {
    case 'oauth2': {
      if (!isOauth2(connector)) throw wrongConnectMethod(commands, connector, 'an access token', request)
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
      if (!isOauth1(connector)) throw wrongConnectMethod(commands, connector, 'a token with a secret', request)
      return { v: 1, kind: 'oauth1a', token: toSecret(provided.token), tokenSecret: toSecret(provided.tokenSecret) }
    case 'api_key': {
      const method = apiKeyMethodOf(connector)
      if (method === undefined) throw wrongConnectMethod(commands, connector, 'a key', request)
      return { v: 1, kind: 'api_key', key: requireBeginning(connector, method, toSecret(provided.key)) }
    }
  }
}

function toSecret(pasted: string): string {
  const secret = pasted.trim()
  if (!SECRET.test(secret))
    throw new GatewayError(
      'invalid_request',
      'A key or token must be one line of printable ASCII. Paste only the whole key or token.',
    )
  return secret
}

function requireBeginning({ name }: ConnectorDefinition, { begins = '', hint }: ApiKeyMethod, key: string): string {
  if (!key.startsWith(begins))
    throw new GatewayError(
      'invalid_request',
      `This is not a key of ${name}, which begins with ${begins}. Paste the whole key. ${hint}`,
    )
  return key
}

function requireLabel(text: string): string {
  const label = labelOf(text)
  if (label === undefined)
    throw new GatewayError(
      'invalid_request',
      'The identity of an account must be one line that contains letters or digits.',
    )
  return label
}

/** Throws invalid_request for tokens without a given identity, because nothing distinguishes them. */
function unverifiedIdentity(
  connector: ConnectorDefinition,
  credential: Credential,
  identity: string | undefined,
): AccountIdentity {
  if (credential.kind === 'api_key') return identityOfKey(connector, credential.key)
  if (identity === undefined)
    throw new GatewayError(
      'invalid_request',
      'Without a probe, the identity of the account is unknown. Add --identity.',
    )
  return { label: identity, key: identity }
}
