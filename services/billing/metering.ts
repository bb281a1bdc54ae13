import { isDatabaseUnavailable, LOOKUP_DEADLINE_MS, retryRead } from '../../lib/database/database-errors.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Logger } from '../../schemas/log.ts'
import { isCost } from '../../schemas/money.ts'
import type { KeepResult, StoreResult } from '../idempotency/idempotency.ts'
import { isDone, type ToolResult } from '../mcp/contract.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import {
  createMeteredHolds,
  type MeteredCall,
  type MeteredHold,
  type MeteredHoldsOptions,
  type Payer,
} from './metered-hold.ts'
import { withTimeout } from './settlements.ts'
import { billableRefusal, type Standings, standingRefusal } from './standings.ts'

/** How long a shutdown waits for running calls. Nothing else waits for calls whose client has disconnected. */
const DRAIN_MS = 15_000

/** Runs the tool, which calls `reportCost` if the cost differs from the estimate. */
export type MeteredRun = (reportCost: (costMicros: number, usageId?: string) => void) => Promise<ToolResult>

/** The result and the charge of a metered call. */
export interface MeteredResult {
  result: ToolResult
  /** The charge in micro-dollars, even if it is still being written; 0 for a failed call. */
  costMicros: number
}

/** Charges for calls: hold, run, capture. A failed call costs nothing. */
export interface Metering {
  /** Throws the reason if no metered call may run, and billing_authorization_failed if the database cannot tell. */
  requireStanding(payer: Payer): Promise<void>
  /**
   * Runs the tool on a hold. Throws insufficient_balance and the other refusals, billing_authorization_failed if the hold
   * cannot be recorded (the tool does not run then), and the tool's own errors. The result of a call with an idempotency
   * key is stored in the transaction that captures its hold, so that a paid result is never lost.
   */
  run(call: MeteredCall, tool: MeteredRun, keep?: KeepResult): Promise<MeteredResult>
  /** Waits for running calls and unfinished settlements. */
  close(): Promise<void>
}

interface MeteringOptions extends MeteredHoldsOptions {
  log: Pick<Logger, 'error'>
  standings: Standings
  commands: OperatorCommands
}

export function createMetering({ standings, commands, ...options }: MeteringOptions): Metering {
  const { log, settlements } = options
  const openHold = createMeteredHolds(options)
  const running = new Set<Promise<unknown>>()

  /** Runs a query that decides whether a call may run. Throws billing_authorization_failed if the query fails. */
  async function authorized<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof GatewayError) throw error
      if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'cannot authorize a metered call')
      throw new GatewayError(
        'billing_authorization_failed',
        'The gateway cannot check now whether this call is paid for. Nothing ran and nothing was charged. Retry in a minute.',
        { cause: error },
      )
    }
  }

  async function onHold(call: MeteredCall, run: MeteredRun, keep: KeepResult | undefined): Promise<MeteredResult> {
    const hold = await authorized(() => openHold(call))
    let cost: unknown = call.estimateMicros
    let store: StoreResult | undefined
    let result: ToolResult
    try {
      result = await run(reported => {
        cost = reported
      })
      // In this block: a repeated call must not find an unpaid result, and a result that cannot be stored must release the
      // hold.
      if (isDone(result) && isCost(cost)) store = keep?.(result)
    } catch (error) {
      await hold.release()
      throw error
    }
    return { result, costMicros: await settled(hold, isDone(result), cost, store) }
  }

  return {
    async requireStanding(payer) {
      const standing = await authorized(() => retryRead(() => standings.of(payer), LOOKUP_DEADLINE_MS))
      const refused = standingRefusal(standing)
      if (refused !== undefined) throw billableRefusal(refused, { payer, commands })
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
      await withTimeout(Promise.allSettled(running), DRAIN_MS)
      await settlements.close()
      // The callers record the outcomes of their calls in this turn of the event loop.
      await new Promise(setImmediate)
    },
  }
}

/** Ends the hold of a finished call. Returns the charge in micro-dollars. */
async function settled(
  hold: MeteredHold,
  done: boolean,
  cost: unknown,
  store: StoreResult | undefined,
): Promise<number> {
  if (done && isCost(cost)) return hold.capture(cost, store)
  await (done ? hold.reconcile(cost) : hold.release())
  return 0
}
