import type { Actor } from '../../lib/audit/audit.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { ALIAS_PATTERN } from '../../schemas/organizations/account.ts'
import type { Account } from './account.ts'

const ALIAS = new RegExp(ALIAS_PATTERN, 'u')

/** The maximum length of an alias in characters. */
export const MAX_ALIAS = 64

/** ALIAS_PATTERN in words. */
export const ALIAS_RULE = 'Begins with a letter or a digit; letters, digits, spaces and . _ @ + - may follow.'

/** Whether a text is a valid alias. */
export function isAlias(text: string): boolean {
  return ALIAS.test(text)
}

/** Normalizes an alias for storage (NFC). Throws invalid_request with the rule for aliases. */
export function toAlias(text: string): string {
  const alias = text.normalize('NFC').trim()
  if (!isAlias(alias))
    throw new GatewayError(
      'invalid_request',
      `An alias ${ALIAS_RULE.toLowerCase()} It has at most ${MAX_ALIAS} characters.`,
    )
  return alias
}

/** Returns the comparison key of an alias: `Main` and fullwidth `ｍａｉｎ` equal `main` (NFKC and case folding). */
export function aliasKey(alias: string): string {
  // Upper case turns ß into SS, which lower case alone keeps; the first lower case turns the capital ẞ into ß.
  return alias.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC')
}

/** The parts of an account that decide which other accounts must have another alias. */
export type AliasOwner = Pick<Account, 'connector' | 'scope' | 'alias' | 'userId'>

/** The error for an alias that another account has. */
export function aliasTaken({ connector, scope, alias, userId }: AliasOwner, by: Actor): GatewayError {
  const member = typeof by !== 'string' && by.userId === userId ? 'You already have' : `${userId} already has`
  const owner = scope === 'private' ? `${member} a private` : 'The organization already has a shared'
  return new GatewayError(
    'alias_taken',
    `${owner} account of ${connector} with this alias (${alias}; case and character width are ignored). Choose another alias.`,
  )
}

/** The accounts of one connector by their labels for a member. */
export type LabeledAccounts = ReadonlyMap<string, Account>

/** The prefix of a shared account's label if a private account of the member has the same alias. */
const SHARED_PREFIX = 'shared:'

/** Groups accounts by connector and keeps their order. */
export function groupByConnector(accounts: readonly Account[]): Map<string, Account[]> {
  return Map.groupBy(accounts, ({ connector }) => connector)
}

/**
 * Labels the accounts of one connector. The label is the alias, or `shared:<alias>` for a shared account with the same
 * alias as one of the member's own, regardless of case and width.
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
 * Finds an account by its label. `shared:<alias>` also finds a shared account whose alias is unique, so that connecting
 * or removing a private account does not change the meaning of a label.
 */
export function findByLabel(accounts: LabeledAccounts, label: string): Account | undefined {
  const account = accounts.get(label)
  if (account !== undefined || !label.startsWith(SHARED_PREFIX)) return account
  const alone = accounts.get(label.slice(SHARED_PREFIX.length))
  return alone?.scope === 'shared' ? alone : undefined
}
