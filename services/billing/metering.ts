import { isDatabaseUnavailable, LOOKUP_DEADLINE_MS, retryRead } from '../../lib/database/database-errors.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { toGatewayError } from '../../lib/errors/to-gateway-error.ts'
import { dollars, isCost } from '../../schemas/billing/money.ts'
import type { Logger } from '../../schemas/gateway/log.ts'
import type { KeepAnswer } from '../idempotency/idempotency.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { isDone, type ToolResult } from '../mcp/mcp-types.ts'
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
  /** Stores the answer of a call with an idempotency key. */
  keep?: KeepAnswer | undefined
  /** Called with a charge in micro-dollars before the call ends or fails, even if the charge is still being written. */
  charged(costMicros: number): void
}

/**
 * Charges for calls: hold, run, capture. A failed call costs what the tool reported before it failed, and a call that asks
 * for input costs nothing.
 */
export interface Metering {
  /** Throws the reason if no metered call may run, and billing_authorization_failed if the database cannot tell. */
  requireStanding(payer: Payer): Promise<void>
  /**
   * Runs the tool on a hold. Throws insufficient_balance and the other refusals, billing_authorization_failed if the hold
   * cannot be recorded (the tool does not run then), and the tool's own errors. The answer of a call with an idempotency
   * key is stored in the transaction that captures its hold, a failure too: a paid result is never lost, and a key is charged
   * once.
   */
  run(call: MeteredCall, tool: MeteredRun, terms: MeteredTerms): Promise<ToolResult>
  /** Waits for running calls and unfinished settlements. */
  close(): Promise<void>
}

interface MeteringOptions extends Pick<Infrastructure, 'commands'>, MeteredHoldsOptions {
  log: Pick<Logger, 'error'>
  standings: Standings
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
    // A failed call costs only what was reported: nothing else shows that a provider has charged for it.
    const report: { cost?: unknown } = {}
    try {
      const result = await run(cost => {
        report.cost = cost
      })
      if (isDone(result)) {
        const { cost = call.estimateMicros } = report
        // Before the settlement: a result that cannot be stored is a failure of the call.
        const store = isCost(cost) ? keep?.(result) : undefined
        charged(await settled(hold, cost, () => store))
      } else if (result.isError === true) {
        charged(await settledFailure(hold, report.cost, () => keep?.(result)))
      } else await hold.release()
      return result
    } catch (error) {
      const storing = (micros: number) => keep?.(withCharge(toGatewayError(error), micros))
      charged(await settledFailure(hold, report.cost, storing))
      throw error
    }
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

/** Returns the error of a failed call, with what the call was charged in its message. */
export function withCharge(error: GatewayError, chargedMicros: number): GatewayError {
  if (chargedMicros === 0) return error
  const { code, message, retryAfter, details, unsettled } = error
  return new GatewayError(code, `${message} The provider charged for it: the call cost ${dollars(chargedMicros)}.`, {
    cause: error,
    unsettled,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(details !== undefined && { details }),
  })
}

type Storing = Parameters<MeteredHold['capture']>[1]

/** Ends the hold of a call that costs what was reported. Returns the charge in micro-dollars. */
async function settled(hold: MeteredHold, cost: unknown, storing: Storing): Promise<number> {
  if (isCost(cost)) return hold.capture(cost, storing)
  await hold.reconcile(cost)
  return 0
}

/** Ends the hold of a failed call, which is free without a reported cost. Returns the charge in micro-dollars. */
async function settledFailure(hold: MeteredHold, cost: unknown, storing: Storing): Promise<number> {
  if (cost !== undefined && cost !== 0) return settled(hold, cost, storing)
  await hold.release()
  return 0
}
