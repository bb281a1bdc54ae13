import { forOrg } from '../../lib/database/tenant.ts'
import type { BillingState } from '../../schemas/billing/money.ts'
import type { Membership } from '../identity/active-organization.ts'
import type { Caller } from '../identity/caller.ts'
import type { Infrastructure } from '../infrastructure.ts'

/** A member and the organization that they act in. */
interface Profile {
  user: { id: string; email: string | null }
  organization: { id: string; name: string }
  standing: BillingState
}

interface ProfilesOptions extends Pick<Infrastructure, 'db'> {
  standings: { state(orgId: string): Promise<BillingState> }
  membershipsOf(userId: string): Promise<Membership[]>
}

/** What members see of themselves. */
export interface Profiles {
  /** A member, with the current state of their organization. */
  of(caller: Caller): Promise<Profile>
  /** A user, who need not be a member of anything. */
  ofUser(userId: string): Promise<Pick<Profile, 'user'>>
  /** All organizations of a user, sorted by name. */
  organizationsOf(userId: string): Promise<Membership[]>
}

export function createProfiles({ db, standings, membershipsOf }: ProfilesOptions): Profiles {
  return {
    async of({ userId, orgId }) {
      const found = await forOrg(db, orgId)
        .selectFrom('memberships')
        .innerJoin('users', 'users.id', 'memberships.user_id')
        .innerJoin('organizations', 'organizations.id', 'memberships.org_id')
        .where('users.id', '=', userId)
        .select(['users.email', 'organizations.name'])
        .executeTakeFirstOrThrow()
      return {
        user: { id: userId, email: found.email },
        organization: { id: orgId, name: found.name },
        standing: await standings.state(orgId),
      }
    },
    async ofUser(userId) {
      const users = db.selectFrom('users').where('id', '=', userId)
      const { email } = await users.select('email').executeTakeFirstOrThrow()
      return { user: { id: userId, email } }
    },
    organizationsOf: membershipsOf,
  }
}
