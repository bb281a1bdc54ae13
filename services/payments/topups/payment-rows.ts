import { type Selectable, sql } from 'kysely'
import type { PaymentsTable } from '../../../lib/database/billing-tables.ts'
import { acrossOrgs, forOrg, type OrgDatabase } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { CENT } from '../../../schemas/billing/money.ts'
import { isId } from '../../../schemas/primitives/ids.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import { requireOrganization } from '../../organizations/requirements.ts'

/** A payment of an organization. Amounts in micro-dollars, except cents where the name says so. */
export interface Payment {
  id: string
  orgId: string
  kind: PaymentsTable['kind']
  provider: PaymentsTable['provider']
  state: Selectable<PaymentsTable>['state']
  /** What is credited: the subtotal without tax. */
  amountMicros: number
  amountCents: number
  /** Who started the payment; null for a job. */
  userId: string | null
  livemode: boolean
  sessionId: string | null
  paymentIntentId: string | null
  /** What the provider charged, with tax. */
  chargedCents: number | null
  creditedAt: Date | null
  /** What refunds and disputes took back so far. */
  reversedMicros: number
  /** Why it failed, as a code of the provider. */
  failure: string | null
  createdAt: Date
}

/** The states of a payment that is neither paid nor ended. */
export const PENDING_STATES = ['created', 'open', 'processing'] as const satisfies Payment['state'][]

interface NewPayment {
  kind: Payment['kind']
  provider: Payment['provider']
  livemode: boolean
  /** A multiple of a cent. */
  amountMicros: number
  userId: string | null
  /** A repeated request with the same digest gets the same payment. */
  requestKey: string | null
}

/** A payment with its version, which changes with each comparison with the provider. */
export type VersionedPayment = Payment & { version: number }

/** What a comparison with the provider changes. */
type PaymentChange = Partial<Pick<Payment, 'state' | 'sessionId' | 'paymentIntentId' | 'failure'>>

/** Where a payment is: its organization and ID. */
export type PaymentName = Pick<Payment, 'orgId' | 'id'>

/** The rows of payments. */
export interface PaymentRows {
  /** Adds a payment of state `created`, or returns the one of an earlier request with the same key. */
  create(org: OrgDatabase, payment: NewPayment): Promise<Payment>
  find(name: PaymentName): Promise<VersionedPayment | undefined>
  /** The payment of an object at the provider, of any organization. */
  findByObject(object: { sessionId: string } | { paymentIntentId: string }): Promise<PaymentName | undefined>
  /** Changes a payment that still has the version; returns whether it did. The new version differs in any case. */
  change(org: OrgDatabase, payment: { id: string; version: number }, change: PaymentChange): Promise<boolean>
  /** Stores the session of a new payment, which is then open. */
  setSession(name: PaymentName, sessionId: string): Promise<void>
  /** Makes a repeated request get a new payment, because the page of this one cannot be opened. */
  releaseKey(name: PaymentName): Promise<void>
  /** Marks a payment that never reached the provider. */
  fail(name: PaymentName, failure: string): Promise<void>
  /** Payments of all organizations that are neither paid nor ended, created and checked before `before`, the longest unchecked first. */
  unsettled(options: { before: Date; livemode: boolean; limit: number }): Promise<PaymentName[]>
}

/** How long a repeated request gets the payment of the first one: Stripe accepts an expiry at least 30 minutes ahead. */
const SAME_REQUEST_MS = 20 * 60_000

