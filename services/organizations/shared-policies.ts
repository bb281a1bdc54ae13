import type { Actor } from '../../lib/audit/audit.ts'
import type { Policy } from '../../schemas/organizations/policy.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { Policies, PolicyTarget } from '../policies/policies.ts'
import type { StoredPolicy } from '../policies/policy.ts'
import { policyOf } from '../policies/policy.ts'
import { requireAuthority } from './authority.ts'
import { changeIn } from './change.ts'
import { requireOrganization } from './requirements.ts'

/** What binds many members. The policies of keys and agents are set with them. */
type SharedTarget = Extract<PolicyTarget, { layer: 'organization' | 'role' }>

/** The policies of organizations and of the roles of their members. */
export interface SharedPolicies {
  /** The policy of a target; without one, a policy that changes nothing. Throws invalid_request if the organization does not exist. */
  read(orgId: string, target: SharedTarget): Promise<Policy>
  /**
   * Sets a checked policy, or (null) removes it. Throws admin_required for members, and for an admin who changes that of the
   * owners.
   */
  set(change: { orgId: string; by: Actor }, target: SharedTarget, policy: StoredPolicy | null): Promise<Policy>
}

const ALL: Policy = { mode: 'all', rules: [] }

interface SharedPoliciesOptions extends Pick<Infrastructure, 'db'> {
  policies: Pick<Policies, 'read' | 'set'>
}

export function createSharedPolicies({ db, policies }: SharedPoliciesOptions): SharedPolicies {
  return {
    async read(orgId, target) {
      await requireOrganization(db, orgId)
      const stored = await policies.read(orgId, target)
      return stored === undefined ? ALL : policyOf(stored)
    },

    async set({ orgId, by }, target, policy) {
      await changeIn(db, { orgId, by }, async org => {
        await requireAuthority(org, by, target.layer === 'role' ? [target.subject] : [])
        await policies.set(org, target, policy, by)
      })
      return policy === null ? ALL : policyOf(policy)
    },
  }
}
