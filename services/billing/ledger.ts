import { type Kysely, sql } from 'kysely'
import { errorCode } from '../../lib/database/database-errors.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { HoldState } from '../../lib/database/usage-tables.ts'
import { diagnosticsChannel } from '../../lib/diagnostics-channel.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { isCost, isMicros } from '../../schemas/money.ts'
import { type BillingThreshold, billableRefusal } from './standings.ts'

/** How long a hold waits for its settlement: longer than any call and a database that is away for a while. */
const HOLD_MS = 15 * 60_000

/** A hold by its organization and id. */
export interface HoldName {
  orgId: string
  /** `hld_…` */
  id: string
}

/** What is set aside before a metered tool runs. */
interface NewHold extends HoldName {
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
 * The functions of migration 0007: each moves money whole or throws. They run on the handle they are given, in its
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

export function createLedger({ db, thresholdMicros }: BillingThreshold & { db: Kysely<Database> }): Ledger {
  return {
    async hold({ orgId, id, userId, keyId, tool, amountMicros }) {
      if (!isMicros(amountMicros)) throw new TypeError(`A hold of ${amountMicros} micro-dollars is none`)
      const hold = sql`select gateway_hold(
        ${orgId}, ${id}, ${userId}, ${keyId}, ${tool}, ${amountMicros}, ${thresholdMicros},
        ${HOLD_MS} * interval '1 millisecond'
      )`
      await hold.execute(db).catch(raised)
    },

    async capture(on, { orgId, id }, costMicros) {
      if (!isCost(costMicros)) throw new TypeError(`A cost of ${costMicros} micro-dollars is none`)
      await sql`select gateway_capture(${orgId}, ${id}, ${costMicros})`.execute(on).catch(raised)
    },

    async release(on, { orgId, id }) {
      await sql`select gateway_release(${orgId}, ${id})`.execute(on).catch(raised)
    },

    async credit(on, { orgId, id, amountMicros, description }) {
      if (!isMicros(amountMicros)) throw new TypeError(`A credit of ${amountMicros} micro-dollars is none`)
      try {
        const { rows } = await sql<{ balance: number }>`
          select gateway_credit(${orgId}, ${id}, ${amountMicros}, ${description}) as balance`.execute(on)
        return rows[0]?.balance ?? 0
      } catch (error) {
        if ((error as { constraint?: string }).constraint !== 'wallets_balance_micros_check') throw error
        throw new GatewayError('invalid_request', 'amount_micros: the wallet cannot hold that much.', { cause: error })
      }
    },
  }
}

/** What the functions raise, by its code; the state of a settled hold is the DETAIL. */
const RAISED: Readonly<Record<string, (error: unknown) => Error>> = {
  GW001: () => billableRefusal('org_suspended'),
  GW002: () => billableRefusal('payment_required'),
  GW003: () => billableRefusal('key_spend_limit_exceeded'),
  GW004: () => billableRefusal('insufficient_balance'),
  GW005: error => new HoldSettled((error as { detail: HoldState }).detail),
  GW006: () => new HoldUnknown('There is no such hold'),
}

/** Throws what an error of the database's says of money, and any other as it is. */
function raised(error: unknown): never {
  throw RAISED[errorCode(error) ?? '']?.(error) ?? error
}

/** A hold that was created or that ended. */
export interface HoldEvent {
  orgId: string
  holdId: string
  tool: string
  state: HoldState
  /** The reserved amount, in micro-dollars. */
  amountMicros: number
  /** The charged amount, in micro-dollars. 0 unless the hold was captured. */
  costMicros: number
}

/** Reports each new state of a hold, for metrics and traces. The ledger itself is in the database. */
export const holdChannel = diagnosticsChannel<HoldEvent>('connector-gateway:hold')
