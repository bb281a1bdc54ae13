import type { AccountScope, AccountStatus, AuthKind } from '../../schemas/organizations/account.ts'
import { type Caller, isAdmin } from '../identity/caller.ts'

/** A connected account, without its credential. */
export interface Account {
  readonly id: string
  readonly orgId: string
  /** The connector's ID. */
  readonly connector: string
  /** The owner of a private account, the creator of a shared one. */
  readonly userId: string
  readonly scope: AccountScope
  readonly alias: string
  readonly identity: string
  readonly authKind: AuthKind
  readonly keyVerified: boolean | null
  readonly status: AccountStatus
  readonly settings: Readonly<Record<string, string>>
  /** Null if the provider does not report them. */
  readonly grantedScopes: readonly string[] | null
}

/** The parts of an account that messages name. */
export type NamedAccount = Pick<Account, 'id' | 'orgId' | 'connector' | 'alias' | 'authKind' | 'scope' | 'userId'>

type Owned = Pick<Account, 'orgId' | 'userId' | 'scope'>

/** Whether a member may see an account: their own ones, and the organization's shared ones. */
export function canSee(caller: Caller, { orgId, userId, scope }: Owned): boolean {
  return orgId === caller.orgId && (scope === 'shared' || userId === caller.userId)
}

/**
 * Whether a member may rename, reauthorize or remove an account: the owner of a private one, and the creator of a
 * shared one or an admin.
 */
export function canRemove(caller: Caller, account: Owned): boolean {
  return (
    canSee(caller, account) && (account.userId === caller.userId || (account.scope === 'shared' && isAdmin(caller)))
  )
}

/** Settings of an account, by name. */
export type AccountSettings = Readonly<Record<string, string>>

/**
 * Returns the needed scopes that an account lacks; none for keys, and if the provider does not report the granted
 * scopes.
 */
export function missingScopes(
  { grantedScopes }: Pick<Account, 'grantedScopes'>,
  needed: readonly string[] = [],
): string[] {
  return grantedScopes === null ? [] : needed.filter(scope => !grantedScopes.includes(scope))
}
