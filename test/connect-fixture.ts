import type { Test } from 'tap'
import { createAudit } from '../lib/audit/audit.ts'
import type { OpenDatabase } from '../lib/database/open-database.ts'
import { acrossOrgs } from '../lib/database/tenant.ts'
import { parseAllowList } from '../lib/egress/allow-list.ts'
import { createEgress } from '../lib/egress/create-egress.ts'
import { createVaultRotation } from '../lib/vault/rotate.ts'
import { createVault } from '../lib/vault/vault.ts'
import { createAccounts } from '../services/accounts/accounts.ts'
import { createConnecting } from '../services/connectors/connect/connecting.ts'
import { createProviderCaller } from '../services/connectors/engine/provider-caller.ts'
import type { Credential } from '../services/credentials/credential.ts'
import { createGrants } from '../services/credentials/grants.ts'
import { createOauthClients } from '../services/credentials/oauth-clients.ts'
import { createTokenEndpoint } from '../services/credentials/token-endpoint.ts'
import type { ConnectorDefinition } from '../services/definitions/define-connector.ts'
import { createCapabilities } from '../services/tool-calls/capabilities.ts'
import { silent, testDatabase } from './database.ts'
import { directory, directoryServices, testIds } from './directory.ts'
import { testClock } from './fixture.ts'
import { commands } from './operator-commands.ts'
import { testSettings } from './settings.ts'

/** The services for connecting, on a separate or shared database. The test adds the connectors and the OAuth apps. */
export async function connectFixture(t: Test, shared?: OpenDatabase) {
  const clock = testClock(Date.now())
  const database = shared ?? (await testDatabase(t))
  const { db, events } = database
  const orgIds = async () => (await db.selectFrom('organizations').select('id').execute()).map(({ id }) => id)
  const others = new Set(await orgIds())
  const ids = testIds(clock)
  const audit = createAudit({ clock, ids })
  const vault = createVault(testSettings().vaultKeys)
  const egress = createEgress({ allow: parseAllowList([]), allowLoopback: true })
  t.teardown(() => egress.close())
  const connectors = new Map<string, ConnectorDefinition>()
  const platform = new Map<string, { id: string; secret: string }>()
  const accounts = createAccounts({ db, clock, ids, audit, commands, enqueueRevocation: async () => {} })
  const clients = createOauthClients({ db, events, clock, vault, audit, commands, platform })
  const tokenEndpoint = createTokenEndpoint({ egress, clock })
  const grants = createGrants({
    commands,
    db,
    events,
    clock,
    log: silent,
    vault,
    clients,
    tokenEndpoint,
    markNeedsReauth: async () => {},
    markConnected: async () => {},
    enqueueRevocation: async () => {},
    owner: 'test',
  })
  const providerCaller = createProviderCaller({ egress, clock })
  const changes: string[] = []
  const connecting = createConnecting({
    commands,
    db,
    clock,
    vault,
    egress,
    accounts,
    grants,
    clients,
    tokenEndpoint,
    providerCaller,
    connectors,
    changed: orgId => changes.push(orgId),
  })
  const services = directoryServices(db, clock, { audit })

  return {
    ...services,
    database,
    db,
    clock,
    connectors,
    platform,
    accounts,
    clients,
    connecting,
    vaultRotation: createVaultRotation({ db, vault, log: silent }),
    capabilities: createCapabilities({ db, clock, audit, isCapability: () => true, similarTo: () => [] }),
    changes,
    directory: directory(services),

    /** Returns the opened credential of an account; undefined if there is none. */
    async credential(orgId: string, id: string): Promise<Credential | undefined> {
      const row = await acrossOrgs(db)
        .selectFrom('account_credentials')
        .where('account_id', '=', id)
        .innerJoin('accounts', 'accounts.id', 'account_id')
        .select(['sealed', 'connector'])
        .executeTakeFirst()
      if (row === undefined) return undefined
      const { sealed, connector: of } = row
      return JSON.parse(vault.open({ table: 'account_credentials', column: 'sealed', orgId, id, of }, sealed))
    },

    /** Counts the stored accounts and authorizations in organizations created after the fixture. */
    async stored() {
      const count = async (table: 'accounts' | 'account_credentials' | 'connect_attempts') =>
        (await acrossOrgs(db).selectFrom(table).select('org_id').execute()).filter(row => !others.has(row.org_id))
          .length
      return { accounts: await count('accounts'), attempts: await count('connect_attempts') }
    },
  }
}
