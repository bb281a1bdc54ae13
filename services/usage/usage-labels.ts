import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { type Caller, isAdmin } from '../identity/caller.ts'
import type { UsageBy } from './usage-groups.ts'

/** The groupings whose names are IDs, which people know under another name. */
const LABELED = ['member', 'key', 'agent', 'account'] as const satisfies readonly UsageBy[]
type LabeledBy = (typeof LABELED)[number]

/** Whether the groups of a summary have labels. */
export function isLabeled(by: UsageBy): by is LabeledBy {
  return LABELED.some(one => one === by)
}

/**
 * What people call the things with these IDs: the email of a member, the name of a key or agent, connector and alias of
 * an account. Without a viewer, for the operator. A viewer gets only what they may see: of keys and agents their own
 * ones unless they are an admin, of accounts their own and the shared ones. The rest is absent.
 */
export async function labelsOf(
  org: OrgDatabase,
  by: LabeledBy,
  { ids, viewer }: { ids: readonly string[]; viewer: Caller | undefined },
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await rowsOf(org, by, { ids, viewer })
  return new Map(rows.flatMap(({ id, label }) => (label === null ? [] : [[id, label]])))
}

function rowsOf(
  org: OrgDatabase,
  by: LabeledBy,
  { ids, viewer }: { ids: readonly string[]; viewer: Caller | undefined },
): Promise<{ id: string; label: string | null }[]> {
  const owner = viewer === undefined || isAdmin(viewer) ? undefined : viewer.userId
  switch (by) {
    case 'member':
      return org
        .selectFrom('memberships')
        .innerJoin('users', 'users.id', 'memberships.user_id')
        .where('users.id', 'in', ids)
        .select(['users.id', 'users.email as label'])
        .execute()
    case 'key':
      return org
        .selectFrom('api_keys')
        .where('id', 'in', ids)
        .$if(owner !== undefined, query => query.where('user_id', '=', owner ?? ''))
        .select(['id', 'name as label'])
        .execute()
    case 'agent':
      return org
        .selectFrom('agents')
        .where('id', 'in', ids)
        .$if(owner !== undefined, query => query.where('owner_id', '=', owner ?? ''))
        .select(['id', 'name as label'])
        .execute()
    case 'account':
      return accountsOf(org, ids, viewer)
  }
}

/** Private accounts of other members are hidden also from admins. */
async function accountsOf(org: OrgDatabase, ids: readonly string[], viewer: Caller | undefined) {
  const rows = await org
    .selectFrom('accounts')
    .where('id', 'in', ids)
    .$if(viewer !== undefined, query =>
      query.where(eb => eb.or([eb('scope', '=', 'shared'), eb('user_id', '=', viewer?.userId ?? '')])),
    )
    .select(['id', 'connector', 'alias'])
    .execute()
  return rows.map(({ id, connector, alias }) => ({ id, label: `${connector} ${alias}` }))
}
