import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import { slugOf } from '../../../schemas/remotes/names.ts'

/**
 * Records that the authorization server of a registered server refuses `resource`, so that later requests do not send it.
 * Does nothing for other connectors, and if the registration has another token endpoint by now.
 */
export async function recordRefusedResource(org: OrgDatabase, connector: string, tokenUrl: string): Promise<void> {
  const slug = slugOf(connector)
  if (slug === undefined) return
  const row = await org
    .selectFrom('remote_connectors')
    .where('slug', '=', slug)
    .select(['id', 'oauth'])
    .forUpdate()
    .executeTakeFirst()
  if (!row?.oauth || row.oauth.tokenEndpoint !== tokenUrl) return
  const oauth = JSON.stringify({ ...row.oauth, withoutResource: true })
  await org.updateTable('remote_connectors').where('id', '=', row.id).set({ oauth }).execute()
}
