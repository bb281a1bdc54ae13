import { type Static, Type } from '@sinclair/typebox'
import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import { type ConcurrencyLimiter, createConcurrencyLimiter } from '../../lib/egress/concurrency-limiter.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { dollars } from '../../schemas/billing/money.ts'
import { isId } from '../../schemas/primitives/ids.ts'
import { orNull } from '../../schemas/primitives/or-null.ts'
import { StringEnum } from '../../schemas/primitives/string-enum.ts'
import { type Caller, isAdmin } from '../identity/caller.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { requireOrganization } from '../organizations/requirements.ts'
import { type AskedDays, askedDays, type Days } from './days.ts'
import { groupsOf, USAGE_BY, type UsageBy, type UsageGroup, type UsageSums } from './usage-groups.ts'

/** Runs one summary per organization and two per process at a time. */
type LimitSummaries = <T>(orgId: string, work: () => Promise<T>) => Promise<T>

const WAIT_MS = 10_000

/**
 * Limits concurrent summaries. A summary of a busy day reads many rows, so without a limit a few members could occupy all
 * database connections. Throws overloaded if the queue is full or a summary waits too long.
 */
export function createSummaryLimiter(): LimitSummaries {
  const ofOrganization = createConcurrencyLimiter({ maxConcurrent: 1, maxQueued: 8, waitMs: WAIT_MS })
  const ofProcess = createConcurrencyLimiter({ maxConcurrent: 2, maxQueued: 64, waitMs: WAIT_MS })
  return (orgId, work) => withSlot(ofOrganization, orgId, () => withSlot(ofProcess, '', work))
}

function withSlot<T>(limiter: ConcurrencyLimiter, key: string, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    limiter.acquire(key, {
      start: release => void work().finally(release).then(resolve, reject),
      reject: () =>
        reject(
          new GatewayError('overloaded', 'Too many usage summaries are running. Retry in a few seconds.', {
            retryAfter: 5,
          }),
        ),
    })
  })
}

/** The maximum number of groups in a summary. The rest is one more. */
const MOST_GROUPS = 200

const NOTHING: UsageSums = { calls: 0, errors: 0, durationMs: 0, costMicros: 0 }

interface UsageQuestion extends AskedDays {
  by: UsageBy
  /** Only the calls of this member; those of all members if absent. */
  member?: string | undefined
}

interface LabeledGroup extends UsageGroup {
  /** What people call the group, if its name is an ID; null if that is unknown, or hidden from the caller. */
  label?: string | null
}

export interface UsageSummary extends Days {
  by: UsageBy
  /** Sorted by cost, then by calls, both descending; days in order. */
  groups: LabeledGroup[]
  /** The sum of the groups after the first 200; null if there are none. */
  other: (UsageSums & { groups: number }) | null
  total: UsageSums
}

/** Summaries of calls and their costs, of at most 92 days (UTC). Calls appear after about a second. */
export interface UsageSummaries {
  /** Summarizes an organization. Throws invalid_request for an unknown organization or invalid days, and overloaded if too many summaries run. */
  summarize(question: UsageQuestion & { orgId: string }): Promise<UsageSummary>
  /**
   * Summarizes the caller's organization. Members who are not admins see only their own calls. Throws admin_required if
   * they ask for another member, and invalid_request for a user who was never a member, or invalid days.
   */
  summarizeFor(caller: Caller, question: UsageQuestion): Promise<UsageSummary>
}

export function createUsageSummaries({ db, clock }: Pick<Infrastructure, 'db' | 'clock'>): UsageSummaries {
  const inTurn = createSummaryLimiter()

  async function answer(orgId: string, question: UsageQuestion, viewer?: Caller): Promise<UsageSummary> {
    const { by, member = null } = question
    const days = askedDays(question, clock.now())
    const rows = await inTurn(orgId, () => groupsOf(db, { orgId, ...days, by, member, most: MOST_GROUPS }))
    const groups = rows.slice(0, MOST_GROUPS).map(({ groups: _one, ...group }) => group)
    if (by === 'day') groups.sort((one, next) => (String(one.name) < String(next.name) ? -1 : 1))
    const [other = null] = rows.slice(MOST_GROUPS).map(({ name: _first, ...beyond }) => beyond)
    const labeled = await withLabels(forOrg(db, orgId), by, groups, viewer)
    return { ...days, by, groups: labeled, other, total: rows.reduce(added, NOTHING) }
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
      if (isAdmin(caller)) return answer(orgId, question, caller)
      if (member !== undefined && member !== userId)
        throw new GatewayError(
          'admin_required',
          'Only an owner or an admin of the organization may see what other members use. Omit member for your own usage.',
        )
      return answer(orgId, { ...question, member: userId }, caller)
    },
  }
}

async function withLabels(
  org: OrgDatabase,
  by: UsageBy,
  groups: readonly UsageGroup[],
  viewer: Caller | undefined,
): Promise<LabeledGroup[]> {
  if (!isLabeled(by)) return [...groups]
  const ids = groups.flatMap(({ name }) => name ?? [])
  const labels = await labelsOf(org, by, { ids, viewer })
  return groups.map(({ name, ...sums }) => ({ name, label: labels.get(name ?? '') ?? null, ...sums }))
}

