import { type Kysely, sql } from 'kysely'
import type { Database } from '../lib/database/tables.ts'
import { forOrg } from '../lib/database/tenant.ts'
import { wireName } from '../schemas/remote-names.ts'
import { utcDay } from '../services/usage/days.ts'
import { defineUsageRollUp } from '../services/usage/roll-up.ts'
import type { UsageBy, UsageSums } from '../services/usage/usage-groups.ts'
import { directory, directoryServices, type TestMember, testIds } from './directory.ts'
import type { testClock } from './fixture.ts'

/** A call as in its usage row. */
export interface UsedCall {
  member: TestMember
  at: number
  capability: string
  operation: string
  keyId: string | null
  agentId: string | null
  accountId: string | null
  outcome: string
  durationMs: number
  costMicros: number
}

/** Summaries and the roll-up job on a database, with a clock that tests may share. */
export function usageFixture(db: Kysely<Database>, clock: ReturnType<typeof testClock>) {
  const services = directoryServices(db, clock)
  const ids = testIds(clock)
  defineUsageRollUp(services.jobs, { db, clock })

  return {
    people: directory(services),
    usage: services.usageSummaries,
    call: (member: TestMember, facts: Partial<UsedCall> = {}): UsedCall => ({
      member,
      at: clock.now(),
      capability: 'memory',
      operation: 'remember',
      keyId: null,
      agentId: null,
      accountId: null,
      outcome: 'ok',
      durationMs: 10,
      costMicros: 5,
      ...facts,
    }),
    /** Writes rows as the gateway does, each with its own id. */
    async write(...calls: UsedCall[]) {
      for (const { member, at, keyId, agentId, accountId, outcome, durationMs, costMicros, ...named } of calls)
        await forOrg(db, member.orgId)
          .insertInto('usage', {
            id: ids('use'),
            at: new Date(at),
            user_id: member.userId,
            key_id: keyId,
            agent_id: agentId,
            tool: toolOf(named),
            account_id: accountId,
            outcome,
            duration_ms: durationMs,
            cost_micros: costMicros,
          })
          .execute()
    },
    /** Advances the clock and runs the due roll-ups. */
    async pass(milliseconds: number) {
      clock.advance(milliseconds)
      await services.jobs.runDue()
    },
    rolledDays: ({ orgId }: { orgId: string }) =>
      forOrg(db, orgId).selectFrom('usage_days').selectAll().orderBy(sql`usage_days::text`).execute(),
  }
}

const toolOf = ({ capability, operation }: Pick<UsedCall, 'capability' | 'operation'>) =>
  wireName(capability, operation)

/** The group of a call, by grouping. */
export const NAMES: Record<UsageBy, (call: UsedCall) => string | null> = {
  day: ({ at }) => utcDay(at),
  tool: toolOf,
  connector: ({ capability }) => capability,
  member: ({ member }) => member.userId,
  key: ({ keyId }) => keyId,
  agent: ({ agentId }) => agentId,
  account: ({ accountId }) => accountId,
}

/** The sums of these calls. */
export function truthOf(calls: readonly UsedCall[]): UsageSums {
  const sum = (of: (call: UsedCall) => number) => calls.reduce((total, each) => total + of(each), 0)
  return {
    calls: calls.length,
    errors: calls.filter(({ outcome }) => outcome !== 'ok').length,
    durationMs: sum(each => each.durationMs),
    costMicros: sum(each => each.costMicros),
  }
}
