import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import type { Egress, EgressRequest } from '../../../lib/egress/egress.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { createOauth1Signer, type Oauth1Signer } from '../../../lib/http/oauth1.ts'
import type { JobContext, Jobs } from '../../../lib/jobs/jobs.ts'
import { type Place, VaultError } from '../../../lib/vault/vault.ts'
import { slugOf } from '../../../schemas/remotes/names.ts'
import type { RemoteOauth } from '../../../schemas/remotes/oauth-client.ts'
import type { AccountSettings } from '../../accounts/account.ts'
import type { RemovedAccount } from '../../accounts/account-writes.ts'
import { type Credential, credentialPlace } from '../../credentials/credential.ts'
import type { OauthClient, OauthClients } from '../../credentials/oauth-clients.ts'
import { basicAuthorization } from '../../credentials/token-answer.ts'
import type { ConnectorDefinition, Revocation } from '../../definitions/connector-types.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import { buildProviderRequest } from '../engine/provider-caller.ts'
import { authorize } from '../engine/request/authorize.ts'
import type { PreparedRequest } from '../engine/request/build-request.ts'

/** The kind of the revocation jobs. */
const REVOKE = 'account.revoke'

const MAX_TRIES = 5
/** The maximum time that a removed account's secret is kept for its revocation. */
const KEPT_MS = 24 * 60 * 60_000

/** The payload of a job: the grant, sealed for the jobs table, and where to revoke it. */
interface Payload {
  v: 1
  orgId: string
  /** The ID of the account. */
  id: string
  connector: string
  settings: AccountSettings
  clientId: string | null
  sealed: string
  keyId: string
  /** The end of the retries, in milliseconds since the epoch. */
  until: number
  /** For the grant of a remote connector, which has no definition. */
  remote?: RemoteRevocation
}

interface RevocationOptions extends Pick<Infrastructure, 'vault' | 'clock' | 'log'> {
  jobs: Pick<Jobs, 'define' | 'enqueue'>
  egress: Pick<Egress, 'request'>
  clients: Pick<OauthClients, 'ofGrant'>
  /** Returns a connector of the catalog, offered or not. */
  connectorOf(id: string): ConnectorDefinition | undefined
}

/** Revokes the grants of removed accounts at their providers, after the removal and best effort. */
interface GrantRevocation {
  /**
   * Enqueues a revocation in the transaction that removes the account. Does nothing if the connector has no revocation.
   */
  enqueue(org: OrgDatabase, removed: RemovedAccount): Promise<void>
}

/** Creates the queue of revocations and defines their job. */
export function createRevocation(options: RevocationOptions): GrantRevocation {
  const { jobs, vault, clients, egress, connectorOf, clock, log } = options
  const sign = createOauth1Signer({ clock })

  /** Throws errors that another try may fix. */
  async function revoke(payload: unknown, { attempt }: JobContext): Promise<void> {
    const { orgId, id, connector: connectorId, settings, clientId, sealed, until, remote } = payload as Payload
    const logFields = { account: id, connector: connectorId, attempt }
    const connector = connectorOf(connectorId)
    if ((connector === undefined && remote === undefined) || clock.now() >= until)
      return log.warn(logFields, 'a removed grant was not revoked: its connector is gone, or its day has passed')
    let credential: Credential
    try {
      credential = JSON.parse(vault.open(jobPlace({ orgId, id, connector: connectorId }), sealed))
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      return log.warn({ ...logFields, err: error }, 'a removed grant was not revoked: its credential cannot be opened')
    }
    try {
      const client = await clients.ofGrant(orgId, connectorId, clientId)
      for (const part of revocationsOf(credential)) {
        const request =
          remote !== undefined
            ? remoteRevocationRequest(remote, part, { client, clientId })
            : connector && requestOf({ connector, credential: part, settings, client, sign }, logFields)
        if (request !== undefined) await send(connectorId, request)
      }
    } catch (error) {
      if (attempt < MAX_TRIES) throw error
      log.warn({ ...logFields, err: error }, 'a removed grant was not revoked: its provider is unavailable')
    }
  }

  /** Returns undefined if the request cannot be built, because another try would not help. */
  function requestOf(options: RevocationRequestOptions, facts: object): EgressRequest | undefined {
    try {
      return revocationRequest(options)
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      log.warn({ ...facts, err: error }, 'a removed grant was not revoked: its request cannot be built')
      return undefined
    }
  }

  async function send(connector: string, request: EgressRequest): Promise<void> {
    const { status } = await egress.request(request)
    if (status >= 500 || status === 429 || status === 408)
      throw new Error(`The revocation endpoint of ${connector} answered ${status}`)
    // Other errors usually mean that the grant has already ended.
    if (status >= 300) log.info({ connector, status }, 'a provider rejected the revocation of a removed grant')
  }

  jobs.define(REVOKE, revoke)

  return {
    async enqueue(org, { accountId: id, connector: connectorId, settings, clientId, sealed: stored }) {
      const { orgId } = org
      const auth = connectorOf(connectorId)?.auth
      const remote = await remoteRevocationOf(org, connectorId)
      const revocable = auth !== undefined && auth.type !== 'api_key' && auth.revocation !== undefined
      if (!revocable && remote === undefined) return
      let secret: string
      try {
        secret = vault.open(credentialPlace({ account: { id, orgId }, connector: { id: connectorId } }), stored)
      } catch (error) {
        // A lost credential must not prevent the removal of its account.
        return log.warn(
          { err: error, account: id, connector: connectorId },
          'a removed grant will not be revoked: its credential cannot be opened',
        )
      }
      const { sealed, keyId } = vault.seal(jobPlace({ orgId, id, connector: connectorId }), secret)
      const until = clock.now() + KEPT_MS
      const job = { v: 1 as const, orgId, id, connector: connectorId, settings, clientId, sealed, keyId, until }
      const payload: Payload = { ...job, ...(remote !== undefined && { remote }) }
      await jobs.enqueue(org.db, { kind: REVOKE, payload })
    },
  }
}

