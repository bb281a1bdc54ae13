import { type Selectable, sql } from 'kysely'
import type { AccountCredentialsTable } from '../../lib/database/connector-tables.ts'
import { LOOKUP_DEADLINE_MS, retryRead } from '../../lib/database/database-errors.ts'
import { forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import type { Sealed } from '../../lib/vault/vault.ts'
import type { AccountStatus } from '../../schemas/organizations/account.ts'
import type { Account } from '../accounts/account.ts'
import type { Infrastructure } from '../infrastructure.ts'

/** The key of an account's credential. */
export type AccountKey = Pick<Account, 'id' | 'orgId'>

/** Returns the key of an account in caches. */
export function keyOf({ id, orgId }: AccountKey): string {
  return `${orgId} ${id}`
}

/** A stored credential, still sealed. Times are in milliseconds since the epoch. */
export interface StoredCredential {
  readonly sealed: string
  readonly version: number
  readonly expiresAt: number | null
  /** When it was issued. */
  readonly issuedAt: number
  readonly clientId: string | null
  readonly refreshOwner: string | null
  readonly failures: number
  readonly retryAt: number | null
}

/** A credential that replaces another. */
export interface NextCredential extends Sealed {
  expiresAt: number | null
}

interface CredentialRowsOptions extends Pick<Infrastructure, 'db' | 'clock'> {
  leaseMs: number
  /** Records an account's status in the transaction of the handle. */
  markNeedsReauth(org: OrgDatabase, accountId: string): Promise<void>
  markConnected(org: OrgDatabase, accountId: string): Promise<void>
}

const COLUMNS = [
  'sealed',
  'version',
  'expires_at',
  'updated_at',
  'client_id',
  'refresh_owner',
  'refresh_failures',
  'retry_at',
] as const

const NO_LEASE = { refresh_owner: null, refresh_until: null }
const NEVER_FAILED = { refresh_failures: 0, retry_at: null, refused_at: null }

/** Access to the table account_credentials for refreshes. Every change applies to one version only. */
export type CredentialRows = ReturnType<typeof createCredentialRows>

export function createCredentialRows(options: CredentialRowsOptions) {
  const { db, clock, leaseMs, markNeedsReauth, markConnected } = options
  // Uses only the database's clock, as job leases do.
  const leaseEnd = sql<Date>`now() + ${leaseMs} * interval '1 millisecond'`
  const credential = ({ id, orgId }: AccountKey) =>
    forOrg(db, orgId).selectFrom('account_credentials').where('account_id', '=', id)
  const changed = ({ id, orgId }: AccountKey, version: number, org = forOrg(db, orgId)) =>
    org.updateTable('account_credentials').where('account_id', '=', id).where('version', '=', version)
  // Lock the account before its credential, as everywhere.
  const lockAccount = (org: OrgDatabase, id: string) =>
    org.selectFrom('accounts').where('id', '=', id).select('id').forUpdate().executeTakeFirst()

  return {
    /** Returns the stored credential; undefined if the account is gone. */
    async find(account: AccountKey): Promise<StoredCredential | undefined> {
      const query = credential(account).select(COLUMNS)
      const row = await retryRead(() => query.executeTakeFirst(), LOOKUP_DEADLINE_MS)
      return row && toStored(row)
    },

    /** Returns the status of the account; undefined if it is gone. */
    async status({ id, orgId }: AccountKey): Promise<AccountStatus | undefined> {
      const query = forOrg(db, orgId).selectFrom('accounts').where('id', '=', id).select('status')
      return (await retryRead(() => query.executeTakeFirst(), LOOKUP_DEADLINE_MS))?.status
    },

    /** Acquires the lease to refresh this version; undefined if it is held, postponed, or of another version. */
    async lease(account: AccountKey, version: number, owner: string): Promise<StoredCredential | undefined> {
      const row = await changed(account, version)
        .where(eb => eb.or([eb('refresh_until', 'is', null), eb('refresh_until', '<', sql<Date>`now()`)]))
        .where(eb => eb.or([eb('retry_at', 'is', null), eb('retry_at', '<=', new Date(clock.now()))]))
        .set({ refresh_owner: owner, refresh_until: leaseEnd })
        .returning(COLUMNS)
        .executeTakeFirst()
      return row && toStored(row)
    },

    /**
     * Stores the successor of this version, and keeps the lease for its holder's next step or releases it. Returns
     * undefined if the version has changed. The lease is not a condition: after an overrun, a token that the provider
     * issued must not be lost, and the new holder finds the new version. If the previous token was recorded as rejected
     * meanwhile, the account is connected again in the same transaction.
     */
    async replace(
      account: AccountKey,
      version: number,
      { sealed, keyId, expiresAt }: NextCredential,
      keptBy: string | null,
    ): Promise<StoredCredential | undefined> {
      const write = (org?: OrgDatabase) =>
        changed(account, version, org)
          .set(eb => ({
            sealed,
            key_id: keyId,
            version: eb('version', '+', 1),
            expires_at: expiresAt === null ? null : new Date(expiresAt),
            updated_at: new Date(clock.now()),
            ...NEVER_FAILED,
            ...(keptBy === null ? NO_LEASE : { refresh_owner: keptBy, refresh_until: leaseEnd }),
          }))
          .returning(COLUMNS)
      const row =
        (await write().where('refused_at', 'is', null).executeTakeFirst()) ??
        (await forOrg(db, account.orgId).transaction(async org => {
          await lockAccount(org, account.id)
          const row = await write(org).executeTakeFirst()
          if (row !== undefined) await markConnected(org, account.id)
          return row
        }))
      return row && toStored(row)
    },

    /** Releases a lease. */
    async release(account: AccountKey, version: number, owner: string): Promise<void> {
      await changed(account, version).where('refresh_owner', '=', owner).set(NO_LEASE).execute()
    },

    /** Releases a lease after a failure, and postpones the next try. */
    async putOff(
      account: AccountKey,
      version: number,
      owner: string,
      { failures, retryAt }: { failures: number; retryAt: number },
    ): Promise<void> {
      await changed(account, version)
        .where('refresh_owner', '=', owner)
        .set({ ...NO_LEASE, refresh_failures: failures, retry_at: new Date(retryAt) })
        .execute()
    },

    /**
     * Records in one transaction that the provider rejects this version. Returns false if the version has changed or
     * the account is gone.
     */
    async markRefused(account: AccountKey, version: number): Promise<boolean> {
      return forOrg(db, account.orgId).transaction(async org => {
        await lockAccount(org, account.id)
        const refused = await changed(account, version, org)
          .set({ ...NO_LEASE, refused_at: new Date(clock.now()) })
          .returning('version')
          .executeTakeFirst()
        if (refused !== undefined) await markNeedsReauth(org, account.id)
        return refused !== undefined
      })
    },
  }
}

/** Stores an issued credential, whatever was stored before, in the transaction of the handle. */
export async function storeIssued(
  org: OrgDatabase,
  accountId: string,
  issued: NextCredential & { client: { id: string; source: 'platform' | 'org' } | null; at: Date },
): Promise<void> {
  const { sealed, keyId, expiresAt, client, at } = issued
  const row = {
    sealed,
    key_id: keyId,
    expires_at: expiresAt === null ? null : new Date(expiresAt),
    client_id: client?.id ?? null,
    client_source: client?.source ?? null,
    ...NO_LEASE,
    ...NEVER_FAILED,
    updated_at: at,
  }
  await org
    .insertInto('account_credentials', { account_id: accountId, ...row })
    .onConflict(conflict =>
      conflict.columns(['org_id', 'account_id']).doUpdateSet(eb => ({
        ...row,
        version: eb('account_credentials.version', '+', 1),
        // By this, the other processes learn at once that there is a new authorization.
        authorizations: eb('account_credentials.authorizations', '+', 1),
      })),
    )
    .execute()
}

function toStored(row: Pick<Selectable<AccountCredentialsTable>, (typeof COLUMNS)[number]>): StoredCredential {
  return {
    sealed: row.sealed,
    version: row.version,
    expiresAt: row.expires_at?.getTime() ?? null,
    issuedAt: row.updated_at.getTime(),
    clientId: row.client_id,
    refreshOwner: row.refresh_owner,
    failures: row.refresh_failures,
    retryAt: row.retry_at?.getTime() ?? null,
  }
}
