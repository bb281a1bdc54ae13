import type { Kysely } from 'kysely'
import { LOOKUP_DEADLINE_MS, retryRead } from '../../lib/database/database-errors.ts'
import type { DatabaseEvents } from '../../lib/database/events.ts'
import { ReadCache } from '../../lib/database/read-cache.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import type { Role } from '../../schemas/role.ts'
import type { Clock } from '../../schemas/time.ts'
import type { ActiveOrganization } from './caller.ts'
import type { UserIdentity } from './identity.ts'

/** A membership as its user sees it. */
export interface Membership {
  orgId: string
  name: string
  role: Role
}

/** A user, and the OAuth client that he calls with; empty for a session. */
export type ClientOfUser = Pick<UserIdentity, 'userId' | 'clientId'>

/** Which organization a user acts in (decisions.md, the active organization). */
export interface ActiveOrganizations {
  /** What `of` answered within the last 10 s, unless it has changed; without a promise, because every request asks. */
  cached(user: ClientOfUser): ActiveOrganization | undefined
  /**
   * The choice for the user's OAuth client, else his default choice, else his only membership. A choice that was
   * revoked is never replaced silently. While the database is down, what was read within the last 10 min; else throws
   * the database's own error.
   */
  of(user: ClientOfUser): Promise<ActiveOrganization>
  /** The organizations a user is a member of, by name. */
  membershipsOf(userId: string): Promise<Membership[]>
  /** Chooses for a user and client; false when he is no member there. */
  choose(user: ClientOfUser, orgId: string): Promise<boolean>
}

export function createActiveOrganizations(options: {
  db: Kysely<Database>
  events: DatabaseEvents
  clock: Clock
}): ActiveOrganizations {
  const { db, events, clock } = options
  const cache = new ReadCache<ActiveOrganization>({ clock, max: 50_000 })

  function forget(userId: string | null): void {
    cache.drop((_active, key) => userId === null || key.startsWith(`${userId} `))
  }
  events.on('membership', ({ id }) => forget(id))
  events.on('active_organization', ({ id }) => forget(id))
  events.onReset(() => cache.recheckAll())

  // A user's memberships span organizations: these queries are about him, not about one tenant.
  const memberships = (userId: string) =>
    acrossOrgs(db)
      .selectFrom('memberships as m')
      .innerJoin('organizations as o', 'o.id', 'm.org_id')
      .where('m.user_id', '=', userId)
      .orderBy('o.name')
      .orderBy('o.id')
  const membershipsOf = (userId: string): Promise<Membership[]> =>
    memberships(userId).where('m.revoked_at', 'is', null).select(['m.org_id as orgId', 'o.name', 'm.role']).execute()

  async function read({ userId, clientId }: ClientOfUser): Promise<ActiveOrganization> {
    const all = await memberships(userId).select(['m.org_id as orgId', 'm.role', 'm.revoked_at']).execute()
    const live = all.filter(({ revoked_at }) => revoked_at === null)
    const choice = await acrossOrgs(db)
      .selectFrom('active_organizations')
      .where('user_id', '=', userId)
      .where('client_id', 'in', [clientId, ''])
      // The client's own choice before the default, whose client is empty.
      .orderBy('client_id', 'desc')
      .select('org_id')
      .executeTakeFirst()
    if (choice === undefined && live.length !== 1)
      return live.length === 0 && all.length > 0 ? { state: 'revoked' } : { state: 'none' }
    const active = choice === undefined ? live[0] : live.find(({ orgId }) => orgId === choice.org_id)
    return active === undefined ? { state: 'revoked' } : { state: 'member', orgId: active.orgId, role: active.role }
  }

  return {
    cached: user => cache.fresh(keyOf(user)),

    async of(user) {
      const active = await cache.read(keyOf(user), () => retryRead(() => read(user), LOOKUP_DEADLINE_MS))
      return active ?? { state: 'none' }
    },

    membershipsOf,

    async choose({ userId, clientId }, orgId) {
      const member = await membershipsOf(userId)
      if (!member.some(membership => membership.orgId === orgId)) return false
      const chosen = { org_id: orgId, chosen_at: new Date(clock.now()) }
      await acrossOrgs(db)
        .insertInto('active_organizations')
        .values({ user_id: userId, client_id: clientId, ...chosen })
        .onConflict(conflict => conflict.columns(['user_id', 'client_id']).doUpdateSet(chosen))
        .execute()
      // The event tells the other processes; this one's next request must not come before it.
      forget(userId)
      return true
    },
  }
}

function keyOf({ userId, clientId }: ClientOfUser): string {
  return `${userId} ${clientId}`
}
