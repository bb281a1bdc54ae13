import type Stripe from 'stripe'
import { forOrg } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { countPerMinute } from '../../../lib/rate-counters/per-minute.ts'
import { CENT, dollars } from '../../../schemas/billing/money.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import type { OperatorCommands } from '../../operator/operator-commands.ts'
import { checkoutPage, urlOf } from '../provider/checkout-page.ts'
import { noProvider, type PaymentProvider, type StripeProvider } from '../provider/payment-provider.ts'
import { REUSED_KEY, StripeFailure, withStripe } from '../provider/stripe-requests.ts'
import type { PaymentPostings } from './payment-postings.ts'
import type { Payment, PaymentRows } from './payment-rows.ts'

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

interface TopupsOptions extends Pick<Infrastructure, 'db' | 'log' | 'audit' | 'counters'> {
  commands: Pick<OperatorCommands, 'creditWallet'>
  rows: PaymentRows
  postings: PaymentPostings
  provider: PaymentProvider
  limits: TopupLimits
  /** The customer of an organization at Stripe, created if there is none. Throws Stripe's errors. */
  ensureCustomer(orgId: string): Promise<string>
}

/** Each top-up makes a request to the provider. */
const LIMIT = { max: 10, what: 'top-ups', per: 'organization' }

export function createTopups(options: TopupsOptions): Topups {
  const { db, log, audit, rows, postings, provider, limits } = options

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
      await postings.credit(org, payment, charged)
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
          'The payment provider did not respond. Nothing was charged. Retry with the same Idempotency-Key.',
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

/** The smallest and the largest top-up, in micro-dollars. */
export interface TopupLimits {
  minMicros: number
  maxMicros: number
}

/** Throws invalid_request unless an amount is whole cents within the limits. */
export function requireAmount(amountMicros: number, { minMicros, maxMicros }: TopupLimits): void {
  const isWhole = Number.isSafeInteger(amountMicros) && amountMicros % CENT === 0
  if (isWhole && amountMicros >= minMicros && amountMicros <= maxMicros) return
  throw new GatewayError(
    'invalid_request',
    `amount_micros must be whole cents (a multiple of ${CENT}), ${range(minMicros, maxMicros)}.`,
  )
}

/** Throws invalid_request unless the amount of a member of a request is between two others. */
export function requireBetween(name: string, amountMicros: number, min: number, max: number): void {
  if (amountMicros >= min && amountMicros <= max) return
  throw new GatewayError('invalid_request', `${name} must be ${range(min, max)}.`)
}

function range(min: number, max: number): string {
  return `from ${min} (${dollars(min)}) to ${max} (${dollars(max)})`
}
