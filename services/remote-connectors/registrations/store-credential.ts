import type { Actor } from '../../../lib/audit/audit.ts'
import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import { remoteCapability } from '../../../schemas/remote-names.ts'
import type { Account } from '../../accounts/account.ts'
import { selectRemoteAccounts } from '../../accounts/account-rows.ts'
import type { Accounts } from '../../accounts/accounts.ts'
import type { IssuedCredential } from '../../credentials/credential.ts'
import type { Grants } from '../../credentials/grants.ts'
import type { Registration } from '../registration.ts'

interface StoreCredentialOptions {
  accounts: Pick<Accounts, 'insert' | 'reauthorized'>
  grants: Pick<Grants, 'store'>
}

/** Who provided a credential: the actor, and the member who owns the account if it does not exist yet. */
export interface ProvidedBy {
  by: Actor
  userId: string
}

/**
 * Stores the credential of a registration in its only account, in the transaction of `org`. Throws what Accounts.insert
 * and Accounts.reauthorized throw.
 */
export type StoreCredential = (
  org: OrgDatabase,
  registration: Registration,
  issued: IssuedCredential,
  provided: ProvidedBy,
) => Promise<Account>

/** The stored form of a credential that checkProvidedCredential has accepted. */
export function issuedApiKey(key: string): IssuedCredential {
  return { credential: { v: 1, kind: 'api_key', key }, grantedScopes: null, client: null }
}

export function createStoreCredential({ accounts, grants }: StoreCredentialOptions): StoreCredential {
  return async function storeCredential(org, { id: remoteId, slug, upstreamUrl }, issued, { by, userId }) {
    const existing = await selectRemoteAccounts(org).where('remote_id', '=', remoteId).executeTakeFirst()
    const { credential, grantedScopes } = issued
    const data = {
      identity: new URL(upstreamUrl).host,
      // A registration has one account, so its identity needs no request to the upstream.
      identityKey: remoteId,
      authKind: credential.kind,
      keyVerified: credential.kind === 'api_key' ? false : null,
      settings: {},
      grantedScopes,
      by,
    }
    const account =
      existing === undefined
        ? await accounts.insert(org, {
            connector: remoteCapability(slug),
            userId,
            scope: 'shared',
            alias: slug,
            remoteId,
            ...data,
          })
        : await accounts.reauthorized(org, existing.id, data)
    await grants.store(org, account, issued)
    return account
  }
}
