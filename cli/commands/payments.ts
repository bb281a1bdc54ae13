import { UsageError } from '../../lib/errors/errors.ts'
import { dollars } from '../../schemas/money.ts'
import type { Payment } from '../../services/payments/payment.ts'
import { type Command, command, optional, required } from './command.ts'
import type { OperatorServices } from './operator-services.ts'
import { limitOption } from './option-values.ts'

export const PAYMENT_COMMANDS: readonly Command<OperatorServices>[] = [
  command('payment list', {
    about: 'list the latest payments of an organization, newest first (default 20 rows, at most 200)',
    options: { org: required('ORG'), limit: optional('N') },
    async run({ paymentHistory }: OperatorServices, { org, limit }) {
      const list = await paymentHistory.list({ orgId: org, limit: limitOption(limit) })
      return { payments: list.map(paymentEntry) }
    },
  }),
  command('payment show', {
    about: 'show a payment with its IDs at Stripe, and what refunds and disputes took back',
    positional: 'PAYMENT',
    options: {},
    async run({ paymentHistory }: OperatorServices, { positional }) {
      return paymentEntry(await paymentHistory.find(positional))
    },
  }),
  command('payment check', {
    about: 'read a payment from Stripe now and apply its state; the webhook and an hourly job do the same',
    positional: 'PAYMENT',
    options: {},
    async run({ paymentHistory, syncPayment }: OperatorServices, { positional }) {
      const payment = await paymentHistory.find(positional)
      if (syncPayment === undefined || payment.provider !== 'stripe')
        throw new UsageError('Only payments by Stripe can be checked, on a gateway with a key of Stripe.')
      await syncPayment(payment)
      return paymentEntry(await paymentHistory.find(positional))
    },
  }),
  command('payment reconciliations', {
    about: 'list paid payments that differ from what was started; nothing was credited (default 20 rows, at most 200)',
    options: { org: optional('ORG'), limit: optional('N') },
    async run({ paymentHistory }: OperatorServices, { org, limit }) {
      const list = await paymentHistory.reconciliations({ orgId: org, limit: limitOption(limit) })
      return {
        reconciliations: list.map(({ paymentId, orgId, reason, detail, at }) => ({
          payment_id: paymentId,
          org: orgId,
          reason,
          detail,
          at: at.toISOString(),
        })),
      }
    },
  }),
]

function paymentEntry(payment: Payment) {
  const { amountMicros, reversedMicros, chargedCents, creditedAt, createdAt } = payment
  return {
    id: payment.id,
    org: payment.orgId,
    kind: payment.kind,
    provider: payment.provider,
    livemode: payment.livemode,
    state: payment.state,
    failure: payment.failure,
    amount_micros: amountMicros,
    amount: dollars(amountMicros),
    charged_cents: chargedCents,
    reversed_micros: reversedMicros,
    reversed: dollars(reversedMicros),
    user_id: payment.userId,
    session_id: payment.sessionId,
    payment_intent_id: payment.paymentIntentId,
    created_at: createdAt.toISOString(),
    credited_at: creditedAt?.toISOString() ?? null,
  }
}
