import type { Kysely } from 'kysely'
import type Stripe from 'stripe'
import type { Audit } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Counters } from '../../lib/rate-counters/counters.ts'
import { countPerMinute } from '../../lib/rate-counters/per-minute.ts'
import type { Logger } from '../../schemas/log.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { checkoutPage, urlOf } from './checkout-page.ts'
import type { Payment } from './payment.ts'
import { noProvider, type PaymentProvider, type StripeProvider } from './payment-provider.ts'
import type { PaymentRows } from './payment-rows.ts'
import type { Settle } from './settle.ts'
import { REUSED_KEY, StripeFailure, withStripe } from './stripe-failure.ts'
import { requireAmount, type TopupLimits } from './topup-limits.ts'

interface NewTopup {
  orgId: string
  userId: string
  /** In micro-dollars: whole cents, within the limits. */
  amountMicros: number
  /** Whether the payment method is saved for automatic top-ups. */
  saved: boolean
  /** Identifies the request; a repetition within 20 minutes gets the same payment. Null if the caller sent no key. */
  requestKey: string | null
}

/** A payment page to open, or a payment that is settled already. */
type Topup = { checkoutUrl: string } | { settled: true; balanceMicros: number }

export interface Topups {
  /**
   * Starts a top-up. The organization's standing does not matter, and a top-up ends no suspension. Throws invalid_request
   * for an invalid amount, rate_limit_exceeded after ten in a minute, not_found if no payment provider is configured, and
   * upstream_unavailable if it does not answer; nothing is charged then.
   */
  start(topup: NewTopup): Promise<Topup>
}

interface TopupsOptions {
  db: Kysely<Database>
  log: Logger
  audit: Audit
  counters: Counters
  commands: Pick<OperatorCommands, 'creditWallet'>
  rows: PaymentRows
  settle: Settle
  provider: PaymentProvider
  limits: TopupLimits
  /** The customer of an organization at Stripe, created if there is none. Throws Stripe's errors. */
  ensureCustomer(orgId: string): Promise<string>
}

/** Each top-up makes a request to the provider. */
const LIMIT = { max: 10, what: 'top-ups', per: 'organization' }

export function createTopups(options: TopupsOptions): Topups {
  const { db, log, audit, rows, settle, provider, limits } = options

  /** Adds the row, which exists before the provider learns of the payment. */
  async function record(topup: NewTopup, kind: 'stripe' | 'built_in', livemode: boolean): Promise<Payment> {
    const { orgId, userId, amountMicros, requestKey } = topup
    return forOrg(db, orgId).transaction(async org => {
      const row = { kind: 'topup', provider: kind, livemode, amountMicros, userId, requestKey } as const
      const payment = await rows.create(org, row)
      // A payment of another provider or mode would be paid, but never credited.
      if (payment.amountMicros !== amountMicros || payment.provider !== kind || payment.livemode !== livemode)
        throw usedKey()
      const by = { userId, orgId }
      await audit.record(org, { by, action: 'payment.create', target: payment.id, detail: { amountMicros } })
      return payment
    })
  }

  async function settleAtOnce(topup: NewTopup): Promise<Topup> {
    const { orgId, userId } = topup
    const payment = await record(topup, 'built_in', false)
    return forOrg(db, orgId).transaction(async org => {
      const charged = { chargedCents: payment.amountCents, by: { userId, orgId } }
      await settle.credit(org, payment, charged)
      const wallet = org.selectFrom('wallets').select('balance_micros as balanceMicros')
      return { settled: true as const, ...(await wallet.executeTakeFirstOrThrow()) }
    })
  }

  async function openPage(topup: NewTopup, stripeProvider: StripeProvider): Promise<Topup> {
    const payment = await record(topup, 'stripe', stripeProvider.livemode)
    try {
      return await withStripe(async () => {
        const customerId = await options.ensureCustomer(topup.orgId)
        const stripe = await stripeProvider.client()
        const parameters = topupPage(stripeProvider, payment, { customerId, saved: topup.saved })
        const session = await stripe.checkout.sessions.create(parameters, { idempotencyKey: `top:${payment.id}` })
        await rows.setSession(payment, session.id)
        return { checkoutUrl: urlOf(session) }
      })
    } catch (error) {
      log.error({ err: error, payment: payment.id, orgId: topup.orgId }, 'cannot open a payment page')
      if (!(error instanceof StripeFailure)) throw error
      if (error.code === REUSED_KEY) throw usedKey(error)
      if (error.kind === 'unknown') {
        // The page may exist: a repeated request gets it, or the hourly job finds it. Nobody has its address, so if it
        // is not found, another one is opened.
        if (error.answered) await rows.releaseKey(payment)
        throw new GatewayError(
          'upstream_unavailable',
          'The payment provider does not answer. Nothing was charged. Retry with the same Idempotency-Key.',
          { cause: error },
        )
      }
      await rows.fail(payment, 'rejected')
      throw error
    }
  }

  return {
    async start(topup) {
      requireAmount(topup.amountMicros, limits)
      if (provider.kind === 'none') throw noProvider(options.commands.creditWallet(topup.orgId))
      await countPerMinute(options.counters, `topups:${topup.orgId}`, LIMIT)
      return provider.kind === 'built_in' ? settleAtOnce(topup) : openPage(topup, provider)
    },
  }
}

function usedKey(cause?: unknown): GatewayError {
  const message = 'This idempotency key was already used for another top-up. Use a new key.'
  return new GatewayError('idempotency_conflict', message, { cause })
}

/** The parameters of the page of a top-up. */
function topupPage(
  provider: StripeProvider,
  { id, orgId, createdAt, amountMicros }: Payment,
  { customerId, saved }: { customerId: string; saved: boolean },
): Stripe.Checkout.SessionCreateParams {
  const metadata = { org_id: orgId, payment_id: id }
  const back = (outcome: string) => `${provider.dashboardUrl}/billing?topup=${outcome}&payment=${id}`
  const sale = { id, createdAt, customerId, product: 'Balance top-up', priceMicros: amountMicros, metadata, back }
  return {
    mode: 'payment',
    ...checkoutPage(provider, sale),
    adaptive_pricing: { enabled: false },
    payment_intent_data: { metadata, ...(saved && { setup_future_usage: 'off_session' as const }) },
  }
}
