import { GatewayError } from '../../lib/errors/errors.ts'
import { ALIAS_PATTERN } from '../../schemas/account.ts'
import type { Account } from './account.ts'

const ALIAS = new RegExp(ALIAS_PATTERN, 'u')

/** Characters of an alias at most. */
export const MAX_ALIAS = 64

/** What an alias is, for people; ALIAS_PATTERN in words. */
export const ALIAS_RULE = 'Begins with a letter or a digit; letters, digits, spaces and . _ @ + - may follow.'

/** Whether a text can be an alias as it stands. */
export function isAlias(text: string): boolean {
  return ALIAS.test(text)
}

/** An alias as it is stored, one form for what looks the same (NFC). Throws invalid_request with what an alias is. */
export function toAlias(text: string): string {
  const alias = text.normalize('NFC').trim()
  if (!isAlias(alias))
    throw new GatewayError(
      'invalid_request',
      `An alias ${ALIAS_RULE.toLowerCase()} It has ${MAX_ALIAS} characters at most.`,
    )
  return alias
}

/** What an alias is compared by: `Main` and fullwidth `ｍａｉｎ` are the same as `main` (NFKC and case folding). */
export function aliasKey(alias: string): string {
  // Upper case makes SS of ß, which lower case alone keeps; and lower case first makes ß of its capital.
  return alias.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC')
}

/** The refusal of an alias that another account has. */
export function aliasTaken({ connector, scope, alias }: Pick<Account, 'connector' | 'scope' | 'alias'>): GatewayError {
  const owner = scope === 'private' ? 'You already have a private' : 'The organization already has a shared'
  return new GatewayError(
    'alias_taken',
    `${owner} account of ${connector} with this alias (${alias}; case and character width do not count). Choose another alias.`,
  )
}

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
