import type { Actor } from '../../../lib/audit/audit.ts'
import type { AccountScope } from '../../../schemas/organizations/account.ts'
import type { Caller } from '../../identity/caller.ts'

/** The member who will own an account. */
export interface Member {
  readonly orgId: string
  readonly userId: string
}

/** The result of a connect: a new account, or an existing account that works again. */
export interface ConnectTarget {
  readonly scope: AccountScope
  /** If absent, it is derived from the identity. */
  readonly alias?: string
  /** Settings of the provider that the member gives: site, subdomain, … */
  readonly settings: Readonly<Record<string, string>>
  /** The account to reauthorize. It keeps its ID, alias and scope. */
  readonly accountId?: string
}

/** The part of the request that all connect methods share. */
export interface ConnectRequest {
  /** The member who will own the account. */
  caller: Caller
  /** The actor for the audit log; the caller if absent. */
  by?: Actor
  connector: string
  scope: AccountScope
  alias?: string
  settings?: Readonly<Record<string, string>>
  /** The account to reauthorize. Its scope and alias do not change. */
  accountId?: string
}
