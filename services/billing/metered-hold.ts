import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import type { HoldState } from '../../lib/database/usage-tables.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Logger } from '../../schemas/log.ts'
import type { StoreResult } from '../idempotency/idempotency.ts'
import { holdChannel, type Ledger } from './ledger.ts'
import type { Settled, Settlements } from './settlements.ts'

/** Who pays for a call: an organization, and the API key whose cap applies. */
export interface Payer {
  orgId: string
  userId: string
  /** Null for a signed-in user. */
  keyId: string | null
}

/** A call of a metered tool. */
export interface MeteredCall extends Payer {
  tool: string
  /** The estimated cost, in micro-dollars. */
  estimateMicros: number
}

/** The hold of one call. The caller uses exactly one of its methods, once. None of them rejects. */
export interface MeteredHold {
  /**
   * Charges a cost in micro-dollars and stores the call's result, in one transaction. Returns the charge, also if it is
   * still being retried.
   */
  capture(costMicros: number, store: StoreResult | undefined): Promise<number>
  /** Releases the hold. */
  release(): Promise<void>
  /** Releases the hold after the tool reported an invalid cost, and writes a reconciliation row for the operator. */
  reconcile(reported: unknown): Promise<void>
}

export interface MeteredHoldsOptions {
  db: Kysely<Database>
  ids: IdSource
  log: Pick<Logger, 'error'>
  ledger: Ledger
  settlements: Settlements
}

/** Creates a hold. Throws the errors of Ledger.hold; nothing stays reserved then. */
type OpenHold = (call: MeteredCall) => Promise<MeteredHold>

export function createMeteredHolds({ db, ids, log, ledger, settlements }: MeteredHoldsOptions): OpenHold {
  return async function openHold(call) {
    const { orgId, userId, keyId, tool, estimateMicros } = call
    const id = ids('hld')
    const name = { orgId, id }
    const hold = { holdId: id, tool }

    function publish(state: HoldState, costMicros: number): void {
      // The job that expires holds publishes the expiry.
      if (state !== 'expired') holdChannel.publish({ orgId, ...hold, state, amountMicros: estimateMicros, costMicros })
    }

    async function release(): Promise<Settled> {
      await ledger.release(db, name)
      return 'released'
    }

    async function releaseWithRow(): Promise<Settled> {
      const row = { hold_id: id, reason: 'invalid_cost' as const, user_id: userId, key_id: keyId, tool }
      await forOrg(db, orgId).transaction(async org => {
        await ledger.release(org.db, name)
        await org.insertInto('reconciliations', { ...row, held_micros: estimateMicros, cost_micros: null }).execute()
      })
      return 'released'
    }

    async function captureAndStore(cost: number, store: StoreResult): Promise<Settled> {
      try {
        await db.transaction().execute(async trx => {
          await ledger.capture(trx, name, cost)
          if (!(await store(trx))) throw new CallTaken()
        })
        return 'captured'
      } catch (error) {
        if (error instanceof CallTaken) return release()
        throw error
      }
    }

    async function capture(cost: number): Promise<Settled> {
      await ledger.capture(db, name, cost)
      return 'captured'
    }

    async function noteCost(cost: number): Promise<void> {
      const reconciled = forOrg(db, orgId).updateTable('reconciliations').where('hold_id', '=', id)
      await reconciled.set({ cost_micros: cost }).execute()
    }

    try {
      await ledger.hold({ orgId, id, userId, keyId, tool, amountMicros: estimateMicros })
    } catch (error) {
      // Not a refusal: the hold may exist although its response was lost. Its call never runs, so it must not stay reserved.
      if (!(error instanceof GatewayError)) void settlements.settle({ ...hold, settle: release, uncertain: true })
      throw error
    }
    publish('pending', 0)

    return {
      async capture(cost, store) {
        const taken = (state: Settled | 'inFlight') => (state === 'captured' || state === 'inFlight' ? cost : 0)
        const state = await settlements.settle({
          ...hold,
          settle: () => (store === undefined ? capture(cost) : captureAndStore(cost, store)),
          tooLate: () => noteCost(cost),
          done: state => publish(state, taken(state)),
        })
        return taken(state)
      },
      async release() {
        await settlements.settle({ ...hold, settle: release, done: state => publish(state, 0) })
      },
      async reconcile(reported) {
        const cost = typeof reported === 'number' ? String(reported) : typeof reported
        log.error({ tool, hold: id, told: cost }, 'a tool reported an invalid cost: nothing was charged')
        await settlements.settle({ ...hold, settle: releaseWithRow, done: state => publish(state, 0) })
      },
    }
  }
}

/** Thrown if another process has taken over the call. */
class CallTaken extends Error {
  override readonly name = 'CallTaken'
}
