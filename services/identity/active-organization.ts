import { LOOKUP_DEADLINE_MS, retryRead } from '../../lib/database/database-errors.ts'
import { ReadCache } from '../../lib/database/read-cache.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import type { Role } from '../../schemas/organizations/member.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { ActiveOrganization } from './caller.ts'
import type { UserIdentity } from './identity.ts'

/** A membership from its user's point of view. */
export interface Membership {
  orgId: string
  name: string
  role: Role
}

/** A user and the OAuth client that they call with; `clientId` is empty for a session. */
type ClientOfUser = Pick<UserIdentity, 'userId' | 'clientId'>

/** The active organization of users. */
export interface ActiveOrganizations {
  /** What `of` returned within the last 10 s, unless it has changed. Synchronous, because every request needs it. */
  cached(user: ClientOfUser): ActiveOrganization | undefined
  /**
   * The choice for the user's OAuth client, else their default choice, else their only membership. Never replaces a
   * revoked choice by another organization. While the database is down, returns a value of the last 10 minutes, or else
   * throws the error of the database.
   */
  of(user: ClientOfUser): Promise<ActiveOrganization>
  /** The organizations of a user, sorted by name. */
  membershipsOf(userId: string): Promise<Membership[]>
  /** Sets the choice of a user and client; false if the user is not a member of the organization. */
  choose(user: ClientOfUser, orgId: string): Promise<boolean>
  /**
   * Drops what is cached of a user, after a change of their membership by this process: their next request may arrive
   * before the event.
   */
  forget(userId: string): void
}

export function createActiveOrganizations(
  options: Pick<Infrastructure, 'db' | 'clock' | 'events'>,
): ActiveOrganizations {
  const { db, events, clock } = options
  const cache = new ReadCache<ActiveOrganization>({ clock, max: 50_000 })

  function forget(userId: string | null): void {
    cache.drop((_active, key) => userId === null || key.startsWith(`${userId} `))
  }
  events.on('membership', ({ id }) => forget(id))
  events.on('active_organization', ({ id }) => forget(id))
  events.onReset(() => cache.recheckAll())

  // The memberships of a user span organizations, so no tenant's handle fits.
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
      // The client's own choice comes before the default, whose client is empty.
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
    forget,

    async choose({ userId, clientId }, orgId) {
      const member = await membershipsOf(userId)
      if (!member.some(membership => membership.orgId === orgId)) return false
      const chosen = { org_id: orgId, chosen_at: new Date(clock.now()) }
      await acrossOrgs(db)
        .insertInto('active_organizations')
        .values({ user_id: userId, client_id: clientId, ...chosen })
        .onConflict(conflict => conflict.columns(['user_id', 'client_id']).doUpdateSet(chosen))
        .execute()
      // The event reaches the other processes. The next request to this process may arrive before the event.
      forget(userId)
      return true
    },
  }
}

function keyOf({ userId, clientId }: ClientOfUser): string {
  return `${userId} ${clientId}`
}
