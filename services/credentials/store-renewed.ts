import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../../lib/database/database-errors.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import type { GatewayError } from '../../lib/errors/errors.ts'
import type { EnqueueRevocation } from '../accounts/account-writes.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { CredentialVault, Oauth2Credential } from './credential.ts'
import { accountGone, notStoredYet, type Subject } from './credential-errors.ts'
import { type CredentialRows, keyOf, type NextCredential, type StoredCredential } from './credential-rows.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000
/** How many refusals of a reachable database to wait for. Transient ones are over by then. */
const MAX_AWAITED_FAILURES = 3

/** An issued token that replaces a version. */
interface RenewedCredential {
  version: number
  credential: Oauth2Credential
  /** The app that the token was issued to. */
  clientId: string
  /** The holder that keeps the lease for another step; null releases it. */
  keptBy: string | null
}

/** Stores issued tokens, and retries for as long as it takes: the tokens that they replaced may be invalid. */
export interface RenewedTokens {
  /**
   * Returns the version that is stored in the end: this one, or another. If the account is gone, enqueues the
   * revocation of the new grant and throws account_not_found. Throws internal_error if a reachable database refuses;
   * the retries continue in the background.
   */
  store(subject: Subject, renewed: RenewedCredential): Promise<StoredCredential>
  /** Returns the error of a token that waits to be stored. No other token may be requested until then. */
  pendingError(subject: Subject, version: number): GatewayError | undefined
  /** Settles when all waiting tokens are stored, or lost, which is logged. */
  settled(): Promise<unknown>
}

interface RenewedTokensOptions extends Pick<Infrastructure, 'db' | 'log'> {
  rows: CredentialRows
  vault: CredentialVault
  enqueueRevocation: EnqueueRevocation
  /** After the abort, each waiting token is tried once more. */
  signal: AbortSignal
}

export function createRenewedTokens(options: RenewedTokensOptions): RenewedTokens {
  const { db, rows, vault, enqueueRevocation, log, signal } = options
  const unstored = new Map<string, { version: number; error: GatewayError; stored: Promise<unknown> }>()

  async function revokeGrant({ account, connector }: Subject, { sealed }: NextCredential, clientId: string) {
    const { id: accountId, orgId, settings } = account
    await enqueueRevocation(forOrg(db, orgId), { accountId, connector: connector.id, settings, sealed, clientId })
    log.warn(
      { account: accountId, connector: connector.id },
      'an account was removed while its token was renewed: the new grant is revoked',
    )
  }

  /** Returns undefined if the account is gone. Its new grant is then revoked. */
  async function storeWithRetries(
    subject: Subject,
    { version, credential, clientId, keptBy }: RenewedCredential,
    refused: (error: unknown) => void,
  ): Promise<StoredCredential | undefined> {
    const { account, connector } = subject
    const next = vault.seal(subject, credential)
    for (let tries = 1, pause = FIRST_PAUSE_MS; ; tries++, pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        const lease = tries > MAX_AWAITED_FAILURES ? null : keptBy
        // The version also differs if an earlier try succeeded but its answer was lost.
        const stored = (await rows.replace(account, version, next, lease)) ?? (await rows.find(account))
        if (stored === undefined) await revokeGrant(subject, next, clientId)
        return stored
      } catch (error) {
        const logFields = { err: error, account: account.id, connector: connector.id }
        if (signal.aborted) {
          log.error(
            logFields,
            'a renewed token could not be stored and is lost: the account may need to be reauthorized',
          )
          throw error
        }
        log.error(
          { ...logFields, retryInMs: pause },
          'a renewed token could not be stored: it is held in memory meanwhile',
        )
        if (tries >= MAX_AWAITED_FAILURES && !isDatabaseUnavailable(error)) refused(error)
        await delay(pause, undefined, { signal }).catch(() => {})
      }
    }
  }

  return {
    async store(subject, renewed) {
      const { account, connector } = subject
      const key = keyOf(account)
      const refusal = Promise.withResolvers<never>()
      const stored = storeWithRetries(subject, renewed, cause => {
        const error = notStoredYet(account, connector, cause)
        unstored.set(key, { version: renewed.version, error, stored })
        refusal.reject(error)
      })
      stored
        .catch(() => {})
        .finally(() => {
          if (unstored.get(key)?.stored === stored) unstored.delete(key)
        })
      const row = await Promise.race([stored, refusal.promise])
      if (row === undefined) throw accountGone(account, connector)
      return row
    },

    pendingError({ account }, version) {
      const held = unstored.get(keyOf(account))
      return held?.version === version ? held.error : undefined
    },

    settled: () => Promise.allSettled([...unstored.values()].map(({ stored }) => stored)),
  }
}
