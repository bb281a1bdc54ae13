import type { Actor } from '../../../lib/audit/audit.ts'
import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import { remoteCapability } from '../../../schemas/remotes/names.ts'
import type { Account } from '../../accounts/account.ts'
import { selectRemoteAccounts } from '../../accounts/account-rows.ts'
import type { Accounts } from '../../accounts/accounts.ts'
import type { IssuedCredential } from '../../credentials/credential.ts'
import type { Grants } from '../../credentials/grants.ts'
import { isPerMember, type Registration } from '../registration.ts'

interface StoreCredentialOptions {
  accounts: Pick<Accounts, 'insert' | 'reauthorized'>
  grants: Pick<Grants, 'store'>
}

/** Who provided a credential: the actor, and the member who owns it or, for the organization's, who created it. */
export interface ProvidedBy {
  by: Actor
  userId: string
}

/**
 * Stores a credential of a registration in its account, or per member in the member's, in the transaction of `org`. Throws what Accounts.insert
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
  return async function storeCredential(org, registration, issued, { by, userId }) {
    const { id: remoteId, slug, upstreamUrl } = registration
    const scope = isPerMember(registration) ? 'private' : 'shared'
    const existing = await selectRemoteAccounts(org, userId)
      .where('remote_id', '=', remoteId)
      .where('scope', '=', scope)
      .executeTakeFirst()
    const { credential, grantedScopes } = issued
    const data = {
      identity: new URL(upstreamUrl).host,
      // A registration has one account per owner, so its identity needs no request to the upstream.
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
            scope,
            alias: slug,
            remoteId,
            ...data,
          })
        : await accounts.reauthorized(org, existing.id, data)
    await grants.store(org, account, issued)
    return account
  }
}
