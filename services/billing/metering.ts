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

/**
 * Runs the tool, which calls `reportCost` if the cost differs from the estimate, and as soon as a provider has charged for
 * something.
 */
type MeteredRun = (reportCost: (costMicros: number) => void) => Promise<ToolResult>

/** The parameters of a run in addition to its call. */
interface MeteredTerms {
  /** Stores the result of a call with an idempotency key. */
  keep?: KeepResult | undefined
  /** Called with a charge in micro-dollars before the call ends or fails, even if the charge is still being written. */
  charged(costMicros: number): void
}

/** Charges for calls: hold, run, capture. A failed call costs what the tool reported before it failed. */
export interface Metering {
  /** Throws the reason if no metered call may run, and billing_authorization_failed if the database cannot tell. */
  requireStanding(payer: Payer): Promise<void>
  /**
   * Runs the tool on a hold. Throws insufficient_balance and the other refusals, billing_authorization_failed if the hold
   * cannot be recorded (the tool does not run then), and the tool's own errors. The result of a call with an idempotency
   * key is stored in the transaction that captures its hold, so that a paid result is never lost.
   */
  run(call: MeteredCall, tool: MeteredRun, terms: MeteredTerms): Promise<ToolResult>
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

  async function onHold(call: MeteredCall, run: MeteredRun, { keep, charged }: MeteredTerms): Promise<ToolResult> {
    const hold = await authorized(() => openHold(call))
    // What a failed call costs: only a report shows that a provider has charged for it.
    let cost: unknown = 0
    let isReported = false
    let store: StoreResult | undefined
    let result: ToolResult
    try {
      result = await run(reported => {
        cost = reported
        isReported = true
      })
      if (isDone(result) && !isReported) cost = call.estimateMicros
      // In this block: a repeated call must not find an unpaid result, and a result that cannot be stored must settle the
      // hold.
      if (isDone(result) && isCost(cost)) store = keep?.(result)
    } catch (error) {
      charged(await settled(hold, false, cost, undefined))
      throw error
    }
    charged(await settled(hold, isDone(result), cost, store))
    return result
  }

  return {
    async requireStanding(payer) {
      const standing = await authorized(() => retryRead(() => standings.of(payer), LOOKUP_DEADLINE_MS))
      const refused = standingRefusal(standing)
      if (refused !== undefined) throw billableRefusal(refused, { payer, commands })
    },

    async run(call, run, terms) {
      const ends = onHold(call, run, terms)
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

/** Ends the hold of a finished or failed call. Returns the charge in micro-dollars. */
async function settled(
  hold: MeteredHold,
  done: boolean,
  cost: unknown,
  store: StoreResult | undefined,
): Promise<number> {
  if (isCost(cost) && (done || cost > 0)) return hold.capture(cost, store)
  await (done || cost !== 0 ? hold.reconcile(cost) : hold.release())
  return 0
}
