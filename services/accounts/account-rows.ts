import type { Kysely } from 'kysely'
import { errorCode } from '../../lib/database/database-errors.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { AccountScope } from '../../schemas/account.ts'
import { isId } from '../../schemas/ids.ts'
import type { Account } from './account.ts'
import { aliasTaken } from './aliases.ts'

/** The columns an Account is made of; the credential stands in a table of its own. */
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

/** An account, and what only this folder knows of it. */
interface StoredAccount extends Account {
  readonly identityKey: string
}

/**
 * The accounts of an organization in the order of lists: by connector, the oldest first. The credential of a registered
 * upstream is nobody's to choose or to change as an account: it goes with its registration.
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

/** The accounts that are the credentials of an organization's registered upstreams, each with whose. */
export function selectRemoteAccounts(org: OrgDatabase) {
  return org
    .selectFrom('accounts')
    .where('remote_id', 'is not', null)
    .select([...COLUMNS, 'remote_id as remoteId'])
}

/** Holds the account of a registered upstream, if there is one, until the transaction ends. */
export async function lockRemoteAccount(org: OrgDatabase, remoteId: string): Promise<void> {
  await org.selectFrom('accounts').where('remote_id', '=', remoteId).select('id').forUpdate().execute()
}

/** An account, held until the transaction ends; undefined when the organization has none of this id. */
export async function lockAccount(org: OrgDatabase, id: string): Promise<StoredAccount | undefined> {
  if (!isId('acc', id)) return undefined
  return org
    .selectFrom('accounts')
    .where('id', '=', id)
    .select([...COLUMNS, 'identity_key as identityKey'])
    .forUpdate()
    .executeTakeFirst()
}

/** The same; throws account_not_found. */
export async function requireAccount(org: OrgDatabase, id: string): Promise<StoredAccount> {
  const account = await lockAccount(org, id)
  if (account === undefined) throw accountNotFound()
  return account
}

/** Whose an account is and of what, for who names it by its id alone, in whichever organization. Throws account_not_found. */
export async function locateAccount(
  db: Kysely<Database>,
  id: string,
): Promise<Pick<Account, 'orgId' | 'userId' | 'connector' | 'scope'>> {
  const found = isId('acc', id) ? await located(db, id) : undefined
  if (found !== undefined) return found
  const advice = id.startsWith('acc_') ? '' : ' An account is named by its id (acc_…), which account list shows.'
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

/** The one refusal of an account that does not exist, is another organization's, or is another member's private one. */
export function accountNotFound(): GatewayError {
  return new GatewayError('account_not_found', 'You have no such account.')
}

const UNIQUE_VIOLATION = '23505'

/** Runs the write of an alias; throws alias_taken when another account has it. */
export async function writeAlias(
  account: Pick<Account, 'connector' | 'scope' | 'alias'>,
  write: () => Promise<unknown>,
): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (errorCode(error) !== UNIQUE_VIOLATION) throw error
    throw aliasTaken(account)
  }
}

/** Accounts of one connector at most: a member's own, and an organization's shared ones. Every list of tools names them all. */
export const MAX_ACCOUNTS = { private: 50, shared: 200 } as const satisfies Record<AccountScope, number>

/** Throws invalid_request where an account more is one too many. Of two at once both may come in: nobody waits for a count. */
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
    `${owner} ${max} ${scope} accounts of ${connector}, which is as many as there can be. Remove one that is not needed, then connect again.`,
  )
}
