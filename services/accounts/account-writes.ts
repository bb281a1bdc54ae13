import type { Actor } from '../../lib/audit/audit.ts'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { AccountScope, AccountStatus, AuthKind } from '../../schemas/organizations/account.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { lockActiveMember } from '../organizations/requirements.ts'
import type { Account } from './account.ts'
import { requireAccount, requireAccountCapacity, writeAlias } from './account-rows.ts'
import { aliasKey, toAlias } from './aliases.ts'

/** The results of a connect that become part of an account. */
interface ConnectResult {
  /** The provider's name for the account, for people. */
  identity: string
  /** The value that distinguishes the account from others at the provider; empty if the provider names none. */
  identityKey: string
  authKind: AuthKind
  /** Whether the provider verified a pasted key; null for the other connect methods. */
  keyVerified: boolean | null
  settings: Readonly<Record<string, string>>
  /** Null if the provider does not report them. */
  grantedScopes: readonly string[] | null
  by: Actor
}

/** An account to add. */
export interface NewAccount extends ConnectResult {
  connector: string
  /** The owner of a private account, the creator of a shared one. */
  userId: string
  scope: AccountScope
  alias: string
  /** The registration, if the account is the credential of a remote connector. */
  remoteId?: string
}

/** A new grant for an existing account. */
export type Reauthorization = ConnectResult

const json = (value: unknown) => JSON.stringify(value)
const jsonOrNull = (value: unknown) => (value === null ? null : JSON.stringify(value))

/** Adds an account; see Accounts.insert. */
export async function insertAccount(
  org: OrgDatabase,
  { connector, userId, scope, alias: text, remoteId, by, ...connected }: NewAccount,
  { clock, ids, audit }: Pick<Infrastructure, 'clock' | 'ids' | 'audit'>,
): Promise<Account> {
  if (!(await lockActiveMember(org, userId)))
    throw new GatewayError('invalid_request', `${userId} is not a member of ${org.orgId}.`)
  await requireAccountCapacity(org, { connector, scope, userId })
  const { identityKey, ...details } = connected
  const account: Account = {
    id: ids('acc'),
    orgId: org.orgId,
    connector,
    userId,
    scope,
    alias: toAlias(text),
    status: 'connected',
    ...details,
  }
  const now = new Date(clock.now())
  await writeAlias(account, by, () =>
    org
      .insertInto('accounts', {
        id: account.id,
        connector,
        user_id: userId,
        scope,
        alias: account.alias,
        alias_key: aliasKey(account.alias),
        identity: account.identity,
        identity_key: identityKey,
        auth_kind: account.authKind,
        key_verified: account.keyVerified,
        status: account.status,
        settings: json(account.settings),
        granted_scopes: jsonOrNull(account.grantedScopes),
        remote_id: remoteId ?? null,
        created_at: now,
        updated_at: now,
      })
      .execute(),
  )
  const detail = { connector, alias: account.alias, scope, userId, authKind: account.authKind }
  await audit.record(org, { by, action: 'account.add', target: account.id, detail })
  return account
}

/** Reauthorizes an account; see Accounts.reauthorized. */
export async function reauthorize(
  org: OrgDatabase,
  id: string,
  { identity, identityKey, authKind, keyVerified, settings, grantedScopes, by }: Reauthorization,
  { clock, audit }: Pick<Infrastructure, 'clock' | 'audit'>,
): Promise<Account> {
  const { identityKey: knownKey, remoteId: _remote, ...before } = await requireAccount(org, id)
  // Without a known identity, a new key may belong to the same account. Older rows of unverified keys have a fingerprint.
  const isKnown = knownKey !== '' && before.keyVerified !== false
  if (isKnown && knownKey !== identityKey)
    throw new GatewayError(
      'identity_mismatch',
      `${before.alias} is ${before.identity} of ${before.connector}, but the authorization is for ${identity}. ` +
        `Authorize ${before.identity}, or connect ${identity} as a separate account.`,
    )
  const renewed: Account = { ...before, status: 'connected', identity, authKind, keyVerified, settings, grantedScopes }
  await org
    .updateTable('accounts')
    .where('id', '=', id)
    .set({
      status: 'connected',
      identity,
      identity_key: identityKey,
      auth_kind: authKind,
      key_verified: keyVerified,
      settings: json(settings),
      granted_scopes: jsonOrNull(grantedScopes),
      updated_at: new Date(clock.now()),
    })
    .execute()
  const detail = { connector: before.connector, alias: before.alias, authKind }
  await audit.record(org, { by, action: 'account.reauthorize', target: id, detail })
  return renewed
}

/**
 * Changes the status of an account that the transaction holds. Skips an equal status, because a write would invalidate
 * caches.
 */
export async function writeStatus(
  org: OrgDatabase,
  { id, connector, alias, status: before }: Account,
  { status, by }: { status: AccountStatus; by: Actor },
  { clock, audit }: Pick<Infrastructure, 'clock' | 'audit'>,
): Promise<void> {
  if (status === before) return
  const updated_at = new Date(clock.now())
  await org.updateTable('accounts').where('id', '=', id).set({ status, updated_at }).execute()
  await audit.record(org, { by, action: 'account.status', target: id, detail: { connector, alias, status } })
}

/** Counts the accounts that use an OAuth client; see Accounts.connectionsOf. */
export async function connectionsOf(org: OrgDatabase, connector: string, clientId: string): Promise<number> {
  const { count } = await org
    .selectFrom('accounts')
    .innerJoin('account_credentials', join =>
      join
        .onRef('account_credentials.account_id', '=', 'accounts.id')
        .onRef('account_credentials.org_id', '=', 'accounts.org_id'),
    )
    .where('accounts.connector', '=', connector)
    .where('account_credentials.client_source', '=', 'org')
    .where('account_credentials.client_id', '=', clientId)
    .select(eb => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The parts of a removed account that its revocation needs. */
export interface RemovedAccount {
  readonly accountId: string
  readonly connector: string
  readonly settings: Readonly<Record<string, string>>
  /** The credential, still sealed for its place in account_credentials. */
  readonly sealed: string
  /** The OAuth client it was issued to; null for keys. */
  readonly clientId: string | null
}

/** Enqueues the revocation of a removed account's grant, best effort and after the commit. */
export type EnqueueRevocation = (org: OrgDatabase, removed: RemovedAccount) => Promise<void>

interface RemovalOptions extends Pick<Infrastructure, 'audit'> {
  enqueueRevocation: EnqueueRevocation
}

/**
 * Removes accounts that the transaction holds. Locks each account before its credential, as everywhere. The commit
 * deletes the credential, whether or not its revocation succeeds.
 */
export async function removeAccounts(
  org: OrgDatabase,
  accounts: readonly Account[],
  { by, because }: { by: Actor; because?: string },
  { audit, enqueueRevocation }: RemovalOptions,
): Promise<void> {
  for (const { id, connector, settings, alias, scope, userId } of accounts) {
    const credential = await org
      .selectFrom('account_credentials')
      .where('account_id', '=', id)
      .select(['sealed', 'client_id as clientId'])
      .forUpdate()
      .executeTakeFirst()
    await org.deleteFrom('accounts').where('id', '=', id).execute()
    const detail = { connector, alias, scope, userId, ...(because !== undefined && { because }) }
    await audit.record(org, { by, action: 'account.remove', target: id, detail })
    if (credential !== undefined) await enqueueRevocation(org, { accountId: id, connector, settings, ...credential })
  }
}
