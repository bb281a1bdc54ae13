import type { OperatorServices } from '../cli/commands/operator-services.ts'
import type { RemoteOauth } from '../schemas/oauth-client.ts'
import type { Account } from '../services/accounts/account.ts'
import { NO_OFFERS } from '../services/remote-connectors/offers.ts'
import type { Registration } from '../services/remote-connectors/registration.ts'
import type { RemoteConnector } from '../services/remote-connectors/remote-connectors.ts'
import type { StoredSnapshot } from '../services/remote-connectors/snapshot.ts'

const at = new Date(Date.UTC(2026, 10, 21))

/** A registration, by default of mode `none` and without a snapshot. */
export function madeRemote(fields: Partial<Registration> & Pick<Registration, 'orgId'>): RemoteConnector {
  const registration: Registration = {
    id: 'rem_1',
    slug: 'wiki',
    name: 'The wiki',
    upstreamUrl: 'https://wiki.test/mcp',
    auth: { mode: 'none' },
    hidden: false,
    createdBy: 'usr_1',
    createdAt: at,
    snapshotId: null,
    snapshotRefusal: null,
    refresh: 'manual',
    candidate: null,
    overrides: [],
    confirmed: null,
    ...fields,
  }
  return { registration, account: undefined, snapshot: undefined, leftOut: 0 }
}

/** The discovered data of a registration of mode `oauth`. */
export const madeOauth: RemoteOauth = {
  v: 1,
  resource: 'https://wiki.test/mcp',
  issuer: 'https://id.wiki.test',
  authorizationEndpoint: 'https://id.wiki.test/authorize',
  tokenEndpoint: 'https://id.wiki.test/token',
  issParameter: true,
  clientSource: 'dcr',
  clientId: 'gateway',
  clientAuth: 'none',
  scopes: [],
}

/** A snapshot with one published and one rejected tool. */
export const madeSnapshot: StoredSnapshot = {
  v: 1,
  id: 'snp_1',
  fetchedAt: at,
  hash: 'a'.repeat(64),
  tools: [{ name: 'read', originalName: 'read', inputSchema: { type: 'object' }, hash: 'b'.repeat(64) }],
  rejected: { tools: [{ originalName: 'write', reason: 'Its schema is too deep.' }], count: 1 },
  offers: NO_OFFERS,
}

/** The account that holds the credential of a registration. */
export function madeAccount({ registration }: RemoteConnector, fields: Partial<Account> = {}): Account {
  const { orgId, slug, createdBy, upstreamUrl } = registration
  return {
    id: 'acc_1',
    orgId,
    connector: `org__${slug}`,
    userId: createdBy,
    scope: 'shared',
    alias: slug,
    identity: new URL(upstreamUrl).host,
    authKind: 'oauth2',
    keyVerified: null,
    status: 'connected',
    settings: {},
    grantedScopes: null,
    ...fields,
  }
}

/** The operator's operations on registrations, without any registration. */
export const NO_REMOTES: OperatorServices['remotes'] = {
  list: async () => [],
  find: async () => undefined,
  setHidden: none,
  beginAuthorization: none,
  finishAuthorization: none,
  setToken: none,
}

async function none(): Promise<never> {
  throw new TypeError('Nothing is registered')
}
