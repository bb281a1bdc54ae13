import type { Kysely } from 'kysely'
import { v7 as uuid } from 'uuid'
import { type Audit, createAudit } from '../lib/audit/audit.ts'
import type { KeyRing } from '../lib/configuration/key-ring.ts'
import type { Database } from '../lib/database/tables.ts'
import { createJobs } from '../lib/jobs/jobs.ts'
import { createScrubber } from '../lib/logging/scrub.ts'
import type { IdSource } from '../schemas/ids.ts'
import type { Role } from '../schemas/role.ts'
import type { Clock } from '../schemas/time.ts'
import { auditLedger } from '../services/billing/audit-ledger.ts'
import { createLedger } from '../services/billing/ledger.ts'
import { listPostings, listReconciliations } from '../services/billing/ledger-history.ts'
import { createStandings } from '../services/billing/standings.ts'
import { createReverseCredit } from '../services/billing/wallet-reversals.ts'
import { createWallets } from '../services/billing/wallets.ts'
import type { Services } from '../services/create-services.ts'
import { createSignInLinks } from '../services/dashboard/sign-in-links.ts'
import { type Caller, callerOfKey } from '../services/identity/caller.ts'
import { createDashboardSessions } from '../services/identity/dashboard-sessions.ts'
import type { ApiKeyIdentity } from '../services/identity/identity.ts'
import { createAgentSignIns } from '../services/organizations/agent-sign-ins.ts'
import { createAgents } from '../services/organizations/agents.ts'
import { createKeyClaims } from '../services/organizations/key-claims.ts'
import { createKeyStore } from '../services/organizations/key-store.ts'
import { createMemberKeys } from '../services/organizations/member-keys.ts'
import { createMembers } from '../services/organizations/members.ts'
import { createOrganizations } from '../services/organizations/organizations.ts'
import { createSignIns } from '../services/organizations/sign-ins.ts'
import { createUserEmails } from '../services/organizations/user-emails.ts'
import { createUsers } from '../services/organizations/users.ts'
import { createPaymentHistory } from '../services/payments/payment-history.ts'
import { createUsageSummaries } from '../services/usage/usage-summary.ts'
import { silent } from './database.ts'
import { keyHolder, NO_EVENTS } from './fixture.ts'
import { commands } from './operator-commands.ts'
import { testSettings } from './settings.ts'

/** Test data, created through the services of the operator's commands. */
export interface Directory {
  org(name?: string): Promise<TestOrg>
  /** A new organization with a member of each role. */
  members<R extends Role[]>(...roles: R): Promise<{ [K in keyof R]: TestMember }>
}

interface TestOrg {
  id: string
  member(role?: Role): Promise<TestMember>
}

export interface TestMember {
  userId: string
  orgId: string
  /** The member as the verified holder of an API key, for services below the app; the key is not stored. */
  identity: ApiKeyIdentity
  caller: Caller
  /** An API key of the member, or of their agent if one is named. */
  key(options?: { agentId?: string; expiresAt?: Date }): Promise<{ id: string; key: string }>
  agent(name?: string): Promise<{ id: string }>
}

const by = 'operator'

let people = 0

export function directory({
  organizations,
  keys,
  agents,
}: Pick<Services, 'organizations' | 'keys' | 'agents'>): Directory {
  async function org(name = 'Analytical Engines'): Promise<TestOrg> {
    const { id: orgId } = await organizations.create({ name, by })
    return {
      id: orgId,
      async member(role = 'member') {
        const email = `person-${++people}@example.test`
        const { id: userId } = await organizations.createUser({ orgId, email, role, by })
        const keyId = userId.replace('usr_', 'key_')
        const identity = keyHolder({ orgId, userId, role, keyId, meterKey: keyId })
        return {
          userId,
          orgId,
          identity,
          caller: callerOfKey(identity),
          key: (options = {}) => keys.create({ orgId, userId, by, ...options }),
          agent: (name = 'Helper') => agents.create({ orgId, ownerId: userId, name, by }),
        }
      },
    }
  }

  return {
    org,
    async members<R extends Role[]>(...roles: R) {
      const { member } = await org()
      const made: TestMember[] = []
      for (const role of roles) made.push(await member(role))
      return made as { [K in keyof R]: TestMember }
    },
  }
}

/** The same with only a database, for tests below the services. */
export function directoryOn(db: Kysely<Database>, clock: Clock): Directory {
  return directory(directoryServices(db, clock))
}

/**
 * The services behind the directory with only a database, and with the test's audit if it has one. Wallets start empty
 * unless the test sets a balance.
 */
export function directoryServices(
  db: Kysely<Database>,
  clock: Clock,
  own: {
    audit?: Audit
    openingMicros?: number
    thresholdMicros?: number
    dashboardUrl?: string
    peppers?: KeyRing
  } = {},
) {
  const ids = testIds(clock)
  const audit = own.audit ?? createAudit({ clock, ids })
  const { environment, peppers } = { ...testSettings(), ...own }
  const { thresholdMicros = 0, openingMicros = 0 } = own
  const ledger = createLedger({ db, thresholdMicros, commands })
  const standings = createStandings({ db, thresholdMicros })
  const wallets = createWallets({ db, ids, audit, ledger, standings, openingMicros })
  const keys = createKeyStore({ db, clock, ids, audit, environment, peppers })
  const memberKeys = createMemberKeys({ db, clock, keys })
  const jobs = createJobs({ db, clock, ids, log: silent, scrub: createScrubber().text, owner: 'test' })
  return {
    commands,
    jobs,
    ledger,
    standings,
    wallets,
    auditLedger: () => auditLedger(db),
    reverseCredit: createReverseCredit({ db, ids, audit }),
    listPostings: (asked: Parameters<typeof listPostings>[1]) => listPostings(db, asked),
    listReconciliations: (asked: Parameters<typeof listReconciliations>[1]) => listReconciliations(db, asked),
    paymentHistory: createPaymentHistory({ db }),
    syncPayment: undefined,
    organizations: createOrganizations({
      commands,
      db,
      clock,
      ids,
      audit,
      users: createUsers({ db, events: NO_EVENTS, clock, ids, sharedIssuers: [] }),
      wallets,
      standings,
    }),
    members: createMembers({ db, clock, audit, commands, removeAccounts: async () => {} }),
    signIns: createSignIns({ db, clock, audit, commands, sharedIssuers: [], issuers: [] }),
    userEmails: createUserEmails({ db, audit, commands }),
    keys,
    memberKeys,
    keyClaims: createKeyClaims({ db, clock, ids, audit, commands, memberKeys, dashboardUrl: own.dashboardUrl }),
    signInLinks: createSignInLinks({
      db,
      clock,
      audit,
      commands,
      dashboardUrl: own.dashboardUrl,
      sessions: createDashboardSessions({ db, clock, ids }),
    }),
    agents: createAgents({ db, clock, ids, audit, jobs, commands }),
    agentSignIns: createAgentSignIns({ db, clock, ids, audit, commands, sharedIssuers: [] }),
    usageSummaries: createUsageSummaries({ db, clock }),
  }
}

/** IDs as in production, by the given clock. */
export function testIds(clock: Clock): IdSource {
  return prefix => `${prefix}_${uuid({ msecs: clock.now() }).replaceAll('-', '')}`
}
