import type { AccountScope, AccountStatus, AuthKind } from '../../schemas/account.ts'
import { type Caller, isAdmin } from '../identity/caller.ts'

/** A connected account, without its credential. */
export interface Account {
  readonly id: string
  readonly orgId: string
  /** The connector's id. */
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
  /** Null where the provider does not say. */
  readonly grantedScopes: readonly string[] | null
}

/** An account as messages name it. */
export type NamedAccount = Pick<Account, 'id' | 'orgId' | 'connector' | 'alias' | 'authKind'>

type Owned = Pick<Account, 'orgId' | 'userId' | 'scope'>

/** Whether a member may know of an account: his own, and the organization's shared ones. */
export function canSee(caller: Caller, { orgId, userId, scope }: Owned): boolean {
  return orgId === caller.orgId && (scope === 'shared' || userId === caller.userId)
}

/** Whether a member may rename, reauthorize or remove an account: the owner of a private one, the creator of a shared one or an admin. */
export function canRemove(caller: Caller, account: Owned): boolean {
  return (
    canSee(caller, account) && (account.userId === caller.userId || (account.scope === 'shared' && isAdmin(caller)))
  )
}

/** Settings of an account, by name. */
export type AccountSettings = Readonly<Record<string, string>>

/** Which of the needed scopes an account lacks; none where the provider does not say what it granted, nor for keys. */
export function missingScopes(
  { grantedScopes }: Pick<Account, 'grantedScopes'>,
  needed: readonly string[] = [],
): string[] {
  return grantedScopes === null ? [] : needed.filter(scope => !grantedScopes.includes(scope))
}
