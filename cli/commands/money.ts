import type { Static } from '@sinclair/typebox'
import { GatewayError, UsageError } from '../../lib/errors/errors.ts'
import { dollars } from '../../schemas/billing/money.ts'
import { walletEntry } from '../../services/billing/wallets.ts'
import type { Payment } from '../../services/payments/topups/payment-rows.ts'
import { dayFault } from '../../services/usage/days.ts'
import { USAGE_BY, type UsageBy } from '../../services/usage/usage-groups.ts'
import { type UsageEntry, usageEntry } from '../../services/usage/usage-summary.ts'
import { type Command, command, dollarsOption, flag, limitOption, optional, required } from './command.ts'
import type { OperatorServices } from './operator-services.ts'

export const BILLING_COMMANDS: readonly Command<OperatorServices>[] = [
  command('billing audit', {
    about:
      'recompute all balances from the ledger and list the differences; exits with 1 if there are any. Reads only what was added since the last daily audit; --full reads everything',
    options: { full: flag() },
    async run({ auditLedger }: OperatorServices, { full }) {
      const { organizations, postings, holds, reconciliations, found, differences } = await auditLedger({ full })
      return {
        ok: found === 0,
        organizations,
        postings,
        holds_pending: holds.pending,
        holds_captured: holds.captured,
        holds_released: holds.released,
        holds_expired: holds.expired,
        reconciliations_of_24_hours: reconciliations,
        found,
        differences,
      }
    },
  }),
  command('billing reconciliations', {
    about:
      'list what was given up in the customer’s favor (expired holds, invalid costs, bounded overages), newest first (default 20 rows, at most 200)',
    options: { org: optional('ORG'), limit: optional('N') },
    async run({ listReconciliations }: OperatorServices, { org, limit }) {
      const list = await listReconciliations({ orgId: org, limit: limitOption(limit) })
      return {
        reconciliations: list.map(({ holdId, orgId, tool, reason, heldMicros, costMicros, at }) => ({
          hold_id: holdId,
          org: orgId,
          tool,
          reason,
          held_micros: heldMicros,
          held: dollars(heldMicros),
          cost_micros: costMicros,
          cost: costMicros === null ? null : dollars(costMicros),
          at: at.toISOString(),
        })),
      }
    },
  }),
]

export const WALLET_COMMANDS: readonly Command<OperatorServices>[] = [
  command('wallet credit', {
    about:
      'add dollars to a wallet; this can end a billing hold, but not a suspension. Repeating it with the same --reference changes nothing',
    options: { org: required('ORG'), usd: required('N'), description: optional('TEXT'), reference: optional('TEXT') },
    async run({ wallets }: OperatorServices, { org, usd, description, reference }) {
      const { id, repeated, ...wallet } = await wallets.credit({
        orgId: org,
        amountMicros: dollarsOption('usd', usd, { from: 1 }),
        ...(description !== undefined && { description }),
        ...(reference !== undefined && { reference }),
        by: 'operator',
      })
      return { id, ...(repeated && { already_credited: true }), ...walletEntry(wallet) }
    },
  }),
  command('wallet reverse', {
    about: 'take back a credit of the operator, or --usd of it: at most the available balance of the wallet',
    positional: 'ID',
    options: { usd: optional('N'), reference: optional('TEXT') },
    async run({ reverseCredit }: OperatorServices, { positional, usd, reference }) {
      const amountMicros = usd === undefined ? undefined : dollarsOption('usd', usd, { from: 1 })
      const { id, orgId, takenMicros, remainingMicros, repeated } = await reverseCredit({
        posting: positional,
        amountMicros,
        reference,
        by: 'operator',
      })
      return {
        id,
        org: orgId,
        credit: positional,
        ...(repeated && { already_reversed: true }),
        taken_micros: takenMicros,
        taken: dollars(takenMicros),
        remaining_micros: remainingMicros,
        remaining: dollars(remainingMicros),
      }
    },
  }),
  command('wallet show', {
    about: 'show the balance of an organization, the amount held for running calls, and the billing standing',
    options: { org: required('ORG') },
    async run({ wallets }: OperatorServices, { org }) {
      return walletEntry(await wallets.balance(org))
    },
  }),
  command('wallet list', {
    about: 'list the latest credits and charges, newest first (default 20 rows, at most 200)',
    options: { org: required('ORG'), limit: optional('N') },
    async run({ listPostings }: OperatorServices, { org, limit }) {
      const list = await listPostings({ orgId: org, limit: limitOption(limit) })
      return {
        postings: list.map(({ id, at, kind, amountMicros, description, keyId, holdId, reference }) => ({
          id,
          at: at.toISOString(),
          kind,
          amount_micros: amountMicros,
          amount: dollars(amountMicros),
          description,
          key_id: keyId,
          hold_id: holdId,
          reference,
        })),
      }
    },
  }),
]

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
    about: 'show a payment with its IDs at Stripe, and the amounts taken back by refunds and disputes',
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
        throw new UsageError('Only Stripe payments can be checked, on a gateway with a Stripe key.')
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

function grouping(text: string): UsageBy {
  const found = USAGE_BY.find(name => name === text)
  if (found === undefined) throw new GatewayError('invalid_request', `--by must be one of ${USAGE_BY.join(', ')}.`)
  return found
}

/** Throws invalid_request with the option's name if a text is not a day. */
function requireDay(option: string, text: string | undefined): void {
  const fault = text === undefined ? undefined : dayFault(option, text)
  if (fault !== undefined) throw new GatewayError('invalid_request', fault)
}

/** The sum of the remaining groups, as a row of the table. No tool, member or key has such a name. */
function asGroup({ groups, ...sums }: NonNullable<Static<typeof UsageEntry>['other']>) {
  return { name: `other (${groups})`, ...sums }
}

export const USAGE_COMMANDS: readonly Command<OperatorServices>[] = [
  command('usage', {
    about: 'summarize the calls of an organization and their cost (default: the last 30 days in UTC, by tool)',
    options: {
      org: required('ORG'),
      from: optional('YYYY-MM-DD'),
      to: optional('YYYY-MM-DD'),
      by: optional(USAGE_BY.join('|')),
    },
    async run({ usageSummaries }, { org, from, to, by = 'tool' }) {
      requireDay('--from', from)
      requireDay('--to', to)
      const summary = await usageSummaries.summarize({ orgId: org, from, to, by: grouping(by) })
      const { total, groups, other, ...asked } = usageEntry(summary)
      return { ...asked, ...total, groups: other === null ? groups : [...groups, asGroup(other)] }
    },
  }),
]
