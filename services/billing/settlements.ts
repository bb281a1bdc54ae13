import { setTimeout as sleep } from 'node:timers/promises'
import { withDeadline } from '../../lib/database/database-errors.ts'
import type { HoldState } from '../../lib/database/usage-tables.ts'
import type { Logger } from '../../schemas/log.ts'
import { HoldSettled, HoldUnknown } from './ledger.ts'

/** How long a caller waits for what he pays to be written down; on a database that is away it is written later. */
const CALLER_WAITS_MS = 1_500
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000
/** A minute of them. */
const ATTEMPTS_A_LINE = 12
/**
 * Attempts to let go of a hold whose making was cut off, 8 s of them: the server itself waits no longer for its rows.
 * What comes later still, and what cannot be written for so long, is left to its expiry: nothing has run for it.
 */
const LOOKS = 6
/** How long the end of the process waits for what is still to be written down. */
const DRAIN_MS = 10_000

/** What became of a hold that is pending no more. */
export type Settled = Exclude<HoldState, 'pending'>

/** What is to be done about a hold: a capture or a release. */
interface Settlement {
  holdId: string
  tool: string
  /** Does it, and tells which. Done again when its answer was lost: the hold tells then that it is settled. */
  settle(): Promise<Settled>
  /** The hold had expired when the settlement came. */
  tooLate?(): Promise<void>
  /** Told once, when it is done. */
  done?(state: Settled): void
  /** Whether the hold may still come to be: the answer to its making was lost. */
  mayCome?: boolean
}

/** Settlements of holds, each done once: the first attempt is made at once, the others for as long as the process lives. */
export interface Settlements {
  /** What became of the hold; `inFlight` after 1.5 s, while it is tried on. Never rejects. */
  settle(settlement: Settlement): Promise<Settled | 'inFlight'>
  /** Waits up to 10 s for those that are under way; what is left is let go by its expiry, in the customer's favour. */
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

  /** Undefined where it is left to the hold's expiry. */
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
        if (attempt % ATTEMPTS_A_LINE === 1)
          log.warn({ err: error, hold: holdId, tool, attempt }, 'a hold could not be settled and is tried again')
      }
      if (closed || (settlement.mayCome && attempt >= LOOKS)) return undefined
      await wait(pause)
    }
  }

  /** What became of the hold; undefined where it may still come to be. */
  async function attemptOf(settlement: Settlement, attempt: number): Promise<Settled | undefined> {
    const { holdId: hold, tool, mayCome = false } = settlement
    try {
      return await settlement.settle()
    } catch (error) {
      if (error instanceof HoldUnknown) {
        if (mayCome) return undefined
        log.error({ err: error, hold, tool }, 'a hold was not there to settle: nothing was charged')
        return 'released'
      }
      if (!(error instanceof HoldSettled)) throw error
      if (error.state === 'expired') {
        log.warn({ hold, tool }, 'a hold had expired before it was settled: nothing was charged')
        await settlement.tooLate?.()
      } else if (attempt === 1) {
        // Nobody else settles this hold: only the answer to an attempt before this one can have been lost.
        log.error({ err: error, hold, tool }, 'a hold was settled already')
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
      if (inFlight.size > 0) log.error({ holds: inFlight.size }, 'holds are left to their expiry, nothing is charged')
    },
  }
}

/** A pause that keeps no process alive. */
function unreferenced(milliseconds: number): Promise<unknown> {
  return sleep(milliseconds, undefined, { ref: false })
}

/** What the work comes to; undefined when it fails, or goes on for longer than so many milliseconds. It is not stopped. */
export function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  return withDeadline(work, milliseconds).catch(() => undefined)
}
