import type { Kysely } from 'kysely'
import type { IdSource } from '../../schemas/ids.ts'
import type { Logger } from '../../schemas/log.ts'
import { isCost } from '../../schemas/money.ts'
import type { Database } from '../database/tables.ts'
import { forOrg } from '../database/tenant.ts'
import { isDatabaseUnavailable, LOOKUP_DEADLINE_MS, retryRead } from '../database/unavailable.ts'
import { GatewayError } from '../error-envelope/errors.ts'
import { isDone, type KeepResult } from '../idempotency/idempotency.ts'
import type { ToolResult } from '../mcp/contract.ts'
import { type BillableRefusal, billableRefusal, refusedStanding } from '../standing/billable.ts'
import { type HoldEvent, publishHold } from './hold-event.ts'
import { HoldUnknown, type Ledger } from './ledger.ts'
import { type Settlements, within } from './settlements.ts'
import type { Standings } from './standings.ts'

/** How long the end of the process waits for calls that run: a client that has gone is waited for by nobody else. */
const FAREWELL_MS = 15_000

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

/** Runs the tool; it says by `charge` what the call did cost, where that is not the estimate. */
export type MeteredRun = (charge: (costMicros: number) => void) => Promise<ToolResult>

/** What a metered call came to. */
export interface MeteredResult {
  result: ToolResult
  /** Micro-dollars; 0 for what failed. */
  costMicros: number
}

/** The price of calls: hold, run, capture; a call that fails costs nothing. */
export interface Metering {
  /** Throws what stands against any call that costs money, and billing_authorization_failed when nobody can tell. */
  requireStanding(payer: Payer): Promise<void>
  /**
   * Runs the tool on a hold. Throws insufficient_balance and the other refusals, billing_authorization_failed when the
   * hold could not be recorded (nothing ran then), and what the tool throws. The result of a call with an idempotency
   * key is kept in the transaction that captures its hold: who has paid finds his answer.
   */
  run(call: MeteredCall, tool: MeteredRun, keep?: KeepResult): Promise<MeteredResult>
  /** Waits for the calls that run and for what is still to be settled. */
  close(): Promise<void>
}

export interface MeteringOptions {
  db: Kysely<Database>
  ids: IdSource
  log: Pick<Logger, 'error'>
  ledger: Ledger
  standings: Standings
  settlements: Settlements
}

export function createMetering({ db, ids, log, ledger, standings, settlements }: MeteringOptions): Metering {
  const running = new Set<Promise<unknown>>()

  /** Answers the id of the hold. */
  async function hold(call: MeteredCall): Promise<string> {
    const { orgId, userId, keyId, tool, estimateMicros } = call
    const id = ids('hld')
    try {
      await ledger.hold({ orgId, id, userId, keyId, tool, amountMicros: estimateMicros })
    } catch (error) {
      if (error instanceof GatewayError) throw error
      // The hold may stand all the same, its answer lost: what never runs must not stay set aside.
      const settle = () => ledger.release(db, { orgId, id }).catch(ignoreUnknown)
      void settlements.settle({ holdId: id, tool, settle })
      throw notAuthorized(error)
    }
    tell(call, id, 'pending', 0)
    return id
  }

  function notAuthorized(error: unknown): GatewayError {
    if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'a call could not be authorized')
    return new GatewayError(
      'billing_authorization_failed',
      'What this call may cost could not be set aside. Nothing ran and nothing was charged: repeat the call in a while.',
      { cause: error },
    )
  }

  async function release(call: MeteredCall, id: string): Promise<void> {
    const { orgId, tool } = call
    await settlements.settle({ holdId: id, tool, settle: () => ledger.release(db, { orgId, id }) })
    tell(call, id, 'released', 0)
  }

  /** Lets go of the hold of a call that told no cost one can take, and leaves a row for a person to look at. */
  async function reconcile(call: MeteredCall, id: string, told: unknown): Promise<void> {
    const { orgId, userId, keyId, tool, estimateMicros } = call
    log.error({ tool, hold: id, told: String(told) }, 'a tool told a cost that is none: nothing was charged')
    const settle = () =>
      forOrg(db, orgId).transaction(async org => {
        await ledger.release(org.db, { orgId, id })
        const row = { hold_id: id, reason: 'invalid_cost' as const, user_id: userId, key_id: keyId, tool }
        await org.insertInto('reconciliations', { ...row, held_micros: estimateMicros, cost_micros: null }).execute()
      })
    await settlements.settle({ holdId: id, tool, settle })
    tell(call, id, 'released', 0)
  }

  /** Takes the cost; with a result to keep, in one transaction with it, or not at all. */
  async function capture(call: MeteredCall, id: string, cost: number, keep: KeepThis | undefined): Promise<void> {
    const { orgId, tool } = call
    const together = () =>
      db.transaction().execute(async trx => {
        await ledger.capture(trx, { orgId, id }, cost)
        if (keep !== undefined && !(await keep(trx))) throw new CallTaken()
      })
    const settle = async () => {
      if (keep === undefined) return ledger.capture(db, { orgId, id }, cost)
      try {
        await together()
      } catch (error) {
        if (!(error instanceof CallTaken)) throw error
        await ledger.release(db, { orgId, id })
      }
    }
    const tooLate = async () => {
      const reconciled = forOrg(db, orgId).updateTable('reconciliations').where('hold_id', '=', id)
      await reconciled.set({ cost_micros: cost }).execute()
    }
    await settlements.settle({ holdId: id, tool, settle, tooLate })
    tell(call, id, 'captured', cost)
  }

  function tell(call: MeteredCall, holdId: string, state: HoldEvent['state'], costMicros: number): void {
    const { orgId, tool, estimateMicros: amountMicros } = call
    publishHold({ orgId, holdId, tool, state, amountMicros, costMicros })
  }

  async function onHold(call: MeteredCall, run: MeteredRun, keep: KeepResult | undefined): Promise<MeteredResult> {
    const id = await hold(call)
    let cost = call.estimateMicros
    let result: ToolResult
    try {
      result = await run(told => {
        cost = told
      })
    } catch (error) {
      await release(call, id)
      throw error
    }
    if (!isDone(result)) {
      await release(call, id)
      return { result, costMicros: 0 }
    }
    if (!isCost(cost)) {
      await reconcile(call, id, cost)
      return { result, costMicros: 0 }
    }
    const done = result
    await capture(call, id, cost, keep && (trx => keep(trx, done)))
    return { result, costMicros: cost }
  }

  return {
    async requireStanding(payer) {
      let refused: BillableRefusal | undefined
      try {
        refused = refusedStanding(await retryRead(() => standings.of(payer), LOOKUP_DEADLINE_MS))
      } catch (error) {
        throw notAuthorized(error)
      }
      if (refused !== undefined) throw billableRefusal(refused)
    },

    async run(call, run, keep) {
      const ends = onHold(call, run, keep)
      running.add(ends)
      try {
        return await ends
      } finally {
        running.delete(ends)
      }
    },

    async close() {
      await within(Promise.allSettled(running), FAREWELL_MS)
      await settlements.close()
    },
  }
}

/** Keeps the result at hand within a transaction; false when the call is another's. */
type KeepThis = (db: Kysely<Database>) => Promise<boolean>

/** The call is another process's by now. */
class CallTaken extends Error {
  override readonly name = 'CallTaken'
}

function ignoreUnknown(error: unknown): void {
  if (!(error instanceof HoldUnknown)) throw error
}
