import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import type { Egress, EgressRequest } from '../../../lib/egress/egress.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { createOauth1Signer, type Oauth1Signer } from '../../../lib/http/oauth1.ts'
import type { JobContext, Jobs } from '../../../lib/jobs/jobs.ts'
import { type Place, type Vault, VaultError } from '../../../lib/vault/vault.ts'
import type { Logger } from '../../../schemas/log.ts'
import type { Clock } from '../../../schemas/time.ts'
import type { AccountSettings } from '../../accounts/account.ts'
import type { RemovedAccount } from '../../accounts/account-writes.ts'
import { type Credential, credentialPlace } from '../../credentials/credential.ts'
import type { OauthClient, OauthClients } from '../../credentials/oauth-clients.ts'
import { basicAuthorization } from '../../credentials/token-answer.ts'
import type { ConnectorDefinition } from '../../definitions/define-connector.ts'
import { buildProviderRequest } from '../engine/provider-request.ts'
import { authorize } from '../engine/request/authorize.ts'

/** The kind of its jobs. */
const REVOKE = 'account.revoke'

const MAX_TRIES = 5
/** How long a removed account's secret is kept for its revocation, whatever becomes of that. */
const KEPT_MS = 24 * 60 * 60_000

/** What a job carries: the grant, sealed for the jobs table, and where it is given back. */
interface Payload {
  v: 1
  orgId: string
  /** The account's. */
  id: string
  connector: string
  settings: AccountSettings
  clientId: string | null
  sealed: string
  keyId: string
  /** Milliseconds since the epoch. */
  until: number
}

export interface RevocationOptions {
  jobs: Pick<Jobs, 'define' | 'enqueue'>
  vault: Vault
  egress: Pick<Egress, 'request'>
  clients: Pick<OauthClients, 'ofGrant'>
  /** A connector of the catalogue, offered or not. */
  connectorOf(id: string): ConnectorDefinition | undefined
  clock: Clock
  log: Logger
}

/** Gives the grants of removed accounts back to their providers; best effort, behind the removal. */
export interface GrantRevocation {
  /** In the transaction that removes the account; nothing where the connector's provider takes nothing back. */
  enqueue(org: OrgDatabase, removed: RemovedAccount): Promise<void>
}

/** Defines the job as well. */
export function createRevocation(options: RevocationOptions): GrantRevocation {
  const { jobs, vault, clients, egress, connectorOf, clock, log } = options
  const sign = createOauth1Signer({ clock })

  /** Throws for what another try may mend. */
  async function revoke(payload: unknown, { attempt }: JobContext): Promise<void> {
    const { orgId, id, connector: connectorId, settings, clientId, sealed, until } = payload as Payload
    const logFields = { account: id, connector: connectorId, attempt }
    const connector = connectorOf(connectorId)
    if (connector === undefined || clock.now() >= until)
      return log.warn(logFields, 'a removed grant was not given back: its connector is gone, or its day has passed')
    let credential: Credential
    try {
      credential = JSON.parse(vault.open(jobPlace({ orgId, id, connector: connectorId }), sealed))
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      return log.warn({ ...logFields, err: error }, 'a removed grant was not given back: it does not open')
    }
    try {
      const client = await clients.ofGrant(orgId, connectorId, clientId)
      for (const part of revocationsOf(credential)) {
        const request = requestOf({ connector, credential: part, settings, client, sign }, logFields)
        if (request !== undefined) await send(connector, request)
      }
    } catch (error) {
      if (attempt < MAX_TRIES) throw error
      log.warn({ ...logFields, err: error }, 'a removed grant was not given back: its provider cannot be had')
    }
  }

  /** Undefined also where it cannot be made: another try would mend nothing. */
  function requestOf(options: RevocationRequestOptions, facts: object): EgressRequest | undefined {
    try {
      return revocationRequest(options)
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      log.warn({ ...facts, err: error }, 'a removed grant was not given back: its request cannot be made')
      return undefined
    }
  }

  async function send(connector: ConnectorDefinition, request: EgressRequest): Promise<void> {
    const { status } = await egress.request(request)
    if (status >= 500 || status === 429 || status === 408)
      throw new Error(`The revocation endpoint of ${connector.name} answered ${status}`)
    // Any other refusal is an answer: most often that the grant is dead already.
    if (status >= 300) log.info({ connector: connector.id, status }, 'a provider did not take a removed grant back')
  }

  jobs.define(REVOKE, revoke)

  return {
    async enqueue(org, { accountId: id, connector: connectorId, settings, clientId, sealed: stored }) {
      const { orgId } = org
      const auth = connectorOf(connectorId)?.auth
      if (auth === undefined || auth.type === 'api_key' || auth.revocation === undefined) return
      let secret: string
      try {
        secret = vault.open(credentialPlace({ account: { id, orgId }, connector: { id: connectorId } }), stored)
      } catch (error) {
        // Nobody is kept from removing an account by a credential that is lost anyway.
        return log.warn({ err: error, account: id, connector: connectorId }, 'a removed grant will not be given back')
      }
      const { sealed, keyId } = vault.seal(jobPlace({ orgId, id, connector: connectorId }), secret)
      const until = clock.now() + KEPT_MS
      const payload: Payload = { v: 1, orgId, id, connector: connectorId, settings, clientId, sealed, keyId, until }
      await jobs.enqueue(org.db, { kind: REVOKE, payload })
    },
  }
}

function jobPlace({ orgId, id, connector }: Pick<Payload, 'orgId' | 'id' | 'connector'>): Place {
  return { table: 'jobs', column: 'payload', orgId, id, of: connector }
}

/** What is given back, and by whom. */
export interface RevocationRequestOptions {
  connector: ConnectorDefinition
  credential: Credential
  /** Of the account it was. */
  settings: AccountSettings
  client: OauthClient | undefined
  sign: Oauth1Signer
}

/** The grants of a credential, each to be given back by itself. */
export function revocationsOf(credential: Credential): Credential[] {
  if (credential.kind !== 'oauth2') return [credential]
  const { user, ...own } = credential
  return user === undefined ? [own] : [own, { v: 1, kind: 'oauth2', ...user }]
}

/**
 * The request that gives a grant back; undefined where the provider has none, or the app that must ask is gone. Throws
 * what `buildProviderRequest` throws.
 */
export function revocationRequest(options: RevocationRequestOptions): EgressRequest | undefined {
  const { connector, credential, settings, client, sign } = options
  const { auth } = connector
  if (auth.type === 'api_key' || auth.revocation === undefined || credential.kind === 'api_key') return undefined
  const { as } = auth.revocation
  if (client === undefined && (as === 'client' || credential.kind === 'oauth1a')) return undefined
  const [access_token, refresh_token] =
    credential.kind === 'oauth2' ? [credential.accessToken, credential.refreshToken] : [credential.token]
  const places = { access_token, refresh_token, client_id: client?.id }
  const request = buildProviderRequest(connector, auth.revocation, { settings, places })
  const headers =
    as === 'client' && client !== undefined
      ? { authorization: basicAuthorization(client.id, client.secret) }
      : authorize({ connector, credential, client, request, sign })
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
