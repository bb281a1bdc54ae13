import { type Kysely, sql } from 'kysely'
import { isCost, isMicros } from '../../schemas/money.ts'
import type { HoldState } from '../database/billing-tables.ts'
import { errorCode } from '../database/error-code.ts'
import type { Database } from '../database/tables.ts'
import { GatewayError } from '../error-envelope/errors.ts'
import { billableRefusal } from '../standing/billable.ts'

/** How long a hold waits for its settlement: longer than any call and a database that is away for a while. */
export const HOLD_MS = 15 * 60_000

/** A hold by its organization and id. */
export interface HoldName {
  orgId: string
  /** `hld_…` */
  id: string
}

/** What is set aside before a metered tool runs. */
export interface NewHold extends HoldName {
  userId: string
  /** The API key of the call, whose cap counts; null for a signed-in user. */
  keyId: string | null
  tool: string
  /** Micro-dollars, above zero. */
  amountMicros: number
}

/** A hold that was settled before, or expired: nothing was changed. */
export class HoldSettled extends Error {
  override readonly name = 'HoldSettled'
  readonly state: HoldState

  constructor(state: HoldState) {
    super(`The hold is ${state} already`)
    this.state = state
  }
}

/** There is no hold of this id: it was never made, or not yet. */
export class HoldUnknown extends Error {
  override readonly name = 'HoldUnknown'
}

/**
 * The functions of migration 0006: each moves money whole or throws. They run on the handle they are given, in its
 * transaction where it stands in one.
 */
export interface Ledger {
  /**
   * Sets an amount aside. Throws org_suspended, payment_required, key_spend_limit_exceeded, insufficient_balance, and
   * what the database throws when it cannot be had.
   */
  hold(hold: NewHold): Promise<void>
  /** Takes what a call did cost, above its hold too, and lets go of the rest. Throws HoldSettled and HoldUnknown. */
  capture(db: Kysely<Database>, hold: HoldName, costMicros: number): Promise<void>
  /** Lets go of a hold. Throws HoldSettled and HoldUnknown. */
  release(db: Kysely<Database>, hold: HoldName): Promise<void>
  /** Adds to a wallet; answers its new balance. Throws invalid_request where that would be more than can be counted. */
  credit(
    db: Kysely<Database>,
    credit: { orgId: string; id: string; amountMicros: number; description: string },
  ): Promise<number>
}

export interface LedgerOptions {
  db: Kysely<Database>
  /** Below this balance an organization is in billing hold. */
  thresholdMicros: number
}

export function createLedger({ db, thresholdMicros }: LedgerOptions): Ledger {
  return {
    async hold({ orgId, id, userId, keyId, tool, amountMicros }) {
      if (!isMicros(amountMicros)) throw new TypeError(`A hold of ${amountMicros} micro-dollars is none`)
      try {
        await sql`select gateway_hold(
          ${orgId}, ${id}, ${userId}, ${keyId}, ${tool}, ${amountMicros}, ${thresholdMicros},
          ${HOLD_MS} * interval '1 millisecond'
        )`.execute(db)
      } catch (error) {
        const refused = HOLD_REFUSALS[errorCode(error) ?? '']
        throw refused === undefined ? error : billableRefusal(refused)
      }
    },

    async capture(on, { orgId, id }, costMicros) {
      if (!isCost(costMicros)) throw new TypeError(`A cost of ${costMicros} micro-dollars is none`)
      await settled(sql`select gateway_capture(${orgId}, ${id}, ${costMicros})`.execute(on))
    },

    async release(on, { orgId, id }) {
      await settled(sql`select gateway_release(${orgId}, ${id})`.execute(on))
    },

    async credit(on, { orgId, id, amountMicros, description }) {
      if (!isMicros(amountMicros)) throw new TypeError(`A credit of ${amountMicros} micro-dollars is none`)
      try {
        const { rows } = await sql<{ balance: number }>`
          select gateway_credit(${orgId}, ${id}, ${amountMicros}, ${description}) as balance`.execute(on)
        return rows[0]?.balance ?? 0
      } catch (error) {
        if (errorCode(error) !== CHECK_VIOLATION) throw error
        throw new GatewayError('invalid_request', 'amount_micros: the wallet cannot hold that much.', { cause: error })
      }
    },
  }
}

const CHECK_VIOLATION = '23514'

const HOLD_REFUSALS: Readonly<Record<string, Parameters<typeof billableRefusal>[0]>> = {
  GW001: 'org_suspended',
  GW002: 'payment_required',
  GW003: 'key_spend_limit_exceeded',
  GW004: 'insufficient_balance',
}

async function settled(settling: Promise<unknown>): Promise<void> {
  try {
    await settling
  } catch (error) {
    if (errorCode(error) === 'GW005') throw new HoldSettled(detailOf(error))
    if (errorCode(error) === 'GW006') throw new HoldUnknown('There is no such hold')
    throw error
  }
}

/** The state stands in the DETAIL of the error. */
function detailOf(error: unknown): HoldState {
  return (error as { detail: HoldState }).detail
}