export function createPaymentRows({ db, ids, clock }: Pick<Infrastructure, 'db' | 'clock' | 'ids'>): PaymentRows {
  async function releaseOldKey(org: OrgDatabase, requestKey: string): Promise<void> {
    await org
      .updateTable('payments')
      .set({ request_key: null })
      .where('request_key', '=', requestKey)
      .where('created_at', '<', new Date(clock.now() - SAME_REQUEST_MS))
      .execute()
  }

  return {
    async create(org, { kind, provider, livemode, amountMicros, userId, requestKey }) {
      if (requestKey !== null) await releaseOldKey(org, requestKey)
      const now = new Date(clock.now())
      const row = {
        id: ids('pay'),
        kind,
        provider,
        livemode,
        amount_micros: amountMicros,
        amount_cents: amountMicros / CENT,
        user_id: userId,
        request_key: requestKey,
        created_at: now,
        updated_at: now,
        checked_at: now,
      }
      const inserted = await org
        .insertInto('payments', row)
        .onConflict(conflict =>
          conflict.columns(['org_id', 'request_key']).where('request_key', 'is not', null).doNothing(),
        )
        .returningAll()
        .executeTakeFirst()
      if (inserted !== undefined) return toPayment(inserted)
      const earlier = org.selectFrom('payments').where('request_key', '=', requestKey).selectAll()
      return toPayment(await earlier.executeTakeFirstOrThrow())
    },

    async find({ orgId, id }) {
      const query = forOrg(db, orgId).selectFrom('payments').where('id', '=', id).selectAll().select(VERSION)
      const row = await query.executeTakeFirst()
      return row && { ...toPayment(row), version: row.version }
    },

    async findByObject(object) {
      // The ID at the provider is unique over all organizations, and nothing else names the organization.
      const query = acrossOrgs(db).selectFrom('payments').select(['id', 'org_id as orgId'])
      return 'sessionId' in object
        ? query.where('session_id', '=', object.sessionId).executeTakeFirst()
        : query.where('payment_intent_id', '=', object.paymentIntentId).executeTakeFirst()
    },

    async change(org, { id, version }, { state, sessionId, paymentIntentId, failure }) {
      const { numUpdatedRows } = await org
        .updateTable('payments')
        .set({
          checked_at: sql<Date>`clock_timestamp()`,
          updated_at: new Date(clock.now()),
          ...(state !== undefined && { state }),
          ...(sessionId !== undefined && { session_id: sessionId }),
          ...(paymentIntentId !== undefined && { payment_intent_id: paymentIntentId }),
          ...(failure !== undefined && { failure }),
        })
        .where('id', '=', id)
        .where(versionOf, '=', version)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async setSession({ orgId, id }, sessionId) {
      await forOrg(db, orgId)
        .updateTable('payments')
        .set(eb => ({
          session_id: sessionId,
          state: eb.case().when('state', '=', 'created').then('open').else(eb.ref('state')).end() as never,
          updated_at: new Date(clock.now()),
        }))
        .where('id', '=', id)
        .execute()
    },

    async releaseKey({ orgId, id }) {
      await forOrg(db, orgId).updateTable('payments').set({ request_key: null }).where('id', '=', id).execute()
    },

    async fail({ orgId, id }, failure) {
      await forOrg(db, orgId)
        .updateTable('payments')
        .set({ state: 'failed', failure, request_key: null, updated_at: new Date(clock.now()) })
        .where('id', '=', id)
        .where('state', '=', 'created')
        .execute()
    },

    async unsettled({ before, livemode, limit }) {
      // The job serves all organizations.
      return acrossOrgs(db)
        .selectFrom('payments')
        .where('state', 'in', [...PENDING_STATES])
        .where('provider', '=', 'stripe')
        .where('livemode', '=', livemode)
        .where('created_at', '<', before)
        .where('checked_at', '<', before)
        .orderBy('checked_at')
        .limit(limit)
        .select(['id', 'org_id as orgId'])
        .execute()
    },
  }
}

/** When the row was last compared, in microseconds: unlike a Date, it tells two comparisons of a millisecond apart. */
const versionOf = sql<number>`(extract(epoch from checked_at) * 1000000)::bigint`
const VERSION = versionOf.as('version')

export function toPayment(row: Selectable<PaymentsTable>): Payment {
  return {
    id: row.id,
    orgId: row.org_id,
    kind: row.kind,
    provider: row.provider,
    state: row.state,
    amountMicros: row.amount_micros,
    amountCents: row.amount_cents,
    userId: row.user_id,
    livemode: row.livemode,
    sessionId: row.session_id,
    paymentIntentId: row.payment_intent_id,
    chargedCents: row.charged_cents,
    creditedAt: row.credited_at,
    reversedMicros: row.reversed_micros,
    failure: row.failure,
    createdAt: row.created_at,
  }
}

/** What differs between a paid payment and our row. */
interface PaymentReconciliation {
  paymentId: string
  orgId: string
  /** `currency`, `subtotal`, `customer`, … */
  reason: string
  /** What we expected, what Stripe reports, and of which object. */
  detail: unknown
  at: Date
}

/** Payments as the operator looks at them. */
export interface PaymentHistory {
  /** The latest payments of an organization, newest first. Throws invalid_request if the organization does not exist. */
  list(asked: { orgId: string; limit: number }): Promise<Payment[]>
  /** A payment of any organization. Throws invalid_request if the payment does not exist. */
  find(id: string): Promise<Payment>
  /**
   * The latest differences of one organization or of all, newest first. Throws invalid_request if the organization does not
   * exist.
   */
  reconciliations(asked: { orgId: string | undefined; limit: number }): Promise<PaymentReconciliation[]>
}

export function createPaymentHistory({ db }: Pick<Infrastructure, 'db'>): PaymentHistory {
  return {
    async list({ orgId, limit }) {
      await requireOrganization(db, orgId)
      const query = forOrg(db, orgId).selectFrom('payments').selectAll()
      const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
      return rows.map(toPayment)
    },

    async find(id) {
      // The operator names a payment by its ID only.
      const query = acrossOrgs(db).selectFrom('payments').where('id', '=', id).selectAll()
      const row = isId('pay', id) ? await query.executeTakeFirst() : undefined
      if (row === undefined) throw new GatewayError('invalid_request', `There is no payment ${id}.`)
      return toPayment(row)
    },

    async reconciliations({ orgId, limit }) {
      if (orgId !== undefined) await requireOrganization(db, orgId)
      return acrossOrgs(db)
        .selectFrom('payment_reconciliations')
        .$if(orgId !== undefined, query => query.where('org_id', '=', orgId ?? ''))
        .select(['payment_id as paymentId', 'org_id as orgId', 'reason', 'detail', 'at'])
        .orderBy('at', 'desc')
        .orderBy('payment_id', 'desc')
        .orderBy('reason')
        .limit(limit)
        .execute()
    },
  }
}
