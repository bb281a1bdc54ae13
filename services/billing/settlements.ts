import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { withDeadline } from '../../lib/database/database-errors.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import type { HoldState } from '../../lib/database/usage-tables.ts'
import type { JobContext, Jobs } from '../../lib/jobs/jobs.ts'
import type { Logger } from '../../schemas/gateway/log.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { HoldSettled, HoldUnknown, holdChannel } from './ledger.ts'

/** How long a caller waits for the settlement. During a database outage, the settlement continues in the background. */
const CALLER_WAITS_MS = 1_500
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000
/** Attempts per line of the log: about one line a minute. */
const ATTEMPTS_PER_LINE = 12
/**
 * Attempts to release a hold whose creation got no response. They take 8 s; the database gives up on the creation sooner.
 * A hold that appears later, or cannot be released in that time, expires. Its call never ran.
 */
const UNCERTAIN_ATTEMPTS = 6
/** How long a shutdown waits for unfinished settlements. */
const DRAIN_MS = 10_000

/** The final states of a hold. */
export type Settled = Exclude<HoldState, 'pending'>

/** A capture or release of a hold. */
interface Settlement {
  holdId: string
  tool: string
  /** Settles the hold and returns the new state. Runs again if its response was lost; the hold is already settled then. */
  settle(): Promise<Settled>
  /** Called if the hold had already expired. */
  tooLate?(): Promise<void>
  /** Called once, with the final state. */
  done?(state: Settled): void
  /** Whether the hold may appear later, because the response to its creation was lost. */
  uncertain?: boolean
}

/** Settles each hold once. The first attempt is immediate; retries continue until the process ends. */
export interface Settlements {
  /** Resolves to the final state, or to `inFlight` after 1.5 s while retries continue. Never rejects. */
  settle(settlement: Settlement): Promise<Settled | 'inFlight'>
  /** Waits up to 10 s for unfinished settlements. Holds that remain expire, in the customer's favor. */
  close(): Promise<void>
}

interface SettlementsOptions {
  log: Pick<Logger, 'warn' | 'error'>
  /** Waits between two attempts. */
  wait?: (milliseconds: number) => Promise<unknown>
}

export function createSettlements({ log, wait = unreferenced }: SettlementsOptions): Settlements {
  const inFlight = new Set<Promise<unknown>>()
  let closed = false

  /** Retries until the hold is settled; undefined if the hold is left to expire. */
  async function untilDone(settlement: Settlement): Promise<Settled | undefined> {
    const { holdId, tool } = settlement
    for (let attempt = 1, pause = FIRST_PAUSE_MS; ; attempt++, pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        const state = await attemptOf(settlement, attempt)
        if (state !== undefined) {
          settlement.done?.(state)
          return state
        }
      } catch (error) {
        if (attempt % ATTEMPTS_PER_LINE === 1)
          log.warn({ err: error, hold: holdId, tool, attempt }, 'cannot settle a hold; retrying')
      }
      if (closed || (settlement.uncertain && attempt >= UNCERTAIN_ATTEMPTS)) return undefined
      await wait(pause)
    }
  }

  /** The final state; undefined if the hold does not exist but may still appear. */
  async function attemptOf(settlement: Settlement, attempt: number): Promise<Settled | undefined> {
    const { holdId: hold, tool, uncertain = false } = settlement
    try {
      return await settlement.settle()
    } catch (error) {
      if (error instanceof HoldUnknown) {
        if (uncertain) return undefined
        log.error({ err: error, hold, tool }, 'a hold to settle does not exist: nothing was charged')
        return 'released'
      }
      if (!(error instanceof HoldSettled)) throw error
      if (error.state === 'expired') {
        log.warn({ hold, tool }, 'a hold expired before its settlement: nothing was charged')
        await settlement.tooLate?.()
      } else if (attempt === 1) {
        // Only this process settles the hold, so a first attempt never finds it settled.
        log.error({ err: error, hold, tool }, 'a hold was already settled')
      }
      return error.state as Settled
    }
  }

  return {
    async settle(settlement) {
      const settling = untilDone(settlement).finally(() => inFlight.delete(settling))
      inFlight.add(settling)
      return (await withTimeout(settling, CALLER_WAITS_MS)) ?? 'inFlight'
    },
    async close() {
      await withTimeout(Promise.all(inFlight), DRAIN_MS)
      closed = true
      if (inFlight.size > 0)
        log.error({ holds: inFlight.size }, 'shutting down with unsettled holds: they expire and nothing is charged')
    },
  }
}

/** Waits without keeping the process alive. */
function unreferenced(milliseconds: number): Promise<unknown> {
  return sleep(milliseconds, undefined, { ref: false })
}

/** The result of the work; undefined if it fails or exceeds the timeout. The work itself continues. */
export function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  return withDeadline(work, milliseconds).catch(() => undefined)
}

const KIND = 'billing.expire-holds'
const MINUTE_MS = 60_000
/** The number of holds per statement and per line of the log. */
const BATCH = 500

interface ExpiredHold {
  holdId: string
  tool: string
  amountMicros: number
}

/**
 * Defines the job that releases holds which were not settled in time, every minute by the database's clock. The cost of
 * their calls is unknown and not charged, so the job logs each hold and writes a reconciliation row.
 */
export function defineHoldExpiry(jobs: Jobs, options: Pick<Infrastructure, 'db'>): void {
  const db = acrossOrgs(options.db)

  async function expire(orgId: string, { signal, log }: JobContext): Promise<void> {
    for (;;) {
      const { rows: holds } = await sql<ExpiredHold>`
        select id as "holdId", tool, amount_micros as "amountMicros" from gateway_expire_holds(${orgId}, ${BATCH})
      `.execute(db)
      if (holds.length > 0) log.warn({ orgId, count: holds.length, holds }, 'holds have expired: nothing was charged')
      for (const hold of holds) holdChannel.publish({ orgId, ...hold, state: 'expired', costMicros: 0 })
      if (holds.length < BATCH || signal.aborted) return
    }
  }

  jobs.define(KIND, async (_payload, context) => {
    const { rows } = await sql<{ orgId: string }>`
      select distinct org_id as "orgId" from holds where state = 'pending' and expires_at <= now()`.execute(db)
    for (const { orgId } of rows) {
      try {
        await expire(orgId, context)
      } catch (error) {
        // A failure in one wallet must not block the others.
        context.log.error(
          { err: error, orgId },
          'cannot release the expired holds of an organization; the next run tries again',
        )
      }
      if (context.signal.aborted) return
    }
  })
  jobs.every(KIND, MINUTE_MS)
}