function jobPlace({ orgId, id, connector }: Pick<Payload, 'orgId' | 'id' | 'connector'>): Place {
  return { table: 'jobs', column: 'payload', orgId, id, of: connector }
}

/** A grant to revoke, and the means to do it. */
interface RevocationRequestOptions {
  connector: ConnectorDefinition
  credential: Credential
  /** The settings of the removed account. */
  settings: AccountSettings
  client: OauthClient | undefined
  sign: Oauth1Signer
}

/** Splits a credential into its grants. Each is revoked separately. */
function revocationsOf(credential: Credential): Credential[] {
  if (credential.kind !== 'oauth2') return [credential]
  const { user, ...own } = credential
  return user === undefined ? [own] : [own, { v: 1, kind: 'oauth2', ...user }]
}

/**
 * Returns the request that revokes a grant; undefined if the provider has no revocation, or if the OAuth app that must
 * send it is gone. Throws what `buildProviderRequest` throws.
 */
export function revocationRequest(options: RevocationRequestOptions): EgressRequest | undefined {
  const { connector, credential, settings, client } = options
  const { auth } = connector
  if (auth.type === 'api_key' || auth.revocation === undefined || credential.kind === 'api_key') return undefined
  const { as, form } = auth.revocation
  if (client === undefined && (as !== 'token' || credential.kind === 'oauth1a')) return undefined
  const [access_token, refresh_token] =
    credential.kind === 'oauth2' ? [credential.accessToken, credential.refreshToken] : [credential.token]
  const placeholders = { access_token, refresh_token, client_id: client?.id, client_secret: client?.secret }
  const proof =
    as === 'client-post' ? { form: { ...form, client_id: '{client_id}', client_secret: '{client_secret}' } } : {}
  const request = buildProviderRequest(connector, { ...auth.revocation, ...proof }, { settings, placeholders })
  const headers = revocationHeaders(options, as, request)
  const { method, url, headers: plain, body } = request
  return {
    method,
    url,
    headers: plain,
    ...(body !== undefined && { body }),
    credential: { origin: url.origin, headers },
    deadlineMs: 15_000,
    maxBytes: 1024 * 1024,
  }
}

function revocationHeaders(
  { connector, credential, client, sign }: RevocationRequestOptions,
  as: Revocation['as'],
  request: PreparedRequest,
): Record<string, string> {
  if (as === 'client-post') return {}
  if (as === 'token' || client === undefined) return authorize({ connector, credential, client, request, sign })
  return { authorization: basicAuthorization(client.id, client.secret) }
}

/** Where a grant at a registered server is revoked (RFC 7009), stored with the job, because the registration may go. */
interface RemoteRevocation {
  readonly endpoint: string
  readonly clientAuth: RemoteOauth['clientAuth']
}

/** Returns where the grants of a remote connector are revoked; undefined for other connectors and without an endpoint. */
async function remoteRevocationOf(org: OrgDatabase, connector: string): Promise<RemoteRevocation | undefined> {
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
function remoteRevocationRequest(
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
