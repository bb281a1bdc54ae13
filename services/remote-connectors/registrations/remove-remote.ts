import { type Kysely, sql } from 'kysely'
import type { Audit } from '../../../lib/audit/audit.ts'
import type { Database } from '../../../lib/database/tables.ts'
import { forOrg, type OrgDatabase } from '../../../lib/database/tenant.ts'
import { isSlug, remoteCapability, wireName } from '../../../schemas/remote-names.ts'
import { lockRemoteAccount } from '../../accounts/account-rows.ts'
import type { RemoteConnectors } from '../remote-connectors.ts'
import { requireAdmin } from '../require-admin.ts'
import type { Upstreams } from '../upstream/upstream.ts'
import { deleteRegistration, lockRegistration, unknownRegistration } from './registration-rows.ts'

export interface RemoveRemoteOptions {
  db: Kysely<Database>
  audit: Audit
  upstreams: Pick<Upstreams, 'forget'>
  /** Told of an organization once a change of it is committed. */
  changed(orgId: string): void
}

/** See RemoteConnectors.remove. */
export function createRemoveRemote({ db, audit, upstreams, changed }: RemoveRemoteOptions): RemoteConnectors['remove'] {
  return async function removeRemote(caller, slug) {
    requireAdmin(caller)
    const { orgId } = caller
    const id = await forOrg(db, orgId).transaction(async org => {
      const registration = isSlug(slug) ? await lockRegistration(org, { slug }) : undefined
      if (registration === undefined) throw await unknownRegistration(org, slug)
      const { id, upstreamUrl, auth } = registration
      // Before anything that bumps the surface: a refused credential is written down in this order too.
      await lockRemoteAccount(org, id)
      await forgetCapability(org, remoteCapability(slug))
      await deleteRegistration(org, id)
      await audit.record(org, {
        by: caller,
        action: 'remote.remove',
        target: id,
        detail: { slug, upstreamUrl, authMode: auth.mode },
      })
      return id
    })
    upstreams.forget({ orgId, id })
    changed(orgId)
  }
}

/** What stands under the names of a registration's tools: another one of its slug is not to find it. */
async function forgetCapability(org: OrgDatabase, capability: string): Promise<void> {
  const itsTools = (column: string) => sql<boolean>`starts_with(${sql.ref(column)}, ${wireName(capability, '')})`
  await org
    .deleteFrom('capability_settings')
    .where(eb => eb.or([eb('capability', '=', capability), itsTools('capability')]))
    .execute()
  await org.deleteFrom('connect_attempts').where('connector', '=', capability).execute()
  await org.deleteFrom('idempotency').where(itsTools('tool')).execute()
}
