import type { Actor } from '../../lib/audit/audit.ts'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { AccountScope } from '../../schemas/organizations/account.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { lockActiveMember } from '../organizations/requirements.ts'
import type { Account } from './account.ts'
import { requireAccountCapacity, writeAlias } from './account-rows.ts'
import { aliasKey, toAlias } from './aliases.ts'

/** The wanted state of an account. What is absent stays. */
export interface AccountChange {
  alias?: string
  scope?: AccountScope
}

/**
 * Changes the alias or the scope of an account that the transaction holds; see Accounts.update. Skips a state that the
 * account already has, because a write would invalidate caches.
 */
export async function updateAccount(
  org: OrgDatabase,
  account: Account,
  { alias: text, scope = account.scope, by }: AccountChange & { by: Actor },
  { clock, audit }: Pick<Infrastructure, 'clock' | 'audit'>,
): Promise<Account> {
  const { id, connector, userId } = account
  const alias = text === undefined ? account.alias : toAlias(text)
  const renamed = alias !== account.alias
  const moved = scope !== account.scope
  if (!renamed && !moved) return account

  const updated: Account = { ...account, alias, scope }
  if (moved) {
    if (scope === 'private') await requireCreator(org, account)
    await requireAccountCapacity(org, updated)
  }
  await writeAlias(updated, by, () =>
    org
      .updateTable('accounts')
      .where('id', '=', id)
      .set({ alias, alias_key: aliasKey(alias), scope, updated_at: new Date(clock.now()) })
      .execute(),
  )
  const entry = (action: string, detail: object) => ({
    by,
    action,
    target: id,
    detail: { connector, alias, ...detail },
  })
  await audit.record(org, [
    ...(renamed ? [entry('account.rename', { before: account.alias })] : []),
    ...(moved ? [entry(scope === 'shared' ? 'account.share' : 'account.unshare', { userId })] : []),
  ])
  return updated
}

/** Throws invalid_request if the member who connected an account has left: a private account needs an owner. */
async function requireCreator(org: OrgDatabase, { alias, userId }: Account): Promise<void> {
  if (await lockActiveMember(org, userId)) return
  throw new GatewayError(
    'invalid_request',
    `${alias} cannot become private, because ${userId}, who connected it, is no longer a member. Keep it shared, ` +
      'remove it, or ask the operator to add the member again.',
  )
}
