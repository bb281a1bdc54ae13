import type { Infrastructure } from '../infrastructure.ts'
import {
  type CredentialVault,
  type Oauth2Credential,
  renewableTokens,
  renewed,
  tokenPairOf,
  withoutUser,
} from './credential.ts'
import type { CredentialChanges } from './credential-changes.ts'
import { accountGone, needsReauth, notRenewedYet, renewalRefused, type Subject } from './credential-errors.ts'
import type { CredentialRows, StoredCredential } from './credential-rows.ts'
import type { OauthClient } from './oauth-clients.ts'
import type { RenewedTokens } from './store-renewed.ts'
import { type TokenEndpoint, withAccountEndpoints } from './token-endpoint.ts'
import { oauth2Of, TokenEndpointError } from './token-endpoint-error.ts'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 300_000
/** The maximum wait that a provider may request. */
const LONGEST_ASKED_PAUSE_MS = 3_600_000
/** How long to wait for a former lease holder to store its new token, before the grant counts as ended. */
const OVERRUN_MS = 5_000

/** The right to renew a credential, and the OAuth app for it. */
interface Lease {
  owner: string
  client: OauthClient
  /** Whether another holder let the lease expire. That holder may have a new token that it could not store. */
  tookOver: boolean
}

/** Records that a token endpoint refuses `resource`, so that later requests do not send it. */
export type RecordRefusedResource = (orgId: string, connector: string, tokenUrl: string) => Promise<void>

interface RefreshUnderLeaseOptions extends Pick<Infrastructure, 'clock' | 'log' | 'commands'> {
  rows: CredentialRows
  vault: CredentialVault
  tokenEndpoint: Pick<TokenEndpoint, 'refresh'>
  renewedTokens: Pick<RenewedTokens, 'store'>
  credentialChanges: CredentialChanges
  recordRefusedResource: RecordRefusedResource
}

/** Renews a credential at the token endpoint, in the process that holds the lease. */
export function createRefreshUnderLease(options: RefreshUnderLeaseOptions) {
  const { rows, vault, tokenEndpoint, renewedTokens, credentialChanges, recordRefusedResource, commands, clock, log } =
    options

  /** Returns the stored credential. Throws account_not_found. */
  async function current({ account, connector }: Subject): Promise<StoredCredential> {
    const row = await rows.find(account)
    if (row === undefined) throw accountGone(account, connector)
    return row
  }

  /**
   * Records that the provider rejects this version, and throws needs_reauth. Returns the current version if it has
   * changed.
   */
  async function requireReauth(
    subject: Subject,
    known: StoredCredential,
    because?: TokenEndpointError,
  ): Promise<StoredCredential> {
    const { account, connector } = subject
    if (!(await rows.markRefused(account, known.version))) return current(subject)
    const logFields = { account: account.id, connector: connector.id, ...(because !== undefined && { err: because }) }
    log.warn(logFields, 'an account needs to be reauthorized')
    throw needsReauth(commands, account, connector)
  }

  /** Waits until another process replaces a version; undefined after `ms` milliseconds without a replacement. */
  async function waitForReplacement(
    subject: Subject,
    version: number,
    ms: number,
  ): Promise<StoredCredential | undefined> {
    const until = performance.now() + ms
    const subscription = credentialChanges.subscribe(subject.account)
    try {
      for (;;) {
        const row = await current(subject)
        if (row.version !== version) return row
        const left = until - performance.now()
        if (left <= 0) return undefined
        await subscription.nextChange(Math.min(left, 500))
      }
    } finally {
      subscription.stop()
    }
  }

  /**
   * Waits for the replacement of a version whose refresh token is rejected: a former lease holder may be slow to store
   * it.
   */
  function waitForOverrun(subject: Subject, { version }: StoredCredential, { tookOver }: Lease) {
    return waitForReplacement(subject, version, tookOver ? OVERRUN_MS : 0)
  }

  async function handleFailure(
    subject: Subject,
    row: StoredCredential,
    lease: Lease,
    error: TokenEndpointError,
  ): Promise<StoredCredential> {
    const { account, connector } = subject
    if (error.kind === 'invalid_grant')
      return (await waitForOverrun(subject, row, lease)) ?? requireReauth(subject, row, error)
    const failures = row.failures + 1
    const pause = Math.max(
      Math.min(FIRST_PAUSE_MS * 2 ** Math.min(row.failures, 30), LONGEST_PAUSE_MS),
      Math.min((error.retryAfter ?? 0) * 1_000, LONGEST_ASKED_PAUSE_MS),
    )
    log.warn(
      { err: error, account: account.id, connector: connector.id, failures, retryInMs: pause },
      'a token could not be renewed',
    )
    await rows.putOff(account, row.version, lease.owner, { failures, retryAt: clock.now() + pause })
    const wait = { seconds: Math.ceil(pause / 1_000), cause: error }
    throw error.kind === 'rejected' ? renewalRefused(account, connector, wait) : notRenewedYet(account, connector, wait)
  }

  return {
    current,
    giveUp: requireReauth,

    /** Renews all renewable tokens of a leased credential, and stores each before the next one. */
    async refresh(subject: Subject, leased: StoredCredential, lease: Lease): Promise<StoredCredential> {
      const { account, connector } = subject
      const { owner, client } = lease
      let credential = vault.open(subject, leased) as Oauth2Credential
      let row = leased
      let refusedAt: string | undefined
      const tokenOwners = renewableTokens(credential)
      for (const [i, tokenOwner] of tokenOwners.entries()) {
        const refreshToken = tokenPairOf(credential, tokenOwner)?.refreshToken ?? ''
        try {
          const there = withAccountEndpoints(connector, account.settings)
          const issued = await tokenEndpoint.refresh(there, client, refreshToken, tokenOwner)
          credential = renewed(credential, tokenOwner, issued.credential)
          if (issued.resourceRefused) refusedAt = oauth2Of(there).tokenUrl
        } catch (error) {
          if (!(error instanceof TokenEndpointError)) {
            // The lease must not outlive this failure.
            await rows.release(account, row.version, owner).catch(() => {})
            throw error
          }
          if (tokenOwner === 'own' || error.kind !== 'invalid_grant') return handleFailure(subject, row, lease, error)
          const other = await waitForOverrun(subject, row, lease)
          if (other !== undefined) return other
          // The connector's own token works without the user's token.
          log.warn(
            { account: account.id, connector: connector.id },
            'the provider rejects the token of an authorizing user: it is removed',
          )
          credential = withoutUser(credential)
        }
        const expected = row.version + 1
        const keptBy = i < tokenOwners.length - 1 ? owner : null
        row = await renewedTokens.store(subject, { version: row.version, credential, clientId: client.id, keptBy })
        // Another process stored a reauthorization, which supersedes renewals of the previous grant.
        if (row.version !== expected) return row
      }
      if (refusedAt !== undefined)
        await recordRefusedResource(account.orgId, connector.id, refusedAt).catch(error =>
          log.warn({ err: error, connector: connector.id }, 'cannot record that a token endpoint refuses `resource`'),
        )
      return row
    },
  }
}
