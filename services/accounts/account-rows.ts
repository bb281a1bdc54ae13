import type { Kysely } from 'kysely'
import type { Actor } from '../../lib/audit/audit.ts'
import { errorCode, UNIQUE_VIOLATION } from '../../lib/database/database-errors.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { AccountScope } from '../../schemas/organizations/account.ts'
import { isId } from '../../schemas/primitives/ids.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import type { Account } from './account.ts'
import { type AliasOwner, aliasTaken } from './aliases.ts'

/** The columns of an Account. The credential is in another table. */
const COLUMNS = [
  'id',
  'org_id as orgId',
  'connector',
  'user_id as userId',
  'scope',
  'alias',
  'identity',
  'auth_kind as authKind',
  'key_verified as keyVerified',
  'status',
  'settings',
  'granted_scopes as grantedScopes',
] as const

/** An account with the columns that only this folder uses. */
interface StoredAccount extends Account {
  readonly identityKey: string
  /** The registration whose credential it is; null for the accounts that members choose. */
  readonly remoteId: string | null
}

/**
 * Selects the accounts of an organization in the order of lists: by connector, the oldest first. Excludes the
 * credentials of remote connectors, which belong to their registrations and are not accounts that members choose or
 * change.
 */
export function selectAccounts(org: OrgDatabase) {
  return org
    .selectFrom('accounts')
    .where('remote_id', 'is', null)
    .orderBy('connector')
    .orderBy('created_at')
    .orderBy('id')
    .select(COLUMNS)
}

/**
 * Selects the accounts that hold credentials of an organization's remote connectors: the organization's and, with a
 * member, that member's own. Never those of other members.
 */
export function selectRemoteAccounts(org: OrgDatabase, userId: string | undefined) {
  return org
    .selectFrom('accounts')
    .where('remote_id', 'is not', null)
    .where(eb => eb.or([eb('scope', '=', 'shared'), ...(userId === undefined ? [] : [eb('user_id', '=', userId)])]))
    .select([...COLUMNS, 'remote_id as remoteId'])
}

/** Selects the accounts that a member's calls can act with: visible ones, and their own at remote connectors. */
export function selectUsableAccounts(org: OrgDatabase, userId: string) {
  return org
    .selectFrom('accounts')
    .where(eb =>
      eb.or([
        eb.and([eb('scope', '=', 'shared'), eb('remote_id', 'is', null)]),
        eb.and([eb('scope', '=', 'private'), eb('user_id', '=', userId)]),
      ]),
    )
    .orderBy('connector')
    .orderBy('created_at')
    .orderBy('id')
    .select(COLUMNS)
}

/** Locks and returns the accounts of a remote connector until the transaction ends. */
export async function lockRemoteAccounts(org: OrgDatabase, remoteId: string): Promise<Account[]> {
  return org
    .selectFrom('accounts')
    .where('remote_id', '=', remoteId)
    .orderBy('id')
    .select(COLUMNS)
    .forUpdate()
    .execute()
}

/** Locks and returns a member's private accounts: of one connector or of all, with those at remote connectors. */
export function lockPrivateOf(
  org: OrgDatabase,
  userId: string,
  of: { connector: string } | { remoteId: string } | 'all',
): Promise<Account[]> {
  const own = org
    .selectFrom('accounts')
    .where('user_id', '=', userId)
    .where('scope', '=', 'private')
    .orderBy('connector')
    .orderBy('created_at')
    .orderBy('id')
    .select(COLUMNS)
    .forUpdate()
  if (of === 'all') return own.execute()
  return 'remoteId' in of
    ? own.where('remote_id', '=', of.remoteId).execute()
    : own.where('connector', '=', of.connector).where('remote_id', 'is', null).execute()
}

/** Locks and returns an account until the transaction ends; undefined if the organization has none with this ID. */
export async function lockAccount(org: OrgDatabase, id: string): Promise<StoredAccount | undefined> {
  if (!isId('acc', id)) return undefined
  return org
    .selectFrom('accounts')
    .where('id', '=', id)
    .select([...COLUMNS, 'identity_key as identityKey', 'remote_id as remoteId'])
    .forUpdate()
    .executeTakeFirst()
}

/** Like `lockAccount`, but throws account_not_found; also finds the credentials of remote connectors. */
export async function requireAccount(org: OrgDatabase, id: string): Promise<StoredAccount> {
  const account = await lockAccount(org, id)
  if (account === undefined) throw accountNotFound()
  return account
}

/** Returns the owner of an account that is named only by its ID, in any organization. Throws account_not_found. */
export async function locateAccount(
  db: Kysely<Database>,
  commands: Pick<OperatorCommands, 'listAccounts'>,
  id: string,
): Promise<Pick<Account, 'orgId' | 'userId' | 'connector' | 'scope'>> {
  const found = isId('acc', id) ? await located(db, id) : undefined
  if (found !== undefined) return found
  const advice = id.startsWith('acc_')
    ? ''
    : ` An account is named by its ID (acc_…). To list the IDs, run: ${commands.listAccounts('ORG')}`
  throw new GatewayError('account_not_found', `There is no account ${id}.${advice}`)
}

function located(db: Kysely<Database>, id: string) {
  return acrossOrgs(db)
    .selectFrom('accounts')
    .where('id', '=', id)
    .where('remote_id', 'is', null)
    .select(['org_id as orgId', 'user_id as userId', 'connector', 'scope'])
    .executeTakeFirst()
}

/**
 * The only error for an account that does not exist, belongs to another organization, or is another member's private
 * one.
 */
export function accountNotFound(): GatewayError {
  return new GatewayError('account_not_found', 'You have no account with this ID.')
}

/** Runs a write of an account's alias or scope. Throws alias_taken if another account has the alias there. */
export async function writeAlias(account: AliasOwner, by: Actor, write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (errorCode(error) !== UNIQUE_VIOLATION) throw error
    throw aliasTaken(account, by)
  }
}

/**
 * The maximum number of accounts of one connector: of a member, and shared ones of an organization. Every tool list
 * names them all.
 */
export const MAX_ACCOUNTS = { private: 50, shared: 200 } as const satisfies Record<AccountScope, number>

/**
 * Throws invalid_request at the maximum number of accounts. Two concurrent changes may both pass, because nothing locks
 * the count.
 */
export async function requireAccountCapacity(
  org: OrgDatabase,
  { connector, scope, userId }: { connector: string; scope: AccountScope; userId: string },
): Promise<void> {
  const { count } = await org
    .selectFrom('accounts')
    .where('connector', '=', connector)
    .where('scope', '=', scope)
    .$if(scope === 'private', query => query.where('user_id', '=', userId))
    .select(eb => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  const max = MAX_ACCOUNTS[scope]
  if (Number(count) < max) return
  const owner = scope === 'private' ? 'You have' : 'The organization has'
  throw new GatewayError(
    'invalid_request',
    `${owner} ${max} ${scope} accounts of ${connector}, the maximum number. Remove one first.`,
  )
}
