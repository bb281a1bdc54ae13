import type { Actor, Audit } from '../../lib/audit/audit.ts'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import type { Account } from './account.ts'

/** What is left of a removed account: enough to give its grant back. */
export interface RemovedAccount {
  readonly accountId: string
  readonly connector: string
  readonly settings: Readonly<Record<string, string>>
  /** The credential as it lay in account_credentials, sealed for that place. */
  readonly sealed: string
  /** The OAuth client it was issued to; null for keys. */
  readonly clientId: string | null
}

/** Has a removed account's grant given back once the transaction is committed; best effort (spec.md, States). */
export type EnqueueRevocation = (org: OrgDatabase, removed: RemovedAccount) => Promise<void>

export interface RemovalOptions {
  audit: Audit
  enqueueRevocation: EnqueueRevocation
}

/**
 * Removes accounts in the transaction of the handle, which holds their rows: account first, then its credential, as
 * whoever locks both must. The credential is gone with the commit, whatever comes of its revocation.
 */
export async function removeAccounts(
  org: OrgDatabase,
  accounts: readonly Account[],
  { by, because }: { by: Actor; because?: string },
  { audit, enqueueRevocation }: RemovalOptions,
): Promise<void> {
  for (const { id, connector, settings, alias, scope, userId } of accounts) {
    const credential = await org
      .selectFrom('account_credentials')
      .where('account_id', '=', id)
      .select(['sealed', 'client_id as clientId'])
      .forUpdate()
      .executeTakeFirst()
    await org.deleteFrom('accounts').where('id', '=', id).execute()
    const detail = { connector, alias, scope, userId, ...(because !== undefined && { because }) }
    await audit.record(org, { by, action: 'account.remove', target: id, detail })
    if (credential !== undefined) await enqueueRevocation(org, { accountId: id, connector, settings, ...credential })
  }
}
