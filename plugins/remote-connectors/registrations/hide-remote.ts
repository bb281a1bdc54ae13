import { isSlug } from '../../../schemas/remote-names.ts'
import type { Audit } from '../../audit/audit.ts'
import type { RemoteConnectors } from '../remote-connectors.ts'
import type { ChangeRemotes } from './change-remotes.ts'
import { lockRegistration, unknownRegistration, updateRegistration } from './registration-rows.ts'

export interface HideRemoteOptions {
  audit: Audit
  change: ChangeRemotes
}

/** See RemoteConnectors.setHidden. */
export function createHideRemote({ audit, change }: HideRemoteOptions): RemoteConnectors['setHidden'] {
  return async function hideRemote(orgId, slug, hidden, by) {
    await change(orgId, by, async org => {
      const held = isSlug(slug) ? await lockRegistration(org, { slug }) : undefined
      if (held === undefined) throw await unknownRegistration(org, slug)
      if (held.hidden === hidden) return
      const { id } = held
      await updateRegistration(org, id, { hidden })
      await audit.record(org, { by, action: hidden ? 'remote.hide' : 'remote.show', target: id, detail: { slug } })
    })
  }
}
