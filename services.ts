import { hostname } from 'node:os'
import { createAudit } from './plugins/audit/audit.ts'
import { sharedIssuersOf } from './plugins/configuration/issuers.ts'
import type { Settings } from './plugins/configuration/settings.ts'
import { type OpenDatabase, openDatabase } from './plugins/database/dialect.ts'
import { createIdSource } from './plugins/id-source/id-source.ts'
import { createIdempotency } from './plugins/idempotency/idempotency.ts'
import { createApiKeys } from './plugins/identity/api-keys.ts'
import { createJwts, type Jwts } from './plugins/identity/jwt.ts'
import { createTokenPolicies } from './plugins/identity/token-policies.ts'
import { createJobs } from './plugins/jobs/jobs.ts'
import { defineRetention } from './plugins/jobs/retention.ts'
import type { Scrubber } from './plugins/logging/scrub.ts'
import { createToolList } from './plugins/mcp/tool-list.ts'
import { createActiveOrganizations } from './plugins/org-resolution/active-organization.ts'
import { createAgents } from './plugins/organizations/agents.ts'
import { createKeyStore } from './plugins/organizations/key-store.ts'
import { createMembers } from './plugins/organizations/members.ts'
import { createOrganizations } from './plugins/organizations/organizations.ts'
import { createUsers } from './plugins/organizations/users.ts'
import { PublicHosts } from './plugins/origin/hosts.ts'
import { localCounters } from './plugins/rate-limit/counters.ts'
import { redisCounters } from './plugins/rate-limit/redis-counters.ts'
import { createReadiness } from './plugins/readiness/readiness.ts'
import { createCallTool } from './plugins/tool-registry/call.ts'
import { createCapabilities } from './plugins/tool-registry/capabilities.ts'
import { createRegistry } from './plugins/tool-registry/registry.ts'
import { createSurfaces } from './plugins/tool-registry/surfaces.ts'
import { createSurfaceVersions } from './plugins/tool-registry/versions.ts'
import { createUsage } from './plugins/usage/usage.ts'
import type { IdSource } from './schemas/ids.ts'
import type { Logger } from './schemas/log.ts'
import type { Clock } from './schemas/time.ts'
import { catalog } from './tools/catalog.ts'
import type { AnyTool } from './tools/define-tool.ts'

export interface ServicesOptions {
  log: Logger
  /** Strikes secrets out of what is kept of a failure. */
  scrub: Scrubber['text']
  clock?: Clock
  ids?: IdSource
  /** A database that is open already; closed with the services all the same. */
  database?: OpenDatabase
  /** Families beside the catalogue's. */
  families?: readonly AnyTool[]
  /** In place of the configured issuers' verifier. */
  jwts?: Jwts
}

/** Every collaborator, wired once. The app, the command line, the control socket and the jobs all stand on it. */
export type Services = Awaited<ReturnType<typeof createServices>>

/** Opens the database and wires every service on it; knows no Fastify. Throws when the database cannot be opened. */
export async function createServices(settings: Settings, options: ServicesOptions) {
  const { log, scrub, clock = { now: Date.now } } = options
  const ids = options.ids ?? createIdSource(clock)
  const database =
    options.database ??
    (await openDatabase({
      postgres: settings.database,
      dataDir: settings.dataDir,
      log,
    }))
  const { db, events } = database
  const { environment, peppers } = settings

  const audit = createAudit({ clock, ids })
  const jobs = createJobs({ db, clock, ids, log, scrub, owner: `${hostname()}:${process.pid}` })
  defineRetention(jobs, { db, clock })

  const users = createUsers({ db, clock, ids, sharedIssuers: sharedIssuersOf(settings.tokens) })
  const organizations = createOrganizations({ db, clock, ids, audit, users })
  const members = createMembers({ db, clock, audit })
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
    settings.redisUrl === undefined ? localCounters(clock) : redisCounters(settings.redisUrl, { clock, log })
  const idempotency = createIdempotency({ db, clock, log })
  const usage = createUsage({ db, clock, ids, log })

  const registry = createRegistry([...catalog({ db, clock, ids, activeOrganizations }), ...(options.families ?? [])])
  const capabilities = createCapabilities({ db, clock, audit, isCapability: registry.isCapability })
  const serverInfo = { name: settings.build.name, version: settings.build.version }
  const surfaces = createSurfaces({
    registry,
    versions: createSurfaceVersions({ db, events, clock }),
    disabledFor: capabilities.disabledFor,
    createList: entries => createToolList(entries, { serverInfo }),
  })
  const callTool = createCallTool({
    once: idempotency.once,
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
    hosts,
    identity: { apiKeys, jwts },
    counters,
    jobs,
    usage,
    serverInfo,
    surfaces,
    callTool,
    readiness: createReadiness(database),

    /** Finishes what is under way and lets go of everything. */
    async close() {
      // At once: on a database that has just frozen each waits for its own time-outs.
      try {
        await Promise.all([jobs.drain(), usage.close(), counters.close()])
      } finally {
        await database.close()
      }
    },
  }
}
