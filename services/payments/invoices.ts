import type { OrgDatabase } from '../../lib/database/tenant.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import type { PaidInvoice } from './card-plans.ts'
import { differences, recordDifferences } from './differences.ts'
import { CENT } from './payment.ts'
import type { Subscription } from './subscription.ts'

/** A paid invoice and the subscription that it should pay for. */
interface InvoiceOf {
  subscription: Subscription
  invoice: PaidInvoice
  /** The customer of the organization at the provider. */
  customerId: string | null
}

/**
 * Records a paid invoice as a payment. Returns whether it pays for the subscription as we know it; otherwise the
 * differences are in `payment_reconciliations`, and nothing may be granted.
 */
export type RecordInvoice = (org: OrgDatabase, paid: InvoiceOf) => Promise<boolean>

export function createRecordInvoice({ ids, clock, log }: { ids: IdSource; clock: Clock; log: Logger }): RecordInvoice {
  return async (org, { subscription, invoice, customerId }) => {
    const found = compare({ subscription, invoice, customerId })
    const now = new Date(clock.now())
    const payment = {
      id: ids('pay'),
      kind: 'subscription_period' as const,
      provider: 'stripe' as const,
      state: found.length === 0 ? ('paid' as const) : ('failed' as const),
      amount_micros: subscription.priceMicros,
      amount_cents: subscription.priceMicros / CENT,
      user_id: null,
      livemode: invoice.livemode,
      request_key: null,
      session_id: null,
      payment_intent_id: null,
      invoice_id: invoice.id,
      charged_cents: invoice.chargedCents === 0 ? null : invoice.chargedCents,
      failure: found.length === 0 ? null : 'reconciliation',
      created_at: now,
      updated_at: now,
      checked_at: now,
    }
    const insert = org.insertInto('payments', payment).onConflict(conflict => conflict.column('invoice_id').doNothing())
    const inserted = await insert.returning('id').executeTakeFirst()
    if (found.length === 0) return true
    if (inserted === undefined) return false
    await recordDifferences(org, { paymentId: payment.id, object: invoice.id, at: now }, found)
    log.error(
      { orgId: org.orgId, payment: payment.id, differences: found },
      'a paid invoice differs from its subscription: nothing was granted',
    )
    return false
  }
}

function compare({ subscription, invoice, customerId }: InvoiceOf) {
  return differences([
    ['currency', 'usd', invoice.currency],
    ['subtotal', subscription.priceMicros / CENT, invoice.subtotalCents],
    ['customer', customerId, invoice.customerId],
    ['livemode', subscription.livemode, invoice.livemode],
  ])
}
