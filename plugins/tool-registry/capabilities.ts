import type { Kysely } from 'kysely'
import type { Clock } from '../../schemas/time.ts'
import type { Audit } from '../audit/audit.ts'
import type { Database } from '../database/tables.ts'
import { forOrg } from '../database/tenant.ts'
import { LOOKUP_DEADLINE_MS, retryRead } from '../database/unavailable.ts'
import { GatewayError } from '../error-envelope/errors.ts'
import { requireMember } from '../organizations/require-member.ts'
import { requireOrganization } from '../organizations/require-organization.ts'

/** What is switched off for a member: families, connector ids, `org__<slug>` or single tools. */
export type DisabledCapabilities = ReadonlySet<string>

/** Capability settings of organizations and of their members. */
export interface Capabilities {
  /** What is off for a member: what is off for the organization or for the member is off (decisions.md, Tool calls). */
  disabledFor(orgId: string, userId: string): Promise<DisabledCapabilities>
  /**
   * Switches a capability on or off, for one member or (userId null) for all. Throws invalid_request for a name that
   * nothing bears, and for an organization or a member that does not exist.
   */
  set(change: { orgId: string; userId: string | null; capability: string; enabled: boolean }): Promise<void>
}

export interface CapabilitiesOptions {
  db: Kysely<Database>
  clock: Clock
  audit: Audit
  /** Whether a name is that of a family or of a tool. */
  isCapability(name: string): boolean
}

export function createCapabilities({ db, clock, audit, isCapability }: CapabilitiesOptions): Capabilities {
  return {
    async disabledFor(orgId, userId) {
      const read = () =>
        forOrg(db, orgId)
          .selectFrom('capability_settings')
          .where('enabled', '=', false)
          .where(eb => eb.or([eb('user_id', 'is', null), eb('user_id', '=', userId)]))
          .select('capability')
          .execute()
      const rows = await retryRead(read, LOOKUP_DEADLINE_MS)
      return new Set(rows.map(row => row.capability))
    },

    async set({ orgId, userId, capability, enabled }) {
      if (!isCapability(capability))
        throw new GatewayError('invalid_request', `No family and no tool is named ${capability}.`)
      await requireOrganization(db, orgId)
      const updated_at = new Date(clock.now())
      await forOrg(db, orgId).transaction(async org => {
        if (userId !== null) await requireMember(org, userId)
        await org
          .insertInto('capability_settings', { user_id: userId, capability, enabled, updated_at })
          .onConflict(conflict =>
            conflict.columns(['org_id', 'user_id', 'capability']).doUpdateSet({ enabled, updated_at }),
          )
          .execute()
        await audit.record(org, {
          by: 'operator',
          action: enabled ? 'capability.enable' : 'capability.disable',
          target: userId ?? orgId,
          detail: { capability },
        })
      })
    },
  }
}
