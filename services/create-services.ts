import { hostname } from 'node:os'
import { join } from 'node:path'
import { createAudit } from '../lib/audit/audit.ts'
import { sharedIssuersOf } from '../lib/configuration/issuers.ts'
import type { Settings } from '../lib/configuration/settings.ts'
import { type OpenDatabase, openDatabase } from '../lib/database/open-database.ts'
import { createEgress } from '../lib/egress/create-egress.ts'
import { PublicHosts } from '../lib/http/public-hosts.ts'
import { createIdSource } from '../lib/id-source.ts'
import { createJobs } from '../lib/jobs/jobs.ts'
import { defineRetention } from '../lib/jobs/retention.ts'
import type { Scrubber } from '../lib/logging/scrub.ts'
import { createReadiness } from '../lib/process/readiness.ts'
import { localCounters } from '../lib/rate-counters/counters.ts'
import { createUnreadAnswers } from '../lib/unread-answers/unread-answers.ts'
import { createVaultRotation } from '../lib/vault/rotate.ts'
import { createVault } from '../lib/vault/vault.ts'
import type { IdSource } from '../schemas/ids.ts'
import type { Logger, LogHealth } from '../schemas/log.ts'
import type { Clock } from '../schemas/time.ts'
import { catalog } from '../tools/catalog.ts'
import { CONNECTORS } from '../tools/connectors/catalog.ts'
import { createArtifacts } from './artifacts/artifacts.ts'
import { defineArtifactExpiry } from './artifacts/expiry.ts'
import { signingKeysOf } from './artifacts/signed-url.ts'
import { createBilling } from './billing/create-billing.ts'
import { createCatalogEntries } from './connectors/catalog-entries.ts'
import { createConnectors } from './connectors/create-connectors.ts'
import type { ConnectorDefinition } from './definitions/define-connector.ts'
import type { AnyTool } from './definitions/define-tool.ts'
import { createIdempotency } from './idempotency/idempotency.ts'
import { createActiveOrganizations } from './identity/active-organization.ts'
import { createApiKeys } from './identity/api-keys.ts'
import type { Caller } from './identity/caller.ts'
import { createJwts, type Jwts } from './identity/jwt.ts'
import { createTokenPolicies } from './identity/token-policies.ts'
import { createListCache } from './mcp/list-bytes.ts'
import { createToolList } from './mcp/tool-list.ts'
import { createAgents } from './organizations/agents.ts'
import { createKeyStore } from './organizations/key-store.ts'
import { createMembers } from './organizations/members.ts'
import { createOrganizations } from './organizations/organizations.ts'
import { createSurfaceVersions } from './organizations/surface-versions.ts'
import { createUsers } from './organizations/users.ts'
import { createRemoteConnectors } from './remote-connectors/create-remote-connectors.ts'
import { createUpstreams } from './remote-connectors/upstream/create-upstreams.ts'
import { createCallTool } from './tool-calls/call.ts'
import { createCapabilities } from './tool-calls/capabilities.ts'
import { createOrganizationTools } from './tool-calls/organization-tools.ts'
import { createRegistry } from './tool-calls/registry.ts'
import { createSurfaces } from './tool-calls/surfaces.ts'
import { defineUsageRollUp } from './usage/roll-up.ts'
import { createUsage } from './usage/usage.ts'
import { createUsageSummaries } from './usage/usage-summary.ts'

export interface ServicesOptions {
  log: Logger
  /** For readiness; a log that never fails by default. */
  logHealth?(): LogHealth
  /** Strikes secrets out of what is kept of a failure. */
  scrub: Scrubber['text']
  clock?: Clock
  ids?: IdSource
  /** A database that is open already; closed with the services all the same. */
  database?: OpenDatabase
  /** Families beside the catalogue's. */
  families?: readonly AnyTool[]
  /** Connectors in place of the catalogue's. */
  connectors?: readonly ConnectorDefinition[]
  /** In place of the configured issuers' verifier. */
  jwts?: Jwts
}

/** Every collaborator, wired once. The app, the command line, the control socket and the jobs all stand on it. */
export type Services = Awaited<ReturnType<typeof createServices>>

