import { isDatabaseUnavailable, LOOKUP_DEADLINE_MS, retryRead } from '../../lib/database/database-errors.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Logger } from '../../schemas/log.ts'
import { isCost } from '../../schemas/money.ts'
import type { KeepResult, StoreResult } from '../idempotency/idempotency.ts'
import { isDone, type ToolResult } from '../mcp/contract.ts'
import {
  createMeteredHolds,
  type MeteredCall,
  type MeteredHold,
  type MeteredHoldsOptions,
  type Payer,
} from './metered-hold.ts'
import { withTimeout } from './settlements.ts'
import { billableRefusal, type Standings, standingRefusal } from './standings.ts'

/** How long the end of the process waits for calls that run: a client that has gone is waited for by nobody else. */
const DRAIN_MS = 15_000

/** Runs the tool; it says by `reportCost` what the call did cost, where that is not the estimate. */
export type MeteredRun = (reportCost: (costMicros: number) => void) => Promise<ToolResult>

/** What a metered call came to. */
export interface MeteredResult {
  result: ToolResult
  /** Micro-dollars that were taken, or will be as soon as the database takes it down; 0 for what failed. */
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

interface MeteringOptions extends MeteredHoldsOptions {
  log: Pick<Logger, 'error'>
  standings: Standings
}

export function createMetering({ standings, ...options }: MeteringOptions): Metering {
  const { log, settlements } = options
  const openHold = createMeteredHolds(options)
  const running = new Set<Promise<unknown>>()

  /** What is asked of the database before a call may run, or the error that says so. */
  async function authorized<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof GatewayError) throw error
      if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'a call could not be authorized')
      throw new GatewayError(
        'billing_authorization_failed',
        'Whether this call is paid for could not be settled beforehand. Nothing ran and nothing was charged: repeat the call in a while.',
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
      result = await run(told => {
        cost = told
      })
      // At once, and in here: who asks again meanwhile must not find a result that nobody has paid, and one that cannot
      // be kept is none.
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
      await withTimeout(Promise.allSettled(running), DRAIN_MS)
      await settlements.close()
      // Whoever made the calls takes down what came of them, in this turn of the loop.
      await new Promise(setImmediate)
    },
  }
}

/** Ends a hold by what came of its call; answers what was taken. */
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
