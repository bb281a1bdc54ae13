import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { isId } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'
import { type Caller, isAdmin } from '../identity/caller.ts'
import { requireOrganization } from '../organizations/require-organization.ts'
import { type AskedDays, askedDays, type Days } from './asked-days.ts'
import { createSummaryLimiter } from './summary-turns.ts'
import { groupsOf, type UsageBy, type UsageGroup, type UsageSums } from './usage-groups.ts'

/** Groups of an answer; what is beyond them is one more. */
const MOST_GROUPS = 200

const NOTHING: UsageSums = { calls: 0, errors: 0, durationMs: 0, costMicros: 0 }

export interface UsageQuestion extends AskedDays {
  by: UsageBy
  /** Of this member alone; of all when absent. */
  member?: string | undefined
}

export interface UsageSummary extends Days {
  by: UsageBy
  /** The most expensive first, then those with the most calls; days in their order. */
  groups: UsageGroup[]
  /** What is beyond the first 200 groups, added up; null when nothing is. */
  other: (UsageSums & { groups: number }) | null
  total: UsageSums
}

/** What was called and what it cost: of at most 92 days (UTC), up to the calls of a second ago. */
export interface UsageSummaries {
  /** Of an organization. Throws invalid_request where there is none of this id, or no such days, and overloaded as its turns do. */
  summarize(question: UsageQuestion & { orgId: string }): Promise<UsageSummary>
  /**
   * Of the caller's organization, for an admin; a member is told of himself alone. Throws admin_required when he asks for
   * another, and invalid_request for one whom the organization has never had, or no such days.
   */
  summarizeFor(caller: Caller, question: UsageQuestion): Promise<UsageSummary>
}

export function createUsageSummaries({ db, clock }: { db: Kysely<Database>; clock: Clock }): UsageSummaries {
  const inTurn = createSummaryLimiter()

  async function answer(orgId: string, question: UsageQuestion): Promise<UsageSummary> {
    const { by, member = null } = question
    const days = askedDays(question, clock.now())
    const rows = await inTurn(orgId, () => groupsOf(db, { orgId, ...days, by, member, most: MOST_GROUPS }))
    const groups = rows.slice(0, MOST_GROUPS).map(({ groups: _one, ...group }) => group)
    if (by === 'day') groups.sort((one, next) => (String(one.name) < String(next.name) ? -1 : 1))
    const [other = null] = rows.slice(MOST_GROUPS).map(({ name: _first, ...beyond }) => beyond)
    return { ...days, by, groups, other, total: rows.reduce(added, NOTHING) }
  }

  return {
    async summarize({ orgId, ...question }) {
      await requireOrganization(db, orgId)
      return answer(orgId, question)
    },

    async summarizeFor(caller, question) {
      const { orgId, userId } = caller
      const { member } = question
      if (member !== undefined) await requireMemberOnce(db, orgId, member)
      if (isAdmin(caller)) return answer(orgId, question)
      if (member !== undefined && member !== userId)
        throw new GatewayError(
          'admin_required',
          'Only an owner or an admin of the organization may see what other members use. Leave member out for your own.',
        )
      return answer(orgId, { ...question, member: userId })
    },
  }
}

function added(one: UsageSums, other: UsageSums): UsageSums {
  return {
    calls: one.calls + other.calls,
    errors: one.errors + other.errors,
    durationMs: one.durationMs + other.durationMs,
    costMicros: one.costMicros + other.costMicros,
  }
}

/** Throws unless the user is a member or was one: what removed members have used stays. */
async function requireMemberOnce(db: Kysely<Database>, orgId: string, userId: string): Promise<void> {
  const memberships = forOrg(db, orgId).selectFrom('memberships').where('user_id', '=', userId)
  const found = isId('usr', userId) ? await memberships.select('user_id').executeTakeFirst() : undefined
  if (found === undefined)
    throw new GatewayError('invalid_request', `${userId} is no member of ${orgId}, and was none.`)
}