/** Opens the database and wires every service on it; knows no Fastify. Throws when the database cannot be opened. */
export async function createServices(settings: Settings, options: ServicesOptions) {
  const { log, logHealth = () => ({ failing: false, lost: 0 }), scrub, clock = { now: Date.now } } = options
  const ids = options.ids ?? createIdSource(clock)
  const database =
    options.database ?? (await openDatabase({ postgres: settings.database, dataDir: settings.dataDir, log }))
  const { db, events } = database
  const { environment, peppers } = settings

  const audit = createAudit({ clock, ids })
  const owner = `${hostname()}:${process.pid}`
  const jobs = createJobs({ db, clock, ids, log, scrub, owner })
  defineRetention(jobs, { db, clock })

  const vault = createVault(settings.vaultKeys)
  const vaultRotation = createVaultRotation({ db, vault, log })
  const egress = createEgress({ allow: settings.egress.allow, allowLoopback: settings.egress.loopback })
  const directory = join(settings.dataDir, 'artifacts')
  const artifacts = createArtifacts({ db, clock, ids, directory, signingKeys: signingKeysOf(settings.vaultKeys) })
  defineArtifactExpiry(jobs, { db, clock, directory })
  const versions = createSurfaceVersions({ db, events, clock })
  const connectors = createConnectors({
    catalog: options.connectors ?? CONNECTORS,
    settings,
    db,
    events,
    clock,
    ids,
    log,
    audit,
    jobs,
    vault,
    egress,
    artifacts,
    versions,
    owner,
  })
  const { accounts, grants, oauthClients, tokenEndpoint } = connectors
  const serverInfo = { name: settings.build.name, version: settings.build.version }
  const upstreamConnectors = createRemoteConnectors({
    db,
    clock,
    ids,
    log,
    audit,
    vault,
    egress,
    accounts,
    grants,
    clients: oauthClients,
    tokenEndpoint,
    versions,
    upstreams: createUpstreams({ egress, clock, serverInfo, log }),
    serverInfo,
  })
  const { remotes } = upstreamConnectors
  const entries = createCatalogEntries({ ...connectors, registered: upstreamConnectors.entries, versions })

  const users = createUsers({ db, clock, ids, sharedIssuers: sharedIssuersOf(settings.tokens) })
  const thresholdMicros = settings.billingThresholdMicros
  const billing = createBilling({ db, ids, log, audit, jobs, environment, thresholdMicros })
  const { wallets, standings } = billing
  const organizations = createOrganizations({ db, clock, ids, audit, users, wallets, standings })
  const members = createMembers({ db, clock, audit, removeAccounts: accounts.removePrivateOf })
  const agents = createAgents({ db, clock, ids, audit, jobs })
  const keys = createKeyStore({ db, clock, ids, audit, environment, peppers })
  const activeOrganizations = createActiveOrganizations({ db, events, clock })

  const hosts = new PublicHosts(settings.publicOrigins)
  const apiKeys = createApiKeys({ db, events, clock, environment, peppers })
  const jwts =
    options.jwts ??
    createJwts({
      policies: createTokenPolicies(settings.tokens, { clock, log, mcpResources: () => hosts.mcpResources }),
      userOf: users.idOf,
      clock,
    })

  const counters =
    settings.redisUrl === undefined
      ? localCounters(clock)
      : (await import('../lib/rate-counters/redis-counters.ts')).redisCounters(settings.redisUrl, { clock, log })
  const idempotency = createIdempotency({ db, clock, log, limits: settings.resultLimits })
  const usage = createUsage({ db, clock, ids, log })
  defineUsageRollUp(jobs, { db, clock })
  const usageSummaries = createUsageSummaries({ db, clock })

  // Bound late: manage__explain_tool stands in the registry that it is to know.
  const facts = {
    toolNamed: (name: string, { orgId }: Caller) => organizationTools.named(name, orgId),
    switchedOff: (orgId: string, userId: string) => capabilities.switchedOff(orgId, userId),
    standingOf: standings.of,
  }
  const registry = createRegistry([
    ...catalog({ db, clock, ids, settings, activeOrganizations, connectors, remotes, usageSummaries, wallets, facts }),
    ...(options.families ?? []),
  ])
  const organizationTools = createOrganizationTools({ registry, remoteTools: upstreamConnectors.tools })
  const { at: toolsAt, isCapability, similarTo } = organizationTools
  const capabilities = createCapabilities({ db, clock, audit, isCapability, similarTo })
  const lists = createListCache()
  const surfaces = createSurfaces({
    registry,
    versions,
    toolsAt,
    disabledFor: capabilities.disabledFor,
    accountsOf: accounts.visibleTo,
    createList: (entries, content) => createToolList(entries, { serverInfo, lists, content }),
  })
  const unread = createUnreadAnswers({ log })
  const callTool = createCallTool({
    once: idempotency.once,
    metering: billing.metering,
    finished: usage.record,
    failed: (error, tool) => log.error({ err: error, tool }, 'a tool failed unexpectedly'),
  })

  return {
    settings,
    clock,
    log,
    database,
    organizations,
    members,
    activeOrganizations,
    keys,
    agents,
    capabilities,
    vaultRotation,
    artifacts,
    connectors: connectors.offered,
    leftOutConnectors: connectors.leftOut,
    accounts,
    oauthClients,
    entries,
    connecting: connectors.connecting,
    icons: connectors.icons,
    remotes,
    hosts,
    identity: { apiKeys, jwts },
    counters,
    jobs,
    usage,
    usageSummaries,
    wallets,
    auditLedger: billing.auditLedger,
    listPostings: billing.listPostings,
    listReconciliations: billing.listReconciliations,
    serverInfo,
    surfaces,
    callTool,
    unread,
    readiness: createReadiness({ database, vaultKeys: vaultRotation.keysInUse, logHealth, unread, clock }),

    /** Finishes what is under way and lets go of everything. */
    async close() {
      // At once: on a database that has just frozen each waits for its own time-outs.
      try {
        await Promise.all([
          upstreamConnectors.close(),
          jobs.drain(),
          // What a call did cost is part of its usage row.
          billing.metering.close().then(() => Promise.all([usage.close(), idempotency.close()])),
          counters.close(),
          connectors.close(),
        ])
        await egress.close()
      } finally {
        await database.close()
      }
    },
  }
}
