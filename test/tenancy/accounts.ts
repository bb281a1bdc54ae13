import { randomBytes } from 'node:crypto'
import { forOrg } from '../../lib/database/tenant.ts'
import type { Account } from '../../services/accounts/account.ts'
import type { ConnectorId } from './provider.ts'
import type { Member, World } from './world.ts'

/** Connects an account. Its identity and every answer of its provider contain this text. */
export function connect(
  { services: { connecting }, provider }: World,
  { caller }: Member,
  connector: ConnectorId,
  shape: string,
  text: string,
): Promise<Account> {
  return connecting.add({
    caller,
    connector,
    scope: shape === 'shared' ? 'shared' : 'private',
    // Without the text, because an answer may repeat the alias from the request.
    alias: `account ${randomBytes(8).toString('hex')}`,
    credential: provider.credential(connector, text),
    identity: text,
    probe: false,
  })
}

/** Returns all stored columns of an account, by its ID. */
export function account({ db }: World, { orgId }: Pick<Member, 'orgId'>, id: string) {
  return stored(db, orgId).where('accounts.id', '=', id).executeTakeFirst()
}

/** Returns all stored columns of an account, by its alias. */
export function accountNamed({ db }: World, { orgId }: Pick<Member, 'orgId'>, alias: string) {
  return stored(db, orgId).where('accounts.alias', '=', alias).executeTakeFirst()
}

function stored(db: World['db'], orgId: string) {
  return forOrg(db, orgId)
    .selectFrom('accounts')
    .innerJoin('account_credentials', join =>
      join
        .onRef('account_credentials.account_id', '=', 'accounts.id')
        .onRef('account_credentials.org_id', '=', 'accounts.org_id'),
    )
    .selectAll()
}
