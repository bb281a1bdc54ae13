import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { AccountScope } from '../../schemas/account.ts'

/** Accounts of one connector at most: a member's own, and an organization's shared ones. Every list of tools names them all. */
export const MAX_ACCOUNTS = { private: 50, shared: 200 } as const satisfies Record<AccountScope, number>

/** Throws invalid_request where an account more is one too many. Of two at once both may come in: nobody waits for a count. */
export async function requireAccountCapacity(
  org: OrgDatabase,
  { connector, scope, userId }: { connector: string; scope: AccountScope; userId: string },
): Promise<void> {
  const { count } = await org
    .selectFrom('accounts')
    .where('connector', '=', connector)
    .where('scope', '=', scope)
    .$if(scope === 'private', query => query.where('user_id', '=', userId))
    .select(eb => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  const max = MAX_ACCOUNTS[scope]
  if (Number(count) < max) return
  const owner = scope === 'private' ? 'You have' : 'The organization has'
  throw new GatewayError(
    'invalid_request',
    `${owner} ${max} ${scope} accounts of ${connector}, which is as many as there can be. Remove one that is not needed, then connect again.`,
  )
}
