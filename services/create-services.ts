import { createReadiness } from '../lib/process/readiness.ts'
import { createUnreadAnswers } from '../lib/unread-answers/unread-answers.ts'
import type { LogHealth } from '../schemas/gateway/log.ts'
import type { MemoryLimits } from '../schemas/tools/memory.ts'
import { createArtifactServices } from './artifacts/create-artifacts.ts'
import type { Uploads } from './artifacts/uploads.ts'
import { createAuditLog } from './audit/audit-log.ts'
import { createBilling } from './billing/create-billing.ts'
import type { Wallets } from './billing/wallets.ts'
import { createCatalogEntries } from './connectors/catalog-entries.ts'
import { type Connectors, createConnectors } from './connectors/create-connectors.ts'
import { createDashboardServices } from './dashboard/create-dashboard.ts'
import type { ConnectorDefinition } from './definitions/connector-types.ts'
import type { AnyTool, NotConfigured } from './definitions/define-tool.ts'
import type { ActiveOrganizations } from './identity/active-organization.ts'
import { createIdentityServices } from './identity/create-identity.ts'
import type { Jwts } from './identity/jwt.ts'
import { type Infrastructure, type InfrastructureOptions, openInfrastructure } from './infrastructure.ts'
import { createLocalIssuer } from './local-issuer/create-local-issuer.ts'
import { createRegisteredNames } from './local-issuer/registered-names.ts'
import { createMedia, type Media } from './media/create-media.ts'
import { createOrganizationServices } from './organizations/create-organizations.ts'
import type { KeyClaims } from './organizations/key-claims.ts'
import type { MemberAgents } from './organizations/member-agents.ts'
import type { MemberKeys } from './organizations/member-keys.ts'
import { createProfiles } from './organizations/profiles.ts'
import { createSharedPolicies } from './organizations/shared-policies.ts'
import { createSurfaceVersions } from './organizations/surface-versions.ts'
import { createPaymentServices } from './payments/create-payments.ts'
import { createPolicies } from './policies/policies.ts'
import { createRemoteConnectors } from './remote-connectors/create-remote-connectors.ts'
import type { RemoteConnectors } from './remote-connectors/remote-connectors.ts'
import type { Settings } from './settings/settings.ts'
import { createSocial, type Social } from './social/create-social.ts'
import { createToolCallServices, type ToolLookups } from './tool-calls/create-tool-calls.ts'
import { createExplainPolicy } from './tool-calls/explain-policy.ts'
import { createUsageServices } from './usage/usage.ts'
import type { UsageSummaries } from './usage/usage-summary.ts'
import { createConverter } from './web/converter.ts'
import { createWeb, type Web } from './web/create-web.ts'

/** The services that tools use. */
export interface ToolServices extends Pick<Infrastructure, 'db' | 'clock' | 'ids' | 'jobs' | 'commands' | 'database'> {
  memoryLimits: MemoryLimits
  activeOrganizations: ActiveOrganizations
  connectors: Connectors
  remotes: RemoteConnectors
  usageSummaries: UsageSummaries
  wallets: Wallets
  memberAgents: MemberAgents
  memberKeys: MemberKeys
  keyClaims: KeyClaims
  media: Media
  notConfigured: readonly NotConfigured[]
  lookups: ToolLookups
  social: Social
  uploads: Uploads
  web: Web
}

export interface ServicesOptions extends InfrastructureOptions {
  /** For readiness; a log that never fails by default. */
  logHealth?(): LogHealth
  /** Creates the tools of the catalog. */
  tools(services: ToolServices): readonly AnyTool[]
  /** The connectors of the catalog. The settings say which of them are offered. */
  connectors: readonly ConnectorDefinition[]
  /** Tools besides those of the catalog. */
  families?: readonly AnyTool[]
  /** Replaces the verifier of the configured issuers. */
  jwts?: Jwts
}

/** Every service, wired once. The app, the command line, the control socket and the jobs use it. */
export type Services = Awaited<ReturnType<typeof createServices>>

/** Opens the database and creates every service. Knows no Fastify. Throws if the database cannot be opened. */
export async function createServices(settings: Settings, options: ServicesOptions) {
  const infrastructure = await openInfrastructure(settings, options)
  const domains = createDomains(settings, options, infrastructure)
  const { log, clock, database, jobs, counters, egress, vaultRotation, commands } = infrastructure
  const { connectors, remoteConnectors, billing, toolCalls, usage, media, converter } = domains
  const unread = createUnreadAnswers({ log })
  const { logHealth = () => ({ failing: false, lost: 0 }) } = options

  return {
    settings,
    clock,
    log,
    database,
    jobs,
    counters,
    vaultRotation,
    commands,
    unread,
    readiness: createReadiness({ database, vaultKeys: vaultRotation.keysInUse, logHealth, unread, clock }),
    ...servicesOf(domains),

    /** Finishes what is in flight and closes everything. */
    async close() {
      // All at once: on a frozen database, each of them waits for its own timeouts.
      try {
        await Promise.all([
          remoteConnectors.close(),
          jobs.drain(),
          media.generations.close(),
          // The cost of a call is part of its usage row.
          billing.metering.close().then(() => Promise.all([usage.usage.close(), toolCalls.close()])),
          counters.close(),
          connectors.close(),
          converter.close(),
        ])
        await egress.close()
      } finally {
        await database.close()
      }
    },
  }
}

type Domains = ReturnType<typeof createDomains>

