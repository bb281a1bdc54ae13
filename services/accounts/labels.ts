import type { Account } from './account.ts'
import { aliasKey } from './alias.ts'

/** Accounts of one connector by what a member calls them. */
export type LabeledAccounts = ReadonlyMap<string, Account>

/** What stands before a shared account's alias where a member's own account has the same. */
const SHARED_PREFIX = 'shared:'

/** The accounts of each connector, in their order. */
export function groupByConnector(accounts: readonly Account[]): Map<string, Account[]> {
  return Map.groupBy(accounts, ({ connector }) => connector)
}

/**
 * The accounts of one connector by their labels: a member's own and shared ones by their alias, and a shared one whose
 * alias is the same as one of their own, regardless of case and width, as `shared:<alias>`.
 */
export function labelAccounts(accounts: readonly Account[]): LabeledAccounts {
  const own = new Set(accounts.filter(({ scope }) => scope === 'private').map(({ alias }) => aliasKey(alias)))
  return new Map(
    accounts.map(account => [
      account.scope === 'shared' && own.has(aliasKey(account.alias)) ? SHARED_PREFIX + account.alias : account.alias,
      account,
    ]),
  )
}

/**
 * The account that a member means by a label. `shared:<alias>` names the shared one also where no own account has its
 * alias, so that neither connecting nor removing one changes what a written-down label means.
 */
export function findByLabel(accounts: LabeledAccounts, label: string): Account | undefined {
  const account = accounts.get(label)
  if (account !== undefined || !label.startsWith(SHARED_PREFIX)) return account
  const alone = accounts.get(label.slice(SHARED_PREFIX.length))
  return alone?.scope === 'shared' ? alone : undefined
}
