import type { Actor } from '../../../lib/audit/audit.ts'
import type { AccountScope } from '../../../schemas/account.ts'
import type { Caller } from '../../identity/caller.ts'

/** Whose an account is to be. */
export interface Member {
  readonly orgId: string
  readonly userId: string
}

/** What a connect leads to: a new account, or one that is there and works again. */
export interface ConnectTarget {
  readonly scope: AccountScope
  /** Made of the identity when absent. */
  readonly alias?: string
  /** What the member says of the provider: site, subdomain, … */
  readonly settings: Readonly<Record<string, string>>
  /** The account to reauthorize: it keeps its id, its alias and its scope. */
  readonly accountId?: string
}

/** What is asked for at every door. */
export interface ConnectRequest {
  /** The member whose account it is to be. */
  caller: Caller
  /** On whose behalf; the caller's own when absent. */
  by?: Actor
  connector: string
  scope: AccountScope
  alias?: string
  settings?: Readonly<Record<string, string>>
  /** The account to reauthorize; its scope and alias stay, whatever is asked for. */
  accountId?: string
}
