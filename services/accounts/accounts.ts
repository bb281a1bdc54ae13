import type { Kysely } from 'kysely'
import type { Actor, Audit } from '../../lib/audit/audit.ts'
import { LOOKUP_DEADLINE_MS, retryRead } from '../../lib/database/database-errors.ts'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { AccountStatus } from '../../schemas/account.ts'
import { type IdSource, isId } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'
import type { Caller } from '../identity/caller.ts'
import { requireOrganization } from '../organizations/requirements.ts'
import { type Account, canRemove, canSee } from './account.ts'
import {
  accountNotFound,
  locateAccount,
  lockAccount,
  requireAccount,
  selectAccounts,
  writeAlias,
} from './account-rows.ts'
import {
  connectionsOf,
  type EnqueueRevocation,
  insertAccount,
  type NewAccount,
  type Reauthorization,
  reauthorize,
  removeAccounts,
  writeStatus,
} from './account-writes.ts'
import { aliasKey, toAlias } from './aliases.ts'

/** The operator and jobs reach every account; a member those the account-route rules give him. */
type Remover = Caller | 'operator' | 'job'

/** Connected accounts: who sees them, what they are called, how they end. */
export interface Accounts {
  /** The caller's private accounts and the organization's shared ones: by connector, the oldest first. */
  visibleTo(caller: Caller): Promise<Account[]>
  /** Every account of an organization, in the same order. Throws invalid_request when there is no such organization. */
  listOf(orgId: string): Promise<Account[]>
  /**
   * An account that the caller may change, for reauthorizing it. Throws account_not_found for what he may not know of,
   * all alike, and not_account_owner for a shared one that he neither created nor administers.
   */
  changeable(caller: Caller, id: string): Promise<Account>
  /**
   * Adds a connected account, in the transaction that stores its credential. Throws alias_taken, and invalid_request for
   * a user who is no member (any more), for what cannot be an alias and for one account too many (account-limits.ts).
   */
  insert(org: OrgDatabase, account: NewAccount): Promise<Account>
  /**
   * Makes an account usable again under its id and alias, in the transaction that stores its new credential. Throws
   * identity_mismatch when the provider names another account, and account_not_found when it was removed meanwhile.
   */
  reauthorized(org: OrgDatabase, id: string, grant: Reauthorization): Promise<Account>
  /** Gives an account another alias; throws as `changeable`, alias_taken, and invalid_request for what cannot be one. */
  rename(by: Caller | 'operator', id: string, alias: string): Promise<Account>
  /** Sets an account's status by hand; throws account_not_found. */
  setStatus(id: string, status: AccountStatus, by: Actor): Promise<void>
  /** Writes down that a provider refuses an account, in the caller's transaction; of one that is gone, nothing. */
  markNeedsReauth(org: OrgDatabase, id: string): Promise<void>
  /** Writes down that an account is good after all, in the caller's transaction; of one that is gone, nothing. */
  markConnected(org: OrgDatabase, id: string): Promise<void>
  /**
   * Removes an account and its credential, and has the grant given back. Throws as `changeable`; with a connector also
   * account_not_found for an account of another one.
   */
  remove(by: Remover, id: string, connector?: string): Promise<Account>
  /** Removes the caller's one private account of a connector, if he has one; throws multiple_accounts when he has more. */
  removeOnly(caller: Caller, connector: string): Promise<void>
  /** Removes the private accounts of a member who leaves, in the transaction that makes him leave. */
  removePrivateOf(org: OrgDatabase, userId: string, change: { by: Actor; because: string }): Promise<void>
  /** How many accounts of a connector stand on the OAuth client of this id. */
  connectionsOf(orgId: string, connector: string, clientId: string): Promise<number>
}

export interface AccountsOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  audit: Audit
  enqueueRevocation: EnqueueRevocation
  /** Told of an organization once a change of its accounts is committed, so that who made it sees it at once. */
  changed?(orgId: string): void
}

