import type { Audit } from '../../../lib/audit/audit.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { isSlug } from '../../../schemas/remote-names.ts'
import type { RemoteConnectors } from '../remote-connectors.ts'
import type { ChangeRemotes } from './change-remotes.ts'
import { lockRegistration, unknownRegistration, updateRegistration } from './registration-rows.ts'
import type { SurfaceRoom } from './surface-room.ts'

export interface HideRemoteOptions {
  audit: Audit
  change: ChangeRemotes
  room: Pick<SurfaceRoom, 'refusalToShow'>
}

/** See RemoteConnectors.setHidden. */
export function createHideRemote({ audit, change, room }: HideRemoteOptions): RemoteConnectors['setHidden'] {
  return async function hideRemote(orgId, slug, hidden, by) {
    await change(orgId, by, async org => {
      const held = isSlug(slug) ? await lockRegistration(org, { slug }) : undefined
      if (held === undefined) throw await unknownRegistration(org, slug)
      if (held.hidden === hidden) return
      const refusal = hidden ? undefined : await room.refusalToShow(org, held)
      if (refusal !== undefined) throw new GatewayError('invalid_request', refusal)
      const { id } = held
      await updateRegistration(org, id, { hidden })
      await audit.record(org, { by, action: hidden ? 'remote.hide' : 'remote.show', target: id, detail: { slug } })
    })
  }
}