/** Creates the services of each domain, in the order in which they use one another. */
function createDomains(settings: Settings, options: ServicesOptions, infrastructure: Infrastructure) {
  const { resultLimits, memoryLimits, environment, overageLimitFactor, dashboardUrl } = settings
  const { billingThresholdMicros: thresholdMicros } = settings
  const serverInfo = { name: settings.build.name, version: settings.build.version }
  const versions = createSurfaceVersions(infrastructure)
  const { artifacts, uploads } = createArtifactServices({ ...infrastructure, settings })
  const converter = createConverter()
  const forConnectors = { settings, catalog: options.connectors, artifacts, converter, versions }
  const connectors = createConnectors({ ...infrastructure, ...forConnectors })
  const { accounts, oauthClients: clients } = connectors
  const publicOrigin = () => new URL(identity.hosts.mcpResources[0] ?? '').origin
  const refreshEveryMs = settings.remoteRefreshMs
  const known = { clients, versions, serverInfo, dashboardUrl, publicOrigin, refreshEveryMs }
  const remoteConnectors = createRemoteConnectors({ ...infrastructure, ...connectors, ...known })
  const billing = createBilling({ ...infrastructure, environment, thresholdMicros, overageLimitFactor })
  const payments = createPaymentServices(settings, { ...infrastructure, ...billing })
  const policies = createPolicies(infrastructure)
  const organizations = createOrganizationServices({
    ...infrastructure,
    ...billing,
    settings,
    policies,
    removeAccounts: accounts.removePrivateOf,
  })
  const { userOf } = organizations
  const identity = createIdentityServices({ ...infrastructure, settings, userOf, jwts: options.jwts })
  const profiles = createProfiles({ ...infrastructure, ...billing, ...identity.activeOrganizations })
  const registeredNames = settings.localIssuer === undefined ? undefined : createRegisteredNames(infrastructure)
  const usage = createUsageServices({ ...infrastructure, scrub: options.scrub, registeredNames })
  const media = createMedia({ ...infrastructure, ...billing, artifacts, settings: settings.media })
  const web = createWeb({ ...infrastructure, converter, settings })
  const social = createSocial({ ...infrastructure, settings })
  const notConfigured = [...web.notConfigured, ...media.notConfigured, ...social.notConfigured]
  const forTools = {
    ...infrastructure,
    ...identity,
    ...usage,
    ...billing,
    ...organizations,
    ...remoteConnectors,
    connectors,
    memoryLimits,
    media,
    notConfigured,
    social,
    uploads,
    web,
  }
  const domains = {
    serverInfo,
    artifacts,
    uploads,
    connectors,
    remoteConnectors,
    billing,
    payments,
    organizations,
    identity,
    profiles,
    usage,
    media,
    notConfigured,
    converter,
    auditLog: createAuditLog(infrastructure),
    dashboard: createDashboardServices({ ...infrastructure, ...identity, settings }),
    localIssuer: createLocalIssuer({ ...infrastructure, ...identity, ...organizations, settings }),
  }
  return {
    ...domains,
    entries: createCatalogEntries({ ...connectors, registered: remoteConnectors.entries, versions }),
    policies,
    versions,
    sharedPolicies: createSharedPolicies({ ...infrastructure, policies }),
    toolCalls: createToolCallServices({
      ...infrastructure,
      versions,
      policies,
      accountsOf: accounts.usableBy,
      resultLimits,
      serverInfo,
      browserSignIn: settings.tokens.mcp !== undefined,
      tools: lookups => [...options.tools({ ...forTools, lookups }), ...(options.families ?? [])],
      remoteTools: remoteConnectors.tools,
      remoteOffers: remoteConnectors.offers,
      billing,
      finished: usage.usage.record,
    }),
  }
}

/** What the app, the commands and the jobs use of the domains. */
function servicesOf(domains: Domains) {
  const { serverInfo, artifacts, connectors, entries, remoteConnectors, billing, toolCalls } = domains
  return {
    serverInfo,
    ...domains.organizations,
    ...domains.identity,
    profiles: domains.profiles,
    artifacts,
    uploads: domains.uploads,
    connectors: connectors.offered,
    leftOutConnectors: connectors.leftOut,
    accounts: connectors.accounts,
    oauthClients: connectors.oauthClients,
    connecting: connectors.connecting,
    icons: connectors.icons,
    entries,
    remotes: remoteConnectors.remotes,
    assertionKeys: remoteConnectors.assertionKeys,
    ...domains.usage,
    auditLog: domains.auditLog,
    media: domains.media,
    notConfigured: domains.notConfigured,
    wallets: billing.wallets,
    walletPages: billing.walletPages,
    auditLedger: billing.auditLedger,
    reverseCredit: billing.reverseCredit,
    listPostings: billing.listPostings,
    listReconciliations: billing.listReconciliations,
    policies: domains.policies,
    sharedPolicies: domains.sharedPolicies,
    checkPolicy: toolCalls.checkPolicy,
    namesFor: toolCalls.namesFor,
    denialOfRoute: toolCalls.denialOfRoute,
    explainPolicy: createExplainPolicy({ ...domains, ...domains.organizations, ...toolCalls }),
    capabilities: toolCalls.capabilities,
    surfaces: toolCalls.surfaces,
    callTool: toolCalls.callTool,
    offers: toolCalls.offers,
    quote: toolCalls.quote,
    clientNames: toolCalls.clientNames,
    once: toolCalls.once,
    standings: billing.standings,
    ...domains.payments,
    ...domains.dashboard,
    localIssuer: domains.localIssuer,
  }
}
