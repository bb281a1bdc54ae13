import { forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import type { HoldState } from '../../lib/database/usage-tables.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Logger } from '../../schemas/gateway/log.ts'
import type { StoreResult } from '../idempotency/idempotency.ts'
import type { Infrastructure } from '../infrastructure.ts'
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
   * Charges a cost in micro-dollars, at most the bound of an overage, and stores the call's answer, in one transaction.
   * `storing` gets the charge. Returns the charge, even if it is still being retried.
   */
  capture(costMicros: number, storing: (chargedMicros: number) => StoreResult | undefined): Promise<number>
  /** Releases the hold. */
  release(): Promise<void>
  /** Releases the hold after the tool reported an invalid cost, and writes a reconciliation row for the operator. */
  reconcile(reported: unknown): Promise<void>
}

/** The most that a call may cost. */
export interface OverageBound {
  /** A call is charged at most this many times its estimate. A whole number from 1. */
  overageLimitFactor: number
}

export interface MeteredHoldsOptions extends Pick<Infrastructure, 'db' | 'ids'>, OverageBound {
  log: Pick<Logger, 'error'>
  ledger: Ledger
  settlements: Settlements
}

/** Creates a hold. Throws the errors of Ledger.hold; nothing stays reserved then. */
type OpenHold = (call: MeteredCall) => Promise<MeteredHold>

export function createMeteredHolds(options: MeteredHoldsOptions): OpenHold {
  const { db, ids, log, ledger, settlements } = options
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
      await forOrg(db, orgId).transaction(async org => {
        await ledger.release(org.db, name)
        await insertReconciliation(org, { ...call, id }, 'invalid_cost', null)
      })
      return 'released'
    }

    async function capture(
      { charge, isBounded, reconcile }: Bounded,
      store: StoreResult | undefined,
    ): Promise<Settled> {
      if (store === undefined && !isBounded) {
        await ledger.capture(db, name, charge)
        return 'captured'
      }
      try {
        await forOrg(db, orgId).transaction(async org => {
          await ledger.capture(org.db, name, charge)
          await reconcile(org)
          if (store !== undefined && !(await store(org.db))) throw new CallTaken()
        })
        return 'captured'
      } catch (error) {
        if (error instanceof CallTaken) return release()
        throw error
      }
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
      async capture(cost, storing) {
        const bounded = withinBound(options, { ...call, id, costMicros: cost })
        const store = storing(bounded.charge)
        const taken = (state: Settled | 'inFlight') =>
          state === 'captured' || state === 'inFlight' ? bounded.charge : 0
        const state = await settlements.settle({
          ...hold,
          settle: () => capture(bounded, store),
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

/** What is charged of a cost, in micro-dollars. */
interface Bounded {
  charge: number
  /** Whether a part of the cost is not charged. */
  isBounded: boolean
  /** Records the part that is not charged, in the transaction of the capture. */
  reconcile(org: OrgDatabase): Promise<void>
}

/** Bounds the cost of a call by its estimate, and logs a cost above the bound. */
export function withinBound(
  { log, overageLimitFactor }: OverageBound & Pick<MeteredHoldsOptions, 'log'>,
  hold: MeteredCall & { id: string; costMicros: number },
): Bounded {
  const { orgId, id, tool, estimateMicros, costMicros } = hold
  const charge = Math.min(costMicros, estimateMicros * overageLimitFactor)
  const isBounded = charge < costMicros
  if (isBounded)
    log.error(
      { orgId, hold: id, tool, estimateMicros, costMicros, chargedMicros: charge },
      'a tool reported a cost above the bound of its estimate: the rest was not charged',
    )
  return {
    charge,
    isBounded,
    async reconcile(org) {
      if (isBounded) await insertReconciliation(org, hold, 'overage_bound', costMicros)
    },
  }
}

async function insertReconciliation(
  org: OrgDatabase,
  { id, userId, keyId, tool, estimateMicros }: MeteredCall & { id: string },
  reason: 'invalid_cost' | 'overage_bound',
  cost: number | null,
): Promise<void> {
  const row = { hold_id: id, reason, user_id: userId, key_id: keyId, tool }
  await org.insertInto('reconciliations', { ...row, held_micros: estimateMicros, cost_micros: cost }).execute()
}

/** Thrown if another process has taken over the call. */
class CallTaken extends Error {
  override readonly name = 'CallTaken'
}
