import { type Kysely, sql } from 'kysely'
import { errorCode } from '../../lib/database/database-errors.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { HoldState } from '../../lib/database/usage-tables.ts'
import { diagnosticsChannel } from '../../lib/diagnostics-channel.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { isCost, isMicros } from '../../schemas/billing/money.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { type BillingThreshold, billableRefusal } from './standings.ts'
import { referenceTaken } from './wallet-reversals.ts'

/** How long a hold waits for its settlement: longer than any call plus a temporary outage of the database. */
const HOLD_MS = 15 * 60_000

/** The organization and id of a hold. */
export interface HoldName {
  orgId: string
  /** `hld_…` */
  id: string
}

/** A reservation before a metered tool runs. */
interface NewHold extends HoldName {
  userId: string
  /** The API key of the call, whose cap applies; null for a signed-in user. */
  keyId: string | null
  tool: string
  /** In micro-dollars, above zero. */
  amountMicros: number
}

/** Thrown if the hold was already settled or has expired. Nothing changed. */
export class HoldSettled extends Error {
  override readonly name = 'HoldSettled'
  readonly state: HoldState

  constructor(state: HoldState) {
    super(`The hold is already ${state}`)
    this.state = state
  }
}

/** Thrown if no hold has this id: it was never created, or not yet. */
export class HoldUnknown extends Error {
  override readonly name = 'HoldUnknown'
}

/**
 * The database functions of migrations 0007, 0014 and 0017. Each one changes everything or throws. They run in the transaction
 * of the given handle, if it has one.
 */
export interface Ledger {
  /**
   * Reserves an amount. Throws org_suspended, payment_required, key_spend_limit_exceeded, insufficient_balance, and the
   * error of the database if it is unavailable.
   */
  hold(hold: NewHold, on?: Kysely<Database>): Promise<void>
  /**
   * Extends a pending hold, at most to 60 minutes after it was made. Returns when it expires. Throws HoldSettled and
   * HoldUnknown.
   */
  renew(db: Kysely<Database>, hold: HoldName, forMs: number): Promise<Date>
  /** Charges the cost of a call, even above its hold, and releases the rest of the hold. Throws HoldSettled and HoldUnknown. */
  capture(db: Kysely<Database>, hold: HoldName, costMicros: number): Promise<void>
  /** Releases a hold. Throws HoldSettled and HoldUnknown. */
  release(db: Kysely<Database>, hold: HoldName): Promise<void>
  /** Adds to a wallet and returns the new balance. Throws invalid_request if the balance would exceed the maximum. */
  credit(
    db: Kysely<Database>,
    credit: { orgId: string; id: string; amountMicros: number; description: string },
  ): Promise<number>
  /**
   * Adds to a wallet once per reference. Returns the posting, which is an earlier one if the reference is repeated. Throws
   * invalid_request if the earlier one has another amount, and if the balance would exceed the maximum.
   */
  creditOnce(
    db: Kysely<Database>,
    credit: { orgId: string; id: string; amountMicros: number; description: string; reference: string },
  ): Promise<string>
  /** Takes back a credit, at most what the wallet has available. Returns the amount; at 0 there is no posting. */
  reverse(
    db: Kysely<Database>,
    credit: { orgId: string; id: string; amountMicros: number; description: string },
  ): Promise<number>
}

export function createLedger({
  db,
  thresholdMicros,
  commands,
}: Pick<Infrastructure, 'db' | 'commands'> & BillingThreshold): Ledger {
  return {
    async hold({ orgId, id, userId, keyId, tool, amountMicros }, on = db) {
      if (!isMicros(amountMicros)) throw new TypeError(`Invalid hold amount: ${amountMicros} micro-dollars`)
      const hold = sql`select gateway_hold(
        ${orgId}, ${id}, ${userId}, ${keyId}, ${tool}, ${amountMicros}, ${thresholdMicros},
        ${HOLD_MS} * interval '1 millisecond'
      )`
      await hold.execute(on).catch(error => {
        const code = REFUSED[errorCode(error) ?? '']
        if (code === undefined) rethrow(error)
        throw billableRefusal(code, { payer: { orgId, keyId }, commands })
      })
    },

    async renew(on, { orgId, id }, forMs) {
      const { rows } = await sql<{ expires: Date }>`
        select gateway_renew_hold(${orgId}, ${id}, ${forMs} * interval '1 millisecond') as expires`
        .execute(on)
        .catch(rethrow)
      return (rows[0] as { expires: Date }).expires
    },

    async capture(on, { orgId, id }, costMicros) {
      if (!isCost(costMicros)) throw new TypeError(`Invalid cost: ${costMicros} micro-dollars`)
      await sql`select gateway_capture(${orgId}, ${id}, ${costMicros})`.execute(on).catch(rethrow)
    },

    async release(on, { orgId, id }) {
      await sql`select gateway_release(${orgId}, ${id})`.execute(on).catch(rethrow)
    },

    async credit(on, { orgId, id, amountMicros, description }) {
      if (!isMicros(amountMicros)) throw new TypeError(`Invalid credit amount: ${amountMicros} micro-dollars`)
      const { rows } = await sql<{ balance: number }>`
        select gateway_credit(${orgId}, ${id}, ${amountMicros}, ${description}) as balance`
        .execute(on)
        .catch(refuseCredit)
      return rows[0]?.balance ?? 0
    },

    async creditOnce(on, { orgId, id, amountMicros, description, reference }) {
      const { rows } = await sql<{ posting: string }>`
        select gateway_credit_once(${orgId}, ${id}, ${amountMicros}, ${description}, ${reference}) as posting`
        .execute(on)
        .catch(refuseCredit)
      return rows[0]?.posting ?? id
    },

    async reverse(on, { orgId, id, amountMicros, description }) {
      if (!isMicros(amountMicros)) throw new TypeError(`Invalid reversal amount: ${amountMicros} micro-dollars`)
      const { rows } = await sql<{ taken: number }>`
        select gateway_reverse(${orgId}, ${id}, ${amountMicros}, ${description}) as taken`.execute(on)
      return rows[0]?.taken ?? 0
    },
  }
}

function refuseCredit(error: unknown): never {
  if (errorCode(error) === 'GW009') throw referenceTaken(error)
  if ((error as { constraint?: string }).constraint !== 'wallets_balance_micros_check') throw error
  throw new GatewayError(
    'invalid_request',
    'amount_micros is too large: the balance of the wallet would exceed its maximum.',
    { cause: error },
  )
}

/** Why `gateway_hold` reserves nothing, by its error code. */
const REFUSED: Readonly<Record<string, Parameters<typeof billableRefusal>[0]>> = {
  GW001: 'org_suspended',
  GW002: 'payment_required',
  GW003: 'key_spend_limit_exceeded',
  GW004: 'insufficient_balance',
}

/** The other errors that the functions raise, by code. The DETAIL of GW005 is the state of the hold. */
const RAISED: Readonly<Record<string, (error: unknown) => Error>> = {
  GW005: error => new HoldSettled((error as { detail: HoldState }).detail),
  GW006: () => new HoldUnknown('Unknown hold'),
}

/** Translates the errors of the ledger's functions. Rethrows any other error. */
function rethrow(error: unknown): never {
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
