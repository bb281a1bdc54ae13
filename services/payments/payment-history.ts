import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, forOrg } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { isId } from '../../schemas/ids.ts'
import { requireOrganization } from '../organizations/requirements.ts'
import type { Payment } from './payment.ts'
import { toPayment } from './payment-rows.ts'

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
  /** The latest payments of an organization, newest first. Throws invalid_request if it does not exist. */
  list(asked: { orgId: string; limit: number }): Promise<Payment[]>
  /** A payment of any organization. Throws invalid_request if there is none. */
  find(id: string): Promise<Payment>
  /** The latest differences of one organization or of all, newest first. Throws invalid_request if it does not exist. */
  reconciliations(asked: { orgId: string | undefined; limit: number }): Promise<PaymentReconciliation[]>
}

export function createPaymentHistory({ db }: { db: Kysely<Database> }): PaymentHistory {
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
