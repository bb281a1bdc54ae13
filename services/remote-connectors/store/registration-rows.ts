import type { Kysely } from 'kysely'
import type { Actor } from '../../../lib/audit/audit.ts'
import { errorCode, UNIQUE_VIOLATION } from '../../../lib/database/database-errors.ts'
import type { Database } from '../../../lib/database/tables.ts'
import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { CredentialPer } from '../../../schemas/remotes/auth.ts'
import { remoteCapability } from '../../../schemas/remotes/names.ts'
import type { RemoteOauth } from '../../../schemas/remotes/oauth-client.ts'
import type { Confirmation } from '../../../schemas/remotes/refresh.ts'
import type { RemoteAuthMode } from '../../../schemas/remotes/remote.ts'
import { changeIn } from '../../organizations/change.ts'
import { isPerMember, type Registration, type RemoteAuth } from '../registration.ts'
import { UnknownRemote } from '../require-remote.ts'

/** The columns of a Registration. */
const COLUMNS = [
  'id',
  'org_id as orgId',
  'slug',
  'name',
  'upstream_url as upstreamUrl',
  'auth_mode as authMode',
  'header_name as headerName',
  'oauth',
  'credential_per as credentialPer',
  'header_names as headerNames',
  'sealed',
  'key_id as keyId',
  'hidden',
  'created_by as createdBy',
  'created_at as createdAt',
  'snapshot_id as snapshotId',
  'snapshot_refusal as snapshotRefusal',
  'refresh_mode as refresh',
  'candidate',
  'overrides',
  'confirmed',
] as const

/** The maximum number of registrations per organization, because every list of tools or connectors includes all of them. */
const MAX_REMOTES = 50

/** The registrations of an organization, by slug. */
export async function readRegistrations(org: OrgDatabase): Promise<Registration[]> {
  const rows = await select(org).execute()
  return rows.map(toRegistration)
}

/**
 * Reads a registration and locks its row until the transaction ends; undefined if there is none. Lock it before the account
 * that holds its credential, so that a concurrent removal leaves nothing behind.
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

/** The error for a slug that the organization has not registered. */
export async function unknownRegistration(org: OrgDatabase, slug: string): Promise<UnknownRemote> {
  return new UnknownRemote(slug, await readRegistrations(org))
}

/** Throws slug_taken if the organization has a registration with this slug. */
export async function requireFree(org: OrgDatabase, slug: string): Promise<void> {
  const taken = await org.selectFrom('remote_connectors').where('slug', '=', slug).select('id').executeTakeFirst()
  if (taken !== undefined) throw slugTaken(slug)
}

/** Throws invalid_request if the organization has the maximum number of registrations. */
export async function requireRoom(org: OrgDatabase): Promise<void> {
  const { count } = await org
    .selectFrom('remote_connectors')
    .select(eb => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) < MAX_REMOTES) return
  throw new GatewayError(
    'invalid_request',
    `The organization has ${MAX_REMOTES} remote connectors, which is the maximum. Remove one, then register again.`,
  )
}

/** Stores a new registration. Throws slug_taken. */
export async function insertRegistration(org: OrgDatabase, registration: Registration): Promise<void> {
  const { id, slug, name, upstreamUrl, auth, headers, hidden, createdBy, createdAt, snapshotId, refresh } = registration
  try {
    await org
      .insertInto('remote_connectors', {
        id,
        slug,
        name,
        ...upstreamColumns({ upstreamUrl, auth, ...(headers !== undefined && { headers }) }),
        hidden,
        created_by: createdBy,
        created_at: createdAt,
        snapshot_id: snapshotId,
        refresh_mode: refresh,
      })
      .execute()
  } catch (error) {
    throw errorCode(error) === UNIQUE_VIOLATION ? slugTaken(slug) : error
  }
}

function upstreamColumns({ upstreamUrl, auth, headers }: Pick<Registration, 'upstreamUrl' | 'auth' | 'headers'>) {
  return {
    upstream_url: upstreamUrl,
    auth_mode: auth.mode,
    header_name: auth.mode === 'header' ? auth.headerName : null,
    oauth: 'oauth' in auth ? JSON.stringify(auth.oauth) : null,
    credential_per: isPerMember({ auth }) ? ('member' as const) : ('organization' as const),
    header_names: headers === undefined ? null : JSON.stringify(headers.names),
    sealed: headers?.sealed ?? null,
    key_id: headers?.keyId ?? null,
  }
}

/** Changes the server of a registration. The waiting snapshot and the confirmed hints are those of the old one. */
export async function updateUpstream(
  org: OrgDatabase,
  id: string,
  upstream: Pick<Registration, 'upstreamUrl' | 'auth' | 'headers'>,
): Promise<void> {
  const set = { ...upstreamColumns(upstream), candidate: null, snapshot_refusal: null, confirmed: null }
  await org.updateTable('remote_connectors').where('id', '=', id).set(set).execute()
}

