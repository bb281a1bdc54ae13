import type { Actor } from '../../../lib/audit/audit.ts'
import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import { remoteCapability } from '../../../schemas/remote-names.ts'
import type { Account } from '../../accounts/account.ts'
import { selectRemoteAccounts } from '../../accounts/account-rows.ts'
import type { Accounts } from '../../accounts/accounts.ts'
import type { IssuedCredential } from '../../credentials/credential.ts'
import type { Grants } from '../../credentials/grants.ts'
import type { Registration } from '../registration.ts'

export interface StoreCredentialOptions {
  accounts: Pick<Accounts, 'insert' | 'reauthorized'>
  grants: Pick<Grants, 'store'>
}

/** Who gave a credential: on whose behalf, and the member whose account it becomes where there is none yet. */
export interface ProvidedBy {
  by: Actor
  userId: string
}

/**
 * Stores what an upstream is authenticated to with, as the one account of its registration, which the handle's
 * transaction holds. Throws what Accounts.insert and Accounts.reauthorized throw.
 */
export type StoreCredential = (
  org: OrgDatabase,
  registration: Registration,
  issued: IssuedCredential,
  given: ProvidedBy,
) => Promise<Account>

/** What was pasted for an upstream (checkProvidedCredential), as what is stored. */
export function issuedApiKey(key: string): IssuedCredential {
  return { credential: { v: 1, kind: 'api_key', key }, grantedScopes: null, client: null }
}

export function createStoreCredential({ accounts, grants }: StoreCredentialOptions): StoreCredential {
  return async function storeCredential(org, { id: remoteId, slug, upstreamUrl }, issued, { by, userId }) {
    const there = await selectRemoteAccounts(org).where('remote_id', '=', remoteId).executeTakeFirst()
    const { credential, grantedScopes } = issued
    const data = {
      identity: new URL(upstreamUrl).host,
      // Nobody is asked who it is of: one registration, one account.
      identityKey: remoteId,
      authKind: credential.kind,
      keyVerified: credential.kind === 'api_key' ? false : null,
      settings: {},
      grantedScopes,
      by,
    }
    const account =
      there === undefined
        ? await accounts.insert(org, {
            connector: remoteCapability(slug),
            userId,
            scope: 'shared',
            alias: slug,
            remoteId,
            ...data,
          })
        : await accounts.reauthorized(org, there.id, data)
    await grants.store(org, account, issued)
    return account
  }
}
