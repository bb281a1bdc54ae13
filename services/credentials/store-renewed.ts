import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { isDatabaseUnavailable } from '../../lib/database/database-errors.ts'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import type { GatewayError } from '../../lib/errors/errors.ts'
import type { Logger } from '../../schemas/log.ts'
import type { EnqueueRevocation } from '../accounts/account-writes.ts'
import type { CredentialVault, Oauth2Credential } from './credential.ts'
import { accountGone, notStoredYet, type Subject } from './credential-errors.ts'
import { type CredentialRows, keyOf, type NextCredential, type StoredCredential } from './credential-rows.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000
/** How often a database that can be had may refuse before nobody waits for it: what passes by itself has passed by then. */
const PATIENCE = 3

/** A token that was issued, to be stored in place of a version. */
export interface Renewed {
  version: number
  credential: Oauth2Credential
  /** The app that it was issued to. */
  clientId: string
  /** Who keeps the lease for another step; null lets go of it. */
  keptBy: string | null
}

/** Stores tokens that were issued, for as long as it takes: those that they replaced may be worth nothing any more. */
export interface RenewedTokens {
  /**
   * What stands there then: it, or another's. Of an account that is gone by now the new grant is given back; throws
   * account_not_found. Throws internal_error where the database can be had and refuses: it is tried again behind the calls.
   */
  store(subject: Subject, renewed: Renewed): Promise<StoredCredential>
  /** Why no other token is to be asked for in place of this version: one is held that is not stored yet. */
  held(subject: Subject, version: number): GatewayError | undefined
  /** Settles when all that is held is stored, or lost, which is logged. */
  settled(): Promise<unknown>
}

export interface RenewedTokensOptions {
  db: Kysely<Database>
  rows: CredentialRows
  vault: CredentialVault
  enqueueRevocation: EnqueueRevocation
  log: Logger
  /** Aborts when what is not stored by now will not be; each is tried once more. */
  signal: AbortSignal
}

export function createRenewedTokens(options: RenewedTokensOptions): RenewedTokens {
  const { db, rows, vault, enqueueRevocation, log, signal } = options
  const unstored = new Map<string, { version: number; error: GatewayError; stored: Promise<unknown> }>()

  async function revokeGrant({ account, connector }: Subject, { sealed }: NextCredential, clientId: string) {
    const { id: accountId, orgId, settings } = account
    await enqueueRevocation(forOrg(db, orgId), { accountId, connector: connector.id, settings, sealed, clientId })
    log.warn({ account: accountId, connector: connector.id }, 'an account was removed while its token was renewed')
  }

  /** Undefined when the account is gone, and its grant is given back. */
  async function untilStored(
    subject: Subject,
    { version, credential, clientId, keptBy }: Renewed,
    refused: (error: unknown) => void,
  ): Promise<StoredCredential | undefined> {
    const { account, connector } = subject
    const next = vault.seal(subject, credential)
    for (let tries = 1, pause = FIRST_PAUSE_MS; ; tries++, pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        const lease = tries > PATIENCE ? null : keptBy
        // Of another version is also what was stored by a try whose answer was lost.
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
        if (tries >= PATIENCE && !isDatabaseUnavailable(error)) refused(error)
        await delay(pause, undefined, { signal }).catch(() => {})
      }
    }
  }

  return {
    async store(subject, renewed) {
      const { account, connector } = subject
      const key = keyOf(account)
      const refusal = Promise.withResolvers<never>()
      const stored = untilStored(subject, renewed, cause => {
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

    held({ account }, version) {
      const held = unstored.get(keyOf(account))
      return held?.version === version ? held.error : undefined
    },

    settled: () => Promise.allSettled([...unstored.values()].map(({ stored }) => stored)),
  }
}
