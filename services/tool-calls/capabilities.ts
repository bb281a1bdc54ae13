import type { Actor } from '../../lib/audit/audit.ts'
import { LOOKUP_DEADLINE_MS, retryRead } from '../../lib/database/database-errors.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { requireMember, requireOrganization } from '../organizations/requirements.ts'

/** The disabled capabilities of a member: families, connector ids, `org__<slug>` or single tools. */
export type DisabledCapabilities = ReadonlySet<string>

/** A disabled capability, for one member or (userId null) for all. */
export interface SwitchedOff {
  readonly capability: string
  readonly userId: string | null
}

/** A capability to enable or disable, for one member or (userId null) for all. */
interface CapabilityChange {
  orgId: string
  userId: string | null
  capability: string
  enabled: boolean
  /** The actor for the audit log; the operator if absent. */
  by?: Actor
}

/** Capability settings of organizations and of their members. */
export interface Capabilities {
  /** The capabilities that are disabled for the organization or for the member. */
  disabledFor(orgId: string, userId: string): Promise<DisabledCapabilities>
  /** The same with the scope of each setting. A capability that is disabled for both appears twice. */
  switchedOff(orgId: string, userId: string): Promise<SwitchedOff[]>
  /**
   * Enables or disables a capability, for one member or (userId null) for all. Throws invalid_request for an unknown
   * capability, organization or member.
   */
  set(change: CapabilityChange): Promise<void>
  /** All disabled capabilities of an organization. Throws invalid_request if the organization does not exist. */
  listOff(orgId: string): Promise<SwitchedOff[]>
}

interface CapabilitiesOptions extends Pick<Infrastructure, 'db' | 'clock' | 'audit'> {
  /** Whether an organization has a family, connector or tool of this name. */
  isCapability(name: string, orgId: string): boolean | Promise<boolean>
  /** Suggestions for an unknown name. */
  similarTo(name: string, orgId: string): readonly string[] | Promise<readonly string[]>
}

export function createCapabilities(options: CapabilitiesOptions): Capabilities {
  const { db, clock, audit, isCapability, similarTo } = options

  function switchedOff(orgId: string, userId: string): Promise<SwitchedOff[]> {
    const read = () =>
      forOrg(db, orgId)
        .selectFrom('capability_settings')
        .where('enabled', '=', false)
        .where(eb => eb.or([eb('user_id', 'is', null), eb('user_id', '=', userId)]))
        .select(['capability', 'user_id as userId'])
        .execute()
    return retryRead(read, LOOKUP_DEADLINE_MS)
  }

  async function isOff(orgId: string, capability: string): Promise<boolean> {
    const query = forOrg(db, orgId).selectFrom('capability_settings').where('enabled', '=', false)
    return (await query.where('capability', '=', capability).select('capability').executeTakeFirst()) !== undefined
  }

  return {
    switchedOff,

    async disabledFor(orgId, userId) {
      return new Set((await switchedOff(orgId, userId)).map(({ capability }) => capability))
    },

    async listOff(orgId) {
      await requireOrganization(db, orgId)
      return forOrg(db, orgId)
        .selectFrom('capability_settings')
        .where('enabled', '=', false)
        .orderBy('capability')
        .orderBy('user_id')
        .select(['capability', 'user_id as userId'])
        .execute()
    },

    async set({ orgId, userId, capability, enabled, by = 'operator' }) {
      // A capability that no longer exists can still be enabled. Otherwise its setting would stay forever.
      const known = (await isCapability(capability, orgId)) || (enabled && (await isOff(orgId, capability)))
      if (!known) throw unknownCapability(capability, await similarTo(capability, orgId))
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
          by,
          action: enabled ? 'capability.enable' : 'capability.disable',
          target: userId ?? orgId,
          detail: { capability },
        })
      })
    },
  }
}

function unknownCapability(name: string, similar: readonly string[]): GatewayError {
  const suggestions = similar.length === 0 ? '' : ` Did you mean: ${similar.join(', ')}?`
  return new GatewayError('invalid_request', `No family, connector or tool is named ${name}.${suggestions}`)
}
