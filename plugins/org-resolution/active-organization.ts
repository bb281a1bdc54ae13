import type { Kysely } from 'kysely'
import type { Role } from '../../schemas/role.ts'
import type { Clock } from '../../schemas/time.ts'
import type { Database } from '../database/tables.ts'
import { acrossOrgs } from '../database/tenant.ts'
import type { UserIdentity } from '../identity/identity.ts'
import type { ActiveOrganization } from './caller.ts'

/** A membership as its user sees it. */
export interface Membership {
  orgId: string
  name: string
  role: Role
}

/** Which organization a user acts in (decisions.md, the active organization). */
export interface ActiveOrganizations {
  /**
   * The choice for the user's OAuth client, else his default choice, else his only membership. A choice that was
   * revoked is never replaced silently.
   */
  of(user: Pick<UserIdentity, 'userId' | 'clientId'>): Promise<ActiveOrganization>
  /** The organizations a user is a member of, by name. */
  membershipsOf(userId: string): Promise<Membership[]>
  /** Chooses for a user and client; false when he is no member there. */
  choose(user: Pick<UserIdentity, 'userId' | 'clientId'>, orgId: string): Promise<boolean>
}

export function createActiveOrganizations({ db, clock }: { db: Kysely<Database>; clock: Clock }): ActiveOrganizations {
  // A user's memberships span organizations: these queries are about him, not about one tenant.
  const memberships = (userId: string) =>
    acrossOrgs(db)
      .selectFrom('memberships as m')
      .innerJoin('organizations as o', 'o.id', 'm.org_id')
      .where('m.user_id', '=', userId)
      .where('m.revoked_at', 'is', null)
      .orderBy('o.name')
      .orderBy('o.id')
      .select(['m.org_id as orgId', 'o.name', 'm.role'])
      .execute()

  return {
    async of({ userId, clientId }) {
      const member = await memberships(userId)
      const choices = await db
        .selectFrom('active_organizations')
        .where('user_id', '=', userId)
        .where('client_id', 'in', [clientId, ''])
        .orderBy('client_id', 'desc')
        .select('org_id')
        .execute()
      const chosen = choices[0]?.org_id
      if (chosen === undefined) {
        const [only, ...others] = member
        return only !== undefined && others.length === 0 ? { state: 'member', ...only } : { state: 'none' }
      }
      const active = member.find(({ orgId }) => orgId === chosen)
      return active === undefined ? { state: 'revoked' } : { state: 'member', ...active }
    },

    membershipsOf: memberships,

    async choose({ userId, clientId }, orgId) {
      const member = await memberships(userId)
      if (!member.some(membership => membership.orgId === orgId)) return false
      const chosen = { org_id: orgId, chosen_at: new Date(clock.now()) }
      await acrossOrgs(db)
        .insertInto('active_organizations')
        .values({ user_id: userId, client_id: clientId, ...chosen })
        .onConflict(conflict => conflict.columns(['user_id', 'client_id']).doUpdateSet(chosen))
        .execute()
      return true
    },
  }
}
