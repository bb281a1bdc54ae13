import { sql } from 'kysely'
import type { Actor } from '../../../lib/audit/audit.ts'
import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import { endAutoTopups } from '../customers/customers.ts'
import type { Payment } from './payment-rows.ts'

/** What a payment changes in the wallet. Each function runs in the transaction of its handle and writes an audit row. */
export interface PaymentPostings {
  /** Credits the stored amount once. Returns the new balance in micro-dollars; null if the payment was credited before. */
  credit(org: OrgDatabase, payment: Payment, charged: { chargedCents: number; by: Actor }): Promise<number | null>
  /**
   * Takes back `targetMicros` of a credited payment in total: posts what is missing, or returns what is too much. What is
   * missing also ends automatic top-ups, which would charge the buyer again for it.
   */
  reverse(org: OrgDatabase, payment: Payment, targetMicros: number): Promise<void>
}

const DESCRIPTIONS = {
  topup: 'Top-up',
  auto_topup: 'Automatic top-up',
  subscription_period: 'Subscription',
} as const satisfies Record<Payment['kind'], string>

/** The functions of migration 0015 with their audit rows. */
export function createPaymentPostings({ audit, log }: Pick<Infrastructure, 'log' | 'audit'>): PaymentPostings {
  return {
    async credit(org, { id, kind, amountMicros }, { chargedCents, by }) {
      const { rows } = await sql<{ balance: number | null }>`
        select gateway_settle_payment(${org.orgId}, ${id}, ${chargedCents}, ${DESCRIPTIONS[kind]}) as balance
      `.execute(org.db)
      const balance = rows[0]?.balance ?? null
      if (balance !== null)
        await audit.record(org, { by, action: 'payment.credit', target: id, detail: { amountMicros, chargedCents } })
      return balance
    },

    async reverse(org, { id }, targetMicros) {
      const { rows } = await sql<{ posted: number }>`
        select gateway_settle_reversal(${org.orgId}, ${id}, ${targetMicros}) as posted`.execute(org.db)
      const posted = rows[0]?.posted ?? 0
      if (posted === 0) return
      const action = posted > 0 ? 'payment.reverse' : 'payment.reinstate'
      const detail = { amountMicros: Math.abs(posted), reversedMicros: targetMicros }
      await audit.record(org, { by: 'job', action, target: id, detail })
      if (posted < 0) return
      const why = { reason: 'payment_reversed', payment: id }
      if (await endAutoTopups(org, audit, { by: 'job', detail: why }))
        log.warn(
          { orgId: org.orgId, ...why },
          'automatic top-ups are switched off: tell the admins of the organization',
        )
    },
  }
}
