import { errorCode } from '../../../lib/database/database-errors.ts'
import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { RemoteOauth } from '../../../schemas/oauth-client.ts'
import type { RemoteAuthMode } from '../../../schemas/remote.ts'
import type { Registration, RemoteAuth } from '../registration.ts'
import { UnknownRemote } from '../unknown-remote.ts'

/** The columns that a Registration is made of. */
const COLUMNS = [
  'id',
  'org_id as orgId',
  'slug',
  'name',
  'upstream_url as upstreamUrl',
  'auth_mode as authMode',
  'header_name as headerName',
  'oauth',
  'hidden',
  'created_by as createdBy',
  'created_at as createdAt',
  'snapshot_id as snapshotId',
  'snapshot_refusal as snapshotRefusal',
] as const

/** Registrations of an organization at most: every list of tools and of connectors names them all. */
const MAX_REMOTES = 50

const UNIQUE_VIOLATION = '23505'

/** The registrations of an organization, by slug. */
export async function readRegistrations(org: OrgDatabase): Promise<Registration[]> {
  const rows = await select(org).execute()
  return rows.map(toRegistration)
}

/**
 * A registration, held until the transaction ends; undefined where there is none. Whoever writes something of one locks
 * it before the account that holds its credential: a removal leaves nothing behind then.
 */
export async function lockRegistration(
  org: OrgDatabase,
  by: { slug: string } | { id: string },
): Promise<Registration | undefined> {
  const query = select(org).forUpdate()
  const held = 'id' in by ? query.where('id', '=', by.id) : query.where('slug', '=', by.slug)
  const row = await held.executeTakeFirst()
  return row && toRegistration(row)
}

/** The refusal of a slug that the organization has not registered; to be thrown. */
export async function unknownRegistration(org: OrgDatabase, slug: string): Promise<UnknownRemote> {
  return new UnknownRemote(slug, await readRegistrations(org))
}

/** Throws slug_taken where the organization has one of this slug. */
export async function requireFree(org: OrgDatabase, slug: string): Promise<void> {
  const taken = await org.selectFrom('remote_connectors').where('slug', '=', slug).select('id').executeTakeFirst()
  if (taken !== undefined) throw slugTaken(slug)
}

/** Throws invalid_request where the organization has as many as there can be. */
export async function requireRoom(org: OrgDatabase): Promise<void> {
  const { count } = await org
    .selectFrom('remote_connectors')
    .select(eb => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) < MAX_REMOTES) return
  throw new GatewayError(
    'invalid_request',
    `The organization has ${MAX_REMOTES} remote connectors, which is as many as there can be. Remove one that is not needed, then register again.`,
  )
}

/** Throws slug_taken. */
export async function insertRegistration(org: OrgDatabase, registration: Registration): Promise<void> {
  const { id, slug, name, upstreamUrl, auth, hidden, createdBy, createdAt, snapshotId } = registration
  try {
    await org
      .insertInto('remote_connectors', {
        id,
        slug,
        name,
        upstream_url: upstreamUrl,
        auth_mode: auth.mode,
        header_name: auth.mode === 'header' ? auth.headerName : null,
        oauth: auth.mode === 'oauth' ? JSON.stringify(auth.oauth) : null,
        hidden,
        created_by: createdBy,
        created_at: createdAt,
        snapshot_id: snapshotId,
      })
      .execute()
  } catch (error) {
    throw errorCode(error) === UNIQUE_VIOLATION ? slugTaken(slug) : error
  }
}

/**
 * Notes the beginning of a refresh; by one statement, so that of two at once one is refused. Answers when the last one
 * began where that is less than `cooldownMs` before `at`.
 */
export async function beginRefresh(
  org: OrgDatabase,
  id: string,
  { at, cooldownMs }: { at: number; cooldownMs: number },
): Promise<'begun' | 'gone' | { last: Date | null }> {
  const begun = await org
    .updateTable('remote_connectors')
    .where('id', '=', id)
    .where(eb => eb.or([eb('refreshed_at', 'is', null), eb('refreshed_at', '<=', new Date(at - cooldownMs))]))
    .set({ refreshed_at: new Date(at) })
    .returning('id')
    .executeTakeFirst()
  if (begun !== undefined) return 'begun'
  const query = org.selectFrom('remote_connectors').where('id', '=', id).select('refreshed_at as last')
  return (await query.executeTakeFirst()) ?? 'gone'
}

/** Serves a snapshot, notes why one was refused, or hides the tools of a registration or shows them again. */
export async function updateRegistration(
  org: OrgDatabase,
  id: string,
  to: { snapshotId: string } | { snapshotRefusal: string } | { hidden: boolean },
): Promise<void> {
  const set = 'snapshotId' in to ? { snapshot_id: to.snapshotId, snapshot_refusal: null } : toColumns(to)
  await org.updateTable('remote_connectors').where('id', '=', id).set(set).execute()
}

/** Its snapshots, its account with the credential and its OAuth client go with it. */
export async function deleteRegistration(org: OrgDatabase, id: string): Promise<void> {
  await org.deleteFrom('remote_connectors').where('id', '=', id).execute()
}

function toColumns(to: { snapshotRefusal: string } | { hidden: boolean }) {
  return 'hidden' in to ? to : { snapshot_refusal: to.snapshotRefusal }
}

function select(org: OrgDatabase) {
  return org.selectFrom('remote_connectors').orderBy('slug').select(COLUMNS)
}

interface Row extends Omit<Registration, 'auth'> {
  authMode: RemoteAuthMode
  headerName: string | null
  oauth: RemoteOauth | null
}

function toRegistration({ authMode, headerName, oauth, ...fields }: Row): Registration {
  return { ...fields, auth: toAuth({ authMode, headerName, oauth }) }
}

/** The table itself refuses a row in which these do not fit together. */
function toAuth({ authMode: mode, headerName, oauth }: Pick<Row, 'authMode' | 'headerName' | 'oauth'>): RemoteAuth {
  if (mode === 'none' || mode === 'bearer') return { mode }
  if (mode === 'header' && headerName !== null) return { mode, headerName }
  if (mode === 'oauth' && oauth !== null) return { mode, oauth }
  throw new TypeError(`A registration of mode ${mode} lacks what that mode has`)
}

function slugTaken(slug: string): GatewayError {
  return new GatewayError(
    'slug_taken',
    `The organization has another remote connector named ${slug}. Choose another slug.`,
  )
}