function added(one: UsageSums, other: UsageSums): UsageSums {
  return {
    calls: one.calls + other.calls,
    errors: one.errors + other.errors,
    durationMs: one.durationMs + other.durationMs,
    costMicros: one.costMicros + other.costMicros,
  }
}

/** Throws if the user is not a member and never was. The usage of removed members stays. */
async function requireMemberOnce(db: Kysely<Database>, orgId: string, userId: string): Promise<void> {
  const memberships = forOrg(db, orgId).selectFrom('memberships').where('user_id', '=', userId)
  const found = isId('usr', userId) ? await memberships.select('user_id').executeTakeFirst() : undefined
  if (found === undefined)
    throw new GatewayError('invalid_request', `${userId} is not and was not a member of ${orgId}.`)
}

const sums = {
  calls: Type.Integer(),
  errors: Type.Integer(),
  average_ms: Type.Integer(),
  cost_micros: Type.Integer(),
  cost: Type.String(),
}
const Sums = Type.Object(sums)

/** A summary of usage on the wire. */
export const UsageEntry = Type.Object({
  from: Type.String(),
  to: Type.String(),
  by: StringEnum(USAGE_BY),
  total: Sums,
  groups: Type.Array(
    Type.Object({
      name: orNull(Type.String()),
      label: Type.Optional(
        orNull(Type.String(), {
          description:
            'The display name of a member (email), key, agent or account; null if it is unknown or hidden from this caller.',
        }),
      ),
      ...sums,
    }),
  ),
  other: orNull(Type.Object({ groups: Type.Integer(), ...sums }), {
    description: 'The groups beyond the first 200, added up.',
  }),
})

export function usageEntry({ from, to, by, groups, other, total }: UsageSummary): Static<typeof UsageEntry> {
  return {
    from,
    to,
    by,
    total: sumsEntry(total),
    groups: groups.map(({ name, label, ...group }) => ({
      name,
      ...(label !== undefined && { label }),
      ...sumsEntry(group),
    })),
    other: other && { groups: other.groups, ...sumsEntry(other) },
  }
}

function sumsEntry({ calls, errors, durationMs, costMicros }: UsageSums): Static<typeof Sums> {
  return {
    calls,
    errors,
    average_ms: calls === 0 ? 0 : Math.round(durationMs / calls),
    cost_micros: costMicros,
    cost: dollars(costMicros),
  }
}

/** The groupings whose names are IDs, which people know under another name. */
const LABELED = ['member', 'key', 'agent', 'account'] as const satisfies readonly UsageBy[]
type LabeledBy = (typeof LABELED)[number]

/** Whether the groups of a summary have labels. */
function isLabeled(by: UsageBy): by is LabeledBy {
  return LABELED.some(one => one === by)
}

/**
 * What people call the things with these IDs: the email of a member, the name of a key or agent, connector and alias of
 * an account. Without a viewer, for the operator. A viewer gets only what they may see: of keys and agents their own
 * ones unless they are an admin, of accounts their own and the shared ones. The rest is absent.
 */
async function labelsOf(
  org: OrgDatabase,
  by: LabeledBy,
  { ids, viewer }: { ids: readonly string[]; viewer: Caller | undefined },
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await rowsOf(org, by, { ids, viewer })
  return new Map(rows.flatMap(({ id, label }) => (label === null ? [] : [[id, label]])))
}

function rowsOf(
  org: OrgDatabase,
  by: LabeledBy,
  { ids, viewer }: { ids: readonly string[]; viewer: Caller | undefined },
): Promise<{ id: string; label: string | null }[]> {
  const owner = viewer === undefined || isAdmin(viewer) ? undefined : viewer.userId
  switch (by) {
    case 'member':
      return org
        .selectFrom('memberships')
        .innerJoin('users', 'users.id', 'memberships.user_id')
        .where('users.id', 'in', ids)
        .select(['users.id', 'users.email as label'])
        .execute()
    case 'key':
      return org
        .selectFrom('api_keys')
        .where('id', 'in', ids)
        .$if(owner !== undefined, query => query.where('user_id', '=', owner ?? ''))
        .select(['id', 'name as label'])
        .execute()
    case 'agent':
      return org
        .selectFrom('agents')
        .where('id', 'in', ids)
        .$if(owner !== undefined, query => query.where('owner_id', '=', owner ?? ''))
        .select(['id', 'name as label'])
        .execute()
    case 'account':
      return accountsOf(org, ids, viewer)
  }
}

/** Private accounts of other members are hidden also from admins. */
async function accountsOf(org: OrgDatabase, ids: readonly string[], viewer: Caller | undefined) {
  const rows = await org
    .selectFrom('accounts')
    .where('id', 'in', ids)
    .$if(viewer !== undefined, query =>
      query.where(eb => eb.or([eb('scope', '=', 'shared'), eb('user_id', '=', viewer?.userId ?? '')])),
    )
    .select(['id', 'connector', 'alias'])
    .execute()
  return rows.map(({ id, connector, alias }) => ({ id, label: `${connector} ${alias}` }))
}
