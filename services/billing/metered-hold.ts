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

/** Who pays: an organization, and the API key whose cap counts. */
export interface Payer {
  orgId: string
  userId: string
  /** Null for a signed-in user. */
  keyId: string | null
}

/** A call of a metered tool that may run. */
export interface MeteredCall extends Payer {
  tool: string
  /** What it may cost, in micro-dollars. */
  estimateMicros: number
}

/** What is set aside for one call, and the ways in which it ends; none of them rejects, and one of them is taken. */
export interface MeteredHold {
  /**
   * Takes a cost in micro-dollars, and stores the call's result with it, or neither. Answers what was taken, or will be
   * as soon as the database takes it down.
   */
  capture(costMicros: number, store: StoreResult | undefined): Promise<number>
  /** Lets go of it. */
  release(): Promise<void>
  /** Lets go of it because the tool told a cost that is none, and leaves a row for a person to look at. */
  reconcile(told: unknown): Promise<void>
}

export interface MeteredHoldsOptions {
  db: Kysely<Database>
  ids: IdSource
  log: Pick<Logger, 'error'>
  ledger: Ledger
  settlements: Settlements
}

/** Makes a hold. Throws as Ledger.hold does; then nothing stays set aside. */
type OpenHold = (call: MeteredCall) => Promise<MeteredHold>

export function createMeteredHolds({ db, ids, log, ledger, settlements }: MeteredHoldsOptions): OpenHold {
  return async function openHold(call) {
    const { orgId, userId, keyId, tool, estimateMicros } = call
    const id = ids('hld')
    const name = { orgId, id }
    const hold = { holdId: id, tool }

    function tell(state: HoldState, costMicros: number): void {
      // Who lets a hold expire tells of it.
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
      // No refusal: the hold may stand, its answer lost, and what never runs must not stay set aside.
      if (!(error instanceof GatewayError)) void settlements.settle({ ...hold, settle: release, mayCome: true })
      throw error
    }
    tell('pending', 0)

    return {
      async capture(cost, store) {
        const taken = (state: Settled | 'inFlight') => (state === 'captured' || state === 'inFlight' ? cost : 0)
        const state = await settlements.settle({
          ...hold,
          settle: () => (store === undefined ? capture(cost) : captureAndStore(cost, store)),
          tooLate: () => noteCost(cost),
          done: state => tell(state, taken(state)),
        })
        return taken(state)
      },
      async release() {
        await settlements.settle({ ...hold, settle: release, done: state => tell(state, 0) })
      },
      async reconcile(told) {
        const said = typeof told === 'number' ? String(told) : typeof told
        log.error({ tool, hold: id, told: said }, 'a tool told a cost that is none: nothing was charged')
        await settlements.settle({ ...hold, settle: releaseWithRow, done: state => tell(state, 0) })
      },
    }
  }
}

/** The call is another process's by now. */
class CallTaken extends Error {
  override readonly name = 'CallTaken'
}
