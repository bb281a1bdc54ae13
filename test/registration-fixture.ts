import type { Test } from 'tap'
import { createAudit } from '../lib/audit/audit.ts'
import type { OpenDatabase } from '../lib/database/open-database.ts'
import { TENANT_TABLES } from '../lib/database/tables.ts'
import { acrossOrgs } from '../lib/database/tenant.ts'
import { parseAllowList } from '../lib/egress/allow-list.ts'
import { createJobs } from '../lib/jobs/jobs.ts'
import { createVault } from '../lib/vault/vault.ts'
import type { RegisterRemoteRequest } from '../schemas/remote.ts'
import { createAccounts } from '../services/accounts/accounts.ts'
import { createGrants } from '../services/credentials/grants.ts'
import { createOauthClients } from '../services/credentials/oauth-clients.ts'
import { createTokenEndpoint } from '../services/credentials/token-endpoint.ts'
import type { Caller } from '../services/identity/caller.ts'
import { createSurfaceVersions } from '../services/organizations/surface-versions.ts'
import { createRemoteConnectors } from '../services/remote-connectors/create-remote-connectors.ts'
import type {
  ListedOffers,
  UpstreamCredential,
  Upstreams,
  UpstreamTarget,
} from '../services/remote-connectors/upstream/upstream.ts'
import { createCapabilities } from '../services/tool-calls/capabilities.ts'
import { silent } from './database.ts'
import { directory, directoryServices, testIds } from './directory.ts'
import { egressOf } from './egress-fixture.ts'
import { testClock } from './fixture.ts'
import { serverInfo } from './mcp-fixture.ts'
import { commands } from './operator-commands.ts'
import { testSettings } from './settings.ts'

/** A tool of an upstream without arguments. */
export const upstreamTool = (name: string, fields: object = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: {} },
  ...fields,
})

/** What an upstream offers that has only tools. */
const NOTHING_OFFERED: ListedOffers = {
  announced: { resources: false, prompts: false },
  instructions: undefined,
  resources: { items: [] },
  resourceTemplates: { items: [] },
  prompts: { items: [] },
}

/** The default request of a registration. */
export const asked: RegisterRemoteRequest = {
  slug: 'wiki',
  name: 'The wiki',
  upstream_url: 'https://wiki.test/mcp',
  auth: { mode: 'none' },
}

/** Registrations on a database that other fixtures may share, with upstreams that the test simulates. */
export function remoteFixture(t: Test, database: OpenDatabase) {
  const { db, events } = database
  const clock = testClock(Date.now())
  const ids = testIds(clock)
  const audit = createAudit({ clock, ids })
  const vault = createVault(testSettings().vaultKeys)
  const names = new Map([['wiki.test', ['93.184.215.14']]])
  const egress = egressOf(t, {
    allow: parseAllowList(['git.corp.test', '10.1.0.0/16']),
    lookup(name, _options, found) {
      found(
        null,
        (names.get(name) ?? []).map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    },
  })
  const accounts = createAccounts({ db, clock, ids, audit, commands, enqueueRevocation: async () => {} })
  const clients = createOauthClients({ db, events, clock, vault, audit, commands, platform: new Map() })
  const tokenEndpoint = createTokenEndpoint({ egress, clock })
  const { markNeedsReauth, markConnected } = accounts
  const grants = createGrants({
    commands,
    db,
    events,
    clock,
    log: silent,
    vault,
    clients,
    tokenEndpoint,
    markNeedsReauth,
    markConnected,
    enqueueRevocation: async () => {},
    owner: 'test',
  })

  /** The requests to the upstreams, and their answer. */
  const upstream = {
    asked: [] as { target: UpstreamTarget; credential: UpstreamCredential }[],
    forgotten: [] as Parameters<Upstreams['forget']>[0][],
    answer: async (): Promise<unknown[]> => [upstreamTool('look')],
    offers: NOTHING_OFFERED,
  }
  const upstreams: Upstreams = {
    async listTools(target, credential) {
      upstream.asked.push({ target, credential })
      return upstream.answer()
    },
    listOffers: async () => upstream.offers,
    callTool: () => Promise.reject(new TypeError('The tests do not call tools')),
    readResource: () => Promise.reject(new TypeError('The tests read no resources')),
    getPrompt: () => Promise.reject(new TypeError('The tests get no prompts')),
    forget: target => upstream.forgotten.push(target),
    close: async () => {},
  }
  const versions = createSurfaceVersions({ db, events, clock })
  const { remotes } = createRemoteConnectors({
    commands,
    db,
    clock,
    ids,
    log: silent,
    audit,
    vault,
    egress,
    accounts,
    grants,
    clients,
    tokenEndpoint,
    versions,
    publicOrigin: () => 'https://gateway.test',
    upstreams,
    serverInfo,
    jobs: createJobs({ db, clock, ids, log: silent, owner: 'test', scrub: text => text }),
    refreshEveryMs: 3_600_000,
  })
  const hand = acrossOrgs(db)

  return {
    remotes,
    db,
    hand,
    clock,
    upstream,
    names,
    accounts,
    clients,
    capabilities: createCapabilities({ db, clock, audit, isCapability: () => true, similarTo: () => [] }),
    directory: directory(directoryServices(db, clock, { audit })),

    /** Takes a snapshot and makes it live as an admin does: by its hash, after the preview. */
    async accepted(caller: Caller, slug: string) {
      const { hash } = await remotes.refresh(caller, slug, { preview: true })
      return remotes.refresh(caller, slug, { accept: hash })
    },

    /** The number of an organization's rows by table, without those of its history and its members. */
    async rowsOf(orgId: string): Promise<Record<string, number>> {
      const history = ['memberships', 'audit', 'usage', 'org_surface', 'wallets']
      const counts = await Promise.all(
        TENANT_TABLES.filter(table => !history.includes(table)).map(async table => {
          const rows = await hand.selectFrom(table).where('org_id', '=', orgId).select('org_id').execute()
          return [table, rows.length] as const
        }),
      )
      return Object.fromEntries(counts.filter(([, rows]) => rows > 0))
    },

    /** The audited actions on a target, sorted, because rows of the same instant have no order. */
    async auditOf(target: string): Promise<string[]> {
      const rows = await hand.selectFrom('audit').where('target', '=', target).selectAll().execute()
      return rows.map(({ action, user_id }) => `${action} by ${user_id}`).sort()
    },
  }
}
