import type { Actor } from '../../../lib/audit/audit.ts'
import { forOrg, type OrgDatabase } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { AuthKind } from '../../../schemas/organizations/account.ts'
import type { Account } from '../../accounts/account.ts'
import type { Accounts } from '../../accounts/accounts.ts'
import { aliasKey, isAlias, MAX_ALIAS } from '../../accounts/aliases.ts'
import type { IssuedCredential } from '../../credentials/credential.ts'
import type { Grants } from '../../credentials/grants.ts'
import type { ConnectorDefinition } from '../../definitions/connector-types.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import type { ConnectTarget, Member } from './connect-request.ts'
import type { AccountIdentity } from './identify-account.ts'

/** How many derived aliases to try if another connect takes them first. */
const MAX_TRIES = 3

/** A complete connection, ready to be stored. */
interface Connection {
  readonly member: Member
  readonly by: Actor
  readonly connector: ConnectorDefinition
  readonly target: ConnectTarget
  readonly issued: IssuedCredential
  readonly identity: AccountIdentity
  /** The settings of the target and the discovered ones. */
  readonly settings: Readonly<Record<string, string>>
  /** Whether the provider verified a pasted key; null for the other connect methods. */
  readonly keyVerified: boolean | null
}

interface StoreConnectionOptions extends Pick<Infrastructure, 'db'> {
  accounts: Pick<Accounts, 'insert' | 'reauthorized'>
  grants: Pick<Grants, 'store'>
  /** Called with the organization after an account is committed. */
  changed?(orgId: string): void
}

/**
 * Stores an account and its credential, both or neither. Throws what Accounts.insert and Accounts.reauthorized throw.
 */
export type StoreConnection = (connection: Connection) => Promise<Account>

export function createStoreConnection({ db, accounts, grants, changed }: StoreConnectionOptions): StoreConnection {
  function storeUnder(org: OrgDatabase, connection: Connection, alias: string): Promise<Account> {
    const { member, by, connector, target, issued, identity, settings, keyVerified } = connection
    const authKind: AuthKind = issued.credential.kind
    const { grantedScopes } = issued
    const { label, key: identityKey } = identity
    const details = { identity: label, identityKey, authKind, keyVerified, settings, grantedScopes, by }
    return org.transaction(async org => {
      const { userId } = member
      const account =
        target.accountId === undefined
          ? await accounts.insert(org, { connector: connector.id, userId, scope: target.scope, alias, ...details })
          : await accounts.reauthorized(org, target.accountId, details)
      await grants.store(org, account, issued)
      return account
    })
  }

  return async function storeConnection(connection) {
    const { member, connector, target, identity } = connection
    const { label, aliasText = label } = identity
    const org = forOrg(db, member.orgId)
    for (let tries = 1; ; tries++) {
      const alias = target.alias ?? defaultAlias(aliasText, connector.id, await takenAliases(org, connection))
      try {
        const account = await storeUnder(org, connection, alias)
        changed?.(member.orgId)
        return account
      } catch (error) {
        const raced = error instanceof GatewayError && error.code === 'alias_taken' && target.alias === undefined
        if (!raced || tries === MAX_TRIES) throw error
      }
    }
  }
}

/** Returns the keys of the aliases that a new account cannot use. */
export async function takenAliases(
  org: OrgDatabase,
  { member, connector, target }: Pick<Connection, 'member' | 'connector' | 'target'>,
): Promise<ReadonlySet<string>> {
  const rows = await org
    .selectFrom('accounts')
    .where('connector', '=', connector.id)
    .where('scope', '=', target.scope)
    .$if(target.scope === 'private', query => query.where('user_id', '=', member.userId))
    .select('alias')
    .execute()
  return new Set(rows.map(({ alias }) => aliasKey(alias)))
}

/**
 * Derives an alias from a text: the provider's name for the account, or the connector's name. Uses the connector's ID if
 * nothing is left of it. Adds a number if the alias is taken.
 */
export function defaultAlias(text: string, connector: string, taken: ReadonlySet<string>): string {
  const words = text
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._@+-]+/gu, ' ')
    .replace(/^[^\p{L}\p{N}]+/u, '')
  const base = cut(words, MAX_ALIAS)
  const alias = isAlias(base) ? base : connector
  if (!taken.has(aliasKey(alias))) return alias
  for (let number = 2; ; number++) {
    const numbered = `${cut(alias, MAX_ALIAS - 1 - String(number).length)}-${number}`
    if (!taken.has(aliasKey(numbered))) return numbered
  }
}

function cut(text: string, characters: number): string {
  return [...text].slice(0, characters).join('').trim()
}
