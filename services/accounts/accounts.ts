import type { Actor } from '../../lib/audit/audit.ts'
import { LOOKUP_DEADLINE_MS, retryRead } from '../../lib/database/database-errors.ts'
import { forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { AccountStatus } from '../../schemas/organizations/account.ts'
import { isId } from '../../schemas/primitives/ids.ts'
import type { Caller } from '../identity/caller.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { requireOrganization } from '../organizations/requirements.ts'
import { type Account, canRemove, canSee } from './account.ts'
import {
  accountNotFound,
  locateAccount,
  lockAccount,
  lockPrivateOf,
  lockRemoteAccounts,
  requireAccount,
  selectAccounts,
  selectUsableAccounts,
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
import { type AccountChange, updateAccount } from './update-account.ts'

/** The operator and jobs reach every account; members reach those of the account-route rules. */
type Remover = Caller | 'operator' | 'job'

/** Connected accounts: visibility, names and removal. */
export interface Accounts {
  /** Returns the caller's private accounts and the organization's shared ones: by connector, the oldest first. */
  visibleTo(caller: Caller): Promise<Account[]>
  /** Returns the accounts that the caller's calls can act with: visible ones, and their own at remote connectors. */
  usableBy(caller: Caller): Promise<Account[]>
  /** Returns every account of an organization in the same order. Throws invalid_request for an unknown organization. */
  listOf(orgId: string): Promise<Account[]>
  /**
   * Returns an account that the caller may reauthorize. Throws account_not_found for accounts that they cannot see, and
   * not_account_owner for a shared one that they neither created nor administer.
   */
  changeable(caller: Caller, id: string): Promise<Account>
  /**
   * Adds an account in the transaction that stores its credential. Throws alias_taken, and invalid_request for a user
   * who is not an active member, for an invalid alias, and at the maximum number of accounts.
   */
  insert(org: OrgDatabase, account: NewAccount): Promise<Account>
  /**
   * Makes an account usable again under its ID and alias, in the transaction that stores its new credential. Throws
   * identity_mismatch if the provider names another account, and account_not_found if it was removed meanwhile.
   */
  reauthorized(org: OrgDatabase, id: string, grant: Reauthorization): Promise<Account>
  /**
   * Gives an account another alias or scope: `shared` for the organization, `private` for the member who connected it.
   * Throws what `changeable` throws, account_not_found for an account of another connector than the given one,
   * alias_taken, and invalid_request for an invalid alias, at the maximum number of accounts, and if an account would
   * become private to someone who is no longer a member.
   */
  update(by: Caller | 'operator', id: string, change: AccountChange, connector?: string): Promise<Account>
  /** Sets an account's status manually. Throws account_not_found. */
  setStatus(id: string, status: AccountStatus, by: Actor): Promise<void>
  /** Records that a provider rejects an account, in the caller's transaction. Does nothing if the account is gone. */
  markNeedsReauth(org: OrgDatabase, id: string): Promise<void>
  /**
   * Records that a provider accepts an account again, in the caller's transaction. Does nothing if the account is gone.
   */
  markConnected(org: OrgDatabase, id: string): Promise<void>
  /**
   * Removes an account and its credential, and enqueues the revocation of its grant. Throws what `changeable` throws,
   * and account_not_found for an account of another connector than the given one.
   */
  remove(by: Remover, id: string, connector?: string): Promise<Account>
  /**
   * Removes the caller's only private account of a connector, if there is one. Throws multiple_accounts if there are
   * more.
   */
  removeOnly(caller: Caller, connector: string): Promise<void>
  /** Removes a member's own account at a remote connector, if there is one, in the caller's transaction. */
  removeRemoteOf(org: OrgDatabase, userId: string, remote: { remoteId: string; by: Actor }): Promise<void>
  /**
   * Locks the accounts of a remote connector whose credentials are about to be deleted, and removes those of members, in
   * the caller's transaction. `because` is the action of the audit that deletes them.
   */
  removeMembersOf(org: OrgDatabase, remote: { remoteId: string; by: Actor; because: string }): Promise<void>
  /** Removes the private accounts of a departing member, those at remote connectors included, in the transaction of the departure. */
  removePrivateOf(org: OrgDatabase, userId: string, change: { by: Actor; because: string }): Promise<void>
  /** Counts the accounts of a connector that use the OAuth client with this ID. */
  connectionsOf(orgId: string, connector: string, clientId: string): Promise<number>
}

interface AccountsOptions extends Pick<Infrastructure, 'db' | 'clock' | 'ids' | 'audit'> {
  commands: Pick<OperatorCommands, 'listAccounts'>
  enqueueRevocation: EnqueueRevocation
  /**
   * Called with the organization after a change of its accounts is committed, so that the member sees it immediately.
   */
  changed?(orgId: string): void
}

export function createAccounts(options: AccountsOptions): Accounts {
  const { db, clock, ids, audit, commands, enqueueRevocation, changed } = options
  const removal = { audit, enqueueRevocation }

  // A change affects one account, so that its row lock is enough. The organization's lock (changeIn) would serialize
  // all reauthorizations.
  async function change<R>(orgId: string, work: (org: OrgDatabase) => Promise<R>): Promise<R> {
    const result = await forOrg(db, orgId).transaction(work)
    changed?.(orgId)
    return result
  }

  /** Returns the organization of an account that is named only by its ID. */
  async function orgOf(id: string, by: Actor): Promise<string> {
    return typeof by === 'string' ? (await locateAccount(db, commands, id)).orgId : by.orgId
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

    usableBy: ({ orgId, userId }) =>
      retryRead(() => selectUsableAccounts(forOrg(db, orgId), userId).execute(), LOOKUP_DEADLINE_MS),

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

    async update(by, id, wanted, connector) {
      return change(await orgOf(id, by), async org => {
        const account = await requireOwn(org, by, id, connector)
        return updateAccount(org, account, { ...wanted, by }, { clock, audit })
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
        const account = await requireOwn(org, by, id, connector)
        await removeAccounts(org, [account], { by }, removal)
        return account
      })
    },

    async removeOnly(caller, connector) {
      await change(caller.orgId, async org => {
        const matching = await lockPrivateOf(org, caller.userId, { connector })
        if (matching.length > 1)
          throw new GatewayError(
            'multiple_accounts',
            `You have ${matching.length} accounts of ${connector}: ` +
              `${matching.map(({ id, alias }) => `${alias} (${id})`).join(', ')}. Remove one by its ID, ` +
              `DELETE /connectors/${connector}/accounts/<id>, or by its alias with manage__accounts_remove after signing in.`,
          )
        await removeAccounts(org, matching, { by: caller }, removal)
      })
    },

    async removePrivateOf(org, userId, why) {
      await removeAccounts(org, await lockPrivateOf(org, userId, 'all'), why, removal)
    },

    async removeMembersOf(org, { remoteId, by, because }) {
      const own = (await lockRemoteAccounts(org, remoteId)).filter(({ scope }) => scope === 'private')
      await removeAccounts(org, own, { by, because }, removal)
    },

    async removeRemoteOf(org, userId, { remoteId, by }) {
      await removeAccounts(org, await lockPrivateOf(org, userId, { remoteId }), { by }, removal)
    },

    connectionsOf: (orgId, connector, clientId) => connectionsOf(forOrg(db, orgId), connector, clientId),
  }
}

/** Locks and returns an account that the actor may change, by the rules of the account routes. */
async function requireOwn(org: OrgDatabase, by: Remover, id: string, connector?: string): Promise<Account> {
  const { identityKey: _key, remoteId, ...account } = await requireAccount(org, id)
  if (remoteId !== null) throw accountNotFound()
  return typeof by === 'string' ? account : requireChangeable(by, account, connector)
}

/** The rules of the account routes. */
function requireChangeable<A extends Account>(caller: Caller, account: A | undefined, connector?: string): A {
  if (account === undefined || !canSee(caller, account)) throw accountNotFound()
  if (connector !== undefined && account.connector !== connector) throw accountNotFound()
  if (!canRemove(caller, account))
    throw new GatewayError(
      'not_account_owner',
      'This account is shared. Only the member who connected it, an owner or an admin may change or remove it.',
    )
  return account
}
