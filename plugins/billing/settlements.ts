import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../schemas/log.ts'
import { withDeadline } from '../database/unavailable.ts'
import { HoldSettled, HoldUnknown } from './ledger.ts'

/** How long a caller waits for what he pays to be written down; on a database that is away it is written later. */
const PATIENCE_MS = 1_500
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000
/** How long the end of the process waits for what is still to be written down. */
const FAREWELL_MS = 10_000

/** What is to be done about a hold: a capture or a release. */
export interface Settlement {
  holdId: string
  tool: string
  /** Does it. Done again when its answer was lost: the hold tells then that it is settled. */
  settle(): Promise<void>
  /** The hold had expired when the settlement came. */
  tooLate?(): Promise<void>
}

/** Settlements of holds, each done once: the first attempt is made at once, the others for as long as the process lives. */
export interface Settlements {
  /** Resolves when it is done, or after 1.5 s while it is tried on; never rejects. */
  settle(settlement: Settlement): Promise<void>
  /** Waits up to 10 s for those that are under way; what is left is let go by its expiry, in the customer's favour. */
  close(): Promise<void>
}

export interface SettlementsOptions {
  log: Pick<Logger, 'warn' | 'error'>
  /** Waits between two attempts. */
  wait?: (milliseconds: number) => Promise<unknown>
}

export function createSettlements({ log, wait = unreferenced }: SettlementsOptions): Settlements {
  const underWay = new Set<Promise<void>>()
  let closed = false

  async function untilDone(settlement: Settlement): Promise<void> {
    const { holdId, tool } = settlement
    for (let attempt = 1, pause = FIRST_PAUSE_MS; ; attempt++, pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        await settlement.settle()
        return
      } catch (error) {
        if (error instanceof HoldSettled || error instanceof HoldUnknown) return found(settlement, attempt, error)
        log.warn({ err: error, hold: holdId, tool, attempt }, 'a hold could not be settled and is tried again')
      }
      if (closed) return
      await wait(pause)
    }
  }

  /** What the database says of a hold that is not pending. */
  async function found({ holdId, tool, tooLate }: Settlement, attempt: number, error: Error): Promise<void> {
    const expired = error instanceof HoldSettled && error.state === 'expired'
    // Nobody else settles this hold: the answer to an attempt before this one was lost.
    if (!expired && attempt > 1) return
    if (!expired) return log.error({ err: error, hold: holdId, tool }, 'a hold was not there to settle')
    log.warn({ hold: holdId, tool }, 'a hold had expired before it was settled: nothing was charged')
    try {
      await tooLate?.()
    } catch (failure) {
      log.warn({ err: failure, hold: holdId, tool }, 'what an expired hold did cost could not be noted')
    }
  }

  return {
    async settle(settlement) {
      const settling = untilDone(settlement).finally(() => underWay.delete(settling))
      underWay.add(settling)
      await within(settling, PATIENCE_MS)
    },
    async close() {
      await within(Promise.all(underWay), FAREWELL_MS)
      closed = true
      if (underWay.size > 0) log.error({ holds: underWay.size }, 'holds are left to their expiry, nothing is charged')
    },
  }
}

/** Resolves when the work has ended, or goes on longer than that. */
export async function within(work: Promise<unknown>, milliseconds: number): Promise<void> {
  try {
    await withDeadline(work, milliseconds)
  } catch {
    // It goes on by itself.
  }
}

/** A pause that keeps no process alive. */
function unreferenced(milliseconds: number): Promise<unknown> {
  return sleep(milliseconds, undefined, { ref: false })
}