export function createAccounts({ db, clock, ids, audit, enqueueRevocation, changed }: AccountsOptions): Accounts {
  const removal = { audit, enqueueRevocation }

  // One account's row is all that a change here spans, so its lock is enough: the organization's (changeIn) would have
  // every reauthorization wait for every other.
  async function change<R>(orgId: string, work: (org: OrgDatabase) => Promise<R>): Promise<R> {
    const result = await forOrg(db, orgId).transaction(work)
    changed?.(orgId)
    return result
  }

  /** The organization of an account that is named by its id alone. */
  async function orgOf(id: string, by: Actor): Promise<string> {
    return typeof by === 'string' ? (await locateAccount(db, id)).orgId : by.orgId
  }

  async function markStatus(org: OrgDatabase, id: string, status: AccountStatus): Promise<void> {
    const account = await lockAccount(org, id)
    if (account !== undefined) await writeStatus(org, account, { status, by: 'job' }, { clock, audit })
  }

  return {
    visibleTo: ({ orgId, userId }) =>
      retryRead(
        () =>
          selectAccounts(forOrg(db, orgId))
            .where(eb => eb.or([eb('scope', '=', 'shared'), eb('user_id', '=', userId)]))
            .execute(),
        LOOKUP_DEADLINE_MS,
      ),

    async listOf(orgId) {
      await requireOrganization(db, orgId)
      return selectAccounts(forOrg(db, orgId)).execute()
    },

    async changeable(caller, id) {
      if (!isId('acc', id)) throw accountNotFound()
      const account = await selectAccounts(forOrg(db, caller.orgId)).where('id', '=', id).executeTakeFirst()
      return requireChangeable(caller, account)
    },

    insert: (org, account) => insertAccount(org, account, { clock, ids, audit }),
    reauthorized: (org, id, grant) => reauthorize(org, id, grant, { clock, audit }),

    async rename(by, id, text) {
      return change(await orgOf(id, by), async org => {
        const found = await requireAccount(org, id)
        const account = by === 'operator' ? found : requireChangeable(by, found)
        const alias = toAlias(text)
        if (alias === account.alias) return account
        const renamed = { ...account, alias }
        await writeAlias(renamed, () =>
          org
            .updateTable('accounts')
            .where('id', '=', id)
            .set({ alias, alias_key: aliasKey(alias), updated_at: new Date(clock.now()) })
            .execute(),
        )
        const detail = { connector: account.connector, alias, before: account.alias }
        await audit.record(org, { by, action: 'account.rename', target: id, detail })
        return renamed
      })
    },

    async setStatus(id, status, by) {
      await change(await orgOf(id, by), async org => {
        await writeStatus(org, await requireAccount(org, id), { status, by }, { clock, audit })
      })
    },

    markNeedsReauth: (org, id) => markStatus(org, id, 'needs_reauth'),
    markConnected: (org, id) => markStatus(org, id, 'connected'),

    async remove(by, id, connector) {
      return change(await orgOf(id, by), async org => {
        const found = await requireAccount(org, id)
        const account = typeof by === 'string' ? found : requireChangeable(by, found, connector)
        await removeAccounts(org, [account], { by }, removal)
        return account
      })
    },

    async removeOnly(caller, connector) {
      await change(caller.orgId, async org => {
        const matching = await lockPrivateOf(org, caller.userId, connector)
        if (matching.length > 1)
          throw new GatewayError(
            'multiple_accounts',
            `You have ${matching.length} accounts of ${connector}: ` +
              `${matching.map(({ id, alias }) => `${alias} (${id})`).join(', ')}. Remove one by its id, ` +
              `DELETE /connectors/${connector}/accounts/<id>; who has signed in can also remove it by its alias, with manage__accounts_remove.`,
          )
        await removeAccounts(org, matching, { by: caller }, removal)
      })
    },

    async removePrivateOf(org, userId, why) {
      await removeAccounts(org, await lockPrivateOf(org, userId), why, removal)
    },

    connectionsOf: (orgId, connector, clientId) => connectionsOf(forOrg(db, orgId), connector, clientId),
  }
}

/** The account-route rules (decisions.md, Connectors and accounts). */
function requireChangeable<A extends Account>(caller: Caller, account: A | undefined, connector?: string): A {
  if (account === undefined || !canSee(caller, account)) throw accountNotFound()
  if (connector !== undefined && account.connector !== connector) throw accountNotFound()
  if (!canRemove(caller, account))
    throw new GatewayError(
      'not_account_owner',
      'This account is shared: only the member who connected it, an owner or an admin may change or remove it.',
    )
  return account
}

function lockPrivateOf(org: OrgDatabase, userId: string, connector?: string): Promise<Account[]> {
  const own = selectAccounts(org).where('user_id', '=', userId).where('scope', '=', 'private')
  return (connector === undefined ? own : own.where('connector', '=', connector)).forUpdate().execute()
}