/** Deletes the credentials of a registration, its OAuth client and the authorizations that are under way. */
export async function deleteCredentials(org: OrgDatabase, { id, slug }: { id: string; slug: string }): Promise<void> {
  await org.deleteFrom('connect_attempts').where('connector', '=', remoteCapability(slug)).execute()
  await org.deleteFrom('accounts').where('remote_id', '=', id).execute()
  await org.deleteFrom('oauth_clients').where('remote_id', '=', id).execute()
}

/**
 * Records the start of a refresh, in one statement, so that only one of two concurrent refreshes starts. Returns the start of
 * the last refresh if it is less than `cooldownMs` before `at`.
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

/** What may change of a registration besides its upstream. */
type Changes = Partial<Pick<Registration, 'name' | 'hidden' | 'refresh' | 'overrides' | 'candidate'>> & {
  confirmed?: Confirmation
  snapshotId?: string
  snapshotRefusal?: string
}

/** Changes a registration. A candidate was compared with the served snapshot, so it does not outlive it. */
export async function updateRegistration(org: OrgDatabase, id: string, changes: Changes): Promise<void> {
  const { refresh, overrides, candidate, confirmed, snapshotId, snapshotRefusal, ...same } = changes
  const set = {
    ...same,
    ...(refresh !== undefined && { refresh_mode: refresh }),
    ...(overrides !== undefined && { overrides: overrides.length === 0 ? null : JSON.stringify(overrides) }),
    ...(candidate !== undefined && { candidate: candidate && JSON.stringify(candidate) }),
    ...(confirmed !== undefined && { confirmed: JSON.stringify(confirmed) }),
    ...(snapshotRefusal !== undefined && { snapshot_refusal: snapshotRefusal }),
    ...(snapshotId !== undefined && { snapshot_id: snapshotId, snapshot_refusal: null, candidate: null }),
  }
  await org.updateTable('remote_connectors').where('id', '=', id).set(set).execute()
}

/** Deletes a registration. The database also deletes its snapshots, its account with the credential, and its OAuth client. */
export async function deleteRegistration(org: OrgDatabase, id: string): Promise<void> {
  await org.deleteFrom('remote_connectors').where('id', '=', id).execute()
}

function select(org: OrgDatabase) {
  return org.selectFrom('remote_connectors').orderBy('slug').select(COLUMNS)
}

interface Row extends Omit<Registration, 'auth' | 'headers' | 'overrides'> {
  overrides: string | null
  authMode: RemoteAuthMode
  headerName: string | null
  oauth: RemoteOauth | null
  credentialPer: CredentialPer
  headerNames: string[] | null
  sealed: string | null
  keyId: string | null
}

function toRegistration(row: Row): Registration {
  const { authMode, headerName, oauth, credentialPer, headerNames: names, sealed, keyId, overrides, ...fields } = row
  return {
    ...fields,
    auth: toAuth({ authMode, headerName, oauth, credentialPer }),
    overrides: overrides === null ? [] : JSON.parse(overrides),
    ...(names !== null && sealed !== null && keyId !== null && { headers: { names, sealed, keyId } }),
  }
}

type AuthColumns = Pick<Row, 'authMode' | 'headerName' | 'oauth' | 'credentialPer'>

/** Check constraints of the table guarantee that the columns match the mode. */
function toAuth({ authMode: mode, headerName, oauth, credentialPer }: AuthColumns): RemoteAuth {
  const per = credentialPer === 'member' ? { per: credentialPer } : {}
  if (mode === 'none' || mode === 'assertion') return { mode }
  if (mode === 'bearer') return { mode, ...per }
  if (mode === 'header' && headerName !== null) return { mode, headerName, ...per }
  if (mode === 'oauth' && oauth !== null) return { mode, oauth, ...per }
  if (mode === 'client_credentials' && oauth !== null) return { mode, oauth }
  throw new TypeError(`A registration of mode ${mode} lacks the data of that mode`)
}

function slugTaken(slug: string): GatewayError {
  return new GatewayError(
    'slug_taken',
    `The organization has another remote connector named ${slug}. Choose another slug.`,
  )
}

/** Changes the registrations of an organization in one transaction (changeIn), and calls `changed` after the commit. */
export type ChangeRemotes = <R>(orgId: string, by: Actor, work: (org: OrgDatabase) => Promise<R>) => Promise<R>

export function createChangeRemotes(db: Kysely<Database>, changed: (orgId: string) => void): ChangeRemotes {
  return async function changeRemotes(orgId, by, work) {
    const done = await changeIn(db, { orgId, by }, work)
    changed(orgId)
    return done
  }
}
