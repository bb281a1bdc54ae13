import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { LOOKUP_DEADLINE_MS, withDeadline } from '../../lib/database/database-errors.ts'
import type { DatabaseEvents } from '../../lib/database/events.ts'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import { atMost } from '../../lib/lru.ts'
import type { Logger } from '../../schemas/gateway/log.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { changeIn } from './change.ts'
import { insertMember, lockUser } from './members.ts'
import { claimPath, type MembershipRule } from './membership-rule-settings.ts'

/** The claims of a verified token. */
type Claims = Readonly<Record<string, unknown>>

/** Makes users members by the claims of their tokens. */
interface MembershipRules {
  /**
   * Applies the rules that match a verified token: adds the user to each organization of which they have never been a
   * member. Never changes a role, and never adds a removed member again. A failure is logged and does not reject the
   * token; the next one is tried again.
   */
  apply(userId: string, token: { issuer: string; claims: Claims }): Promise<void>
  /** Warns of rules whose organization does not exist. */
  warnOfMissing(): Promise<void>
}

interface MembershipRulesOptions extends Pick<Infrastructure, 'db' | 'clock' | 'audit'> {
  events: Pick<DatabaseEvents, 'onReset'>
  log: Pick<Logger, 'warn' | 'info'>
  rules: readonly MembershipRule[]
}

export function createMembershipRules({
  db,
  events,
  clock,
  audit,
  log,
  rules,
}: MembershipRulesOptions): MembershipRules {
  /** Users and organizations with a membership, active or not. Its row is never deleted. */
  const settled = new LRUCache<string, true>(atMost(50_000))
  events.onReset(() => settled.clear())

  async function applyRule(userId: string, rule: MembershipRule): Promise<void> {
    const orgId = rule.organization
    const known = await hasMembership(forOrg(db, orgId), userId)
    if (!known && (await missing(db, [rule])).length > 0) return warnOfMissing([rule])
    if (!known) await join(userId, rule)
    settled.set(keyOf(userId, orgId), true)
  }

  async function join(userId: string, rule: MembershipRule): Promise<void> {
    const { issuer, claim, value, organization: orgId, role } = rule
    const added = await changeIn(db, { orgId, by: 'operator' }, async org => {
      // Again under the lock of the organization, because another process may have applied the rule.
      if (await hasMembership(org, userId)) return false
      await lockUser(org.db, userId)
      const detail = { rule: { issuer, claim, value } }
      await insertMember(org, audit, { userId, role, by: 'operator', at: new Date(clock.now()), detail })
      return true
    })
    if (added) log.info({ org: orgId, member: userId, role }, 'added a member by MEMBERSHIP_RULES')
  }

  function warnOfMissing(rules: readonly MembershipRule[]): void {
    if (rules.length === 0) return
    const organizations = [...new Set(rules.map(({ organization }) => organization))]
    log.warn(
      { organizations },
      'MEMBERSHIP_RULES names organizations that do not exist, so these rules add nobody: correct or remove them',
    )
  }

  return {
    async apply(userId, { issuer, claims }) {
      const matching = rules.filter(rule => rule.issuer === issuer && hasValue(claims, rule))
      for (const rule of strongest(matching)) {
        if (settled.has(keyOf(userId, rule.organization))) continue
        try {
          await withDeadline(applyRule(userId, rule), LOOKUP_DEADLINE_MS)
        } catch (error) {
          log.warn(
            { err: error, org: rule.organization, member: userId },
            'cannot apply MEMBERSHIP_RULES to a sign-in; it is tried again with the next token',
          )
        }
      }
    },

    async warnOfMissing() {
      warnOfMissing(await missing(db, rules))
    },
  }
}

/** Whether a claim is the value of a rule, or a list that contains it. */
function hasValue(claims: Claims, rule: MembershipRule): boolean {
  let found: unknown = claims
  for (const name of claimPath(rule)) {
    if (typeof found !== 'object' || found === null || Array.isArray(found) || !Object.hasOwn(found, name)) return false
    found = (found as Claims)[name]
  }
  return Array.isArray(found) ? found.includes(rule.value) : found === rule.value
}

/** Of several rules for one organization, the one with the highest role. */
function strongest(matching: readonly MembershipRule[]): MembershipRule[] {
  const admins = matching.filter(({ role }) => role === 'admin')
  return [...new Map([...matching, ...admins].map(rule => [rule.organization, rule])).values()]
}

/** Whether a user is or was a member. */
async function hasMembership(org: OrgDatabase, userId: string): Promise<boolean> {
  const query = org.selectFrom('memberships').where('user_id', '=', userId).select('user_id')
  return (await query.executeTakeFirst()) !== undefined
}

/** The rules whose organization does not exist. */
async function missing(db: Kysely<Database>, rules: readonly MembershipRule[]): Promise<MembershipRule[]> {
  if (rules.length === 0) return []
  const ids = [...new Set(rules.map(({ organization }) => organization))]
  const found = await db.selectFrom('organizations').where('id', 'in', ids).select('id').execute()
  const known = new Set(found.map(({ id }) => id))
  return rules.filter(({ organization }) => !known.has(organization))
}

function keyOf(userId: string, orgId: string): string {
  return `${userId} ${orgId}`
}
