import { createHmac, randomBytes } from 'node:crypto'
import Stripe from 'stripe'

type Params = Stripe.Checkout.SessionCreateParams

/** A checkout page at Stripe, as far as payments read it. */
interface Session {
  id: string
  object: 'checkout.session'
  mode: string
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  currency: string
  amount_subtotal: number
  amount_total: number
  total_details: { amount_discount: number; amount_shipping: number; amount_tax: number }
  customer: string
  client_reference_id: string
  livemode: boolean
  payment_link: string | null
  payment_intent: string | null
  metadata: object
  url: string | null
  created: number
}

interface Intent {
  id: string
  object: 'payment_intent'
  status: string
  amount: number
  amount_received: number
  currency: string
  customer: string
  livemode: boolean
  last_payment_error: { code: string } | null
  cancellation_reason: string | null
  metadata: Record<string, string>
}

interface Refund {
  id: string
  object: 'refund'
  status: string
  amount: number
  payment_intent: string
}

interface Dispute {
  id: string
  object: 'dispute'
  status: string
  amount: number
  currency: string
  payment_intent: string
  balance_transactions: { amount: number; currency: string }[]
}

type StripeObject = Session | Intent | Refund | Dispute | { id: string; object: 'charge'; payment_intent: string }

/** What the bank answers to a charge while nobody is there, by payment method. Any other is charged. */
const DECLINES: Readonly<Record<string, string>> = {
  pm_declined: 'card_declined',
  pm_authentication: 'authentication_required',
}

/** A failure that a test orders for the next request. */
interface OrderedFailure {
  error: { type: string; code?: string; statusCode?: number }
  /** Whether Stripe does what was asked, and only the answer is lost. */
  done: boolean
}

/**
 * Stripe in memory with the functions of the SDK that payments use, for tests of what payments conclude from its state.
 * `test/stripe/` is the double that checks the requests.
 */
export function memoryStripe({
  now = Date.now,
  livemode = false,
  travel = async () => {},
}: {
  now?: () => number
  livemode?: boolean
  /** Takes the time of an answer on its way; the answer is older when it arrives. */
  travel?: () => Promise<void>
} = {}) {
  const objects = new Map<string, StripeObject>()
  const saved = new Map<string, { params: string; session: Session }>()
  const charged = new Map<string, Intent>()
  const methods: { id: string; customer: string }[] = []
  const undelivered: object[] = []
  const requests: string[] = []
  const failures: OrderedFailure[] = []
  let count = 0
  const id = (prefix: string) => `${prefix}_test_${++count}`
  const all = <O extends StripeObject>(object: O['object']) =>
    [...objects.values()].filter(one => one.object === object) as O[]

  function get<O extends StripeObject>(name: string): O {
    const found = objects.get(name)
    if (found === undefined)
      throw sdkError({ type: 'StripeInvalidRequestError', code: 'resource_missing', statusCode: 404 })
    return found as O
  }

  /** Answers a copy, as JSON from the network, or fails as ordered. */
  async function answer<R>(request: string, work: () => R): Promise<R> {
    requests.push(request)
    const failure = failures.shift()
    if (failure !== undefined && !failure.done) throw sdkError(failure.error)
    const result = structuredClone(work())
    await travel()
    if (failure !== undefined) throw sdkError(failure.error)
    return result
  }

  function list<O>(request: string, work: () => O[]) {
    const page = () => answer(request, work)
    return {
      // biome-ignore lint/suspicious/noThenProperty: the SDK's lists are promises too.
      then: (done: (page: { data: O[] }) => unknown, failed: (error: unknown) => unknown) =>
        page().then(data => done({ data }), failed),
      async *[Symbol.asyncIterator]() {
        yield* await page()
      },
    }
  }

  const create = (params: Params): Session => {
    const [line] = params.line_items ?? []
    const amount = line?.price_data?.unit_amount ?? 0
    return {
      id: id('cs'),
      object: 'checkout.session',
      mode: params.mode ?? '',
      status: 'open',
      payment_status: 'unpaid',
      currency: line?.price_data?.currency ?? '',
      amount_subtotal: amount,
      amount_total: amount,
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
      customer: params.customer ?? '',
      client_reference_id: params.client_reference_id ?? '',
      livemode,
      payment_link: null,
      payment_intent: null,
      metadata: params.metadata ?? {},
      url: `https://checkout.stripe.test/c/pay/${randomBytes(8).toString('hex')}`,
      created: Math.floor(now() / 1000),
    }
  }

  const client = {
    webhooks: new Stripe('sk_test_unused').webhooks,
    checkout: {
      sessions: {
        create: (params: Params, { idempotencyKey }: { idempotencyKey: string }) =>
          answer(`create ${idempotencyKey}`, () => {
            const known = saved.get(idempotencyKey)
            if (known !== undefined && known.params !== JSON.stringify(params))
              throw sdkError({ type: 'StripeIdempotencyError', statusCode: 400 })
            const session = known?.session ?? create(params)
            saved.set(idempotencyKey, { params: JSON.stringify(params), session })
            objects.set(session.id, session)
            return session
          }),
        retrieve: (name: string) =>
          answer(`session ${name}`, () => {
            const session = get<Session>(name)
            const intent = session.payment_intent === null ? null : get<Intent>(session.payment_intent)
            return { ...session, payment_intent: intent }
          }),
        list: ({ customer, payment_intent }: { customer?: string; payment_intent?: string }) =>
          list('sessions', () =>
            all<Session>('checkout.session').filter(
              session =>
                (customer === undefined || session.customer === customer) &&
                (payment_intent === undefined || session.payment_intent === payment_intent),
            ),
          ),
      },
    },
    paymentIntents: {
      retrieve: (name: string) => answer(`intent ${name}`, () => get<Intent>(name)),
      create: (params: Stripe.PaymentIntentCreateParams, { idempotencyKey }: { idempotencyKey: string }) =>
        answer(`charge ${idempotencyKey}`, () => {
          const known = charged.get(idempotencyKey)
          const intent = known ?? chargeOffSession(params)
          charged.set(idempotencyKey, intent)
          const { code } = intent.last_payment_error ?? {}
          if (code !== undefined)
            throw Object.assign(sdkError({ type: 'StripeCardError', code, statusCode: 402 }), {
              payment_intent: intent,
            })
          return intent
        }),
      list: ({ customer }: { customer: string }) =>
        list('intents', () => all<Intent>('payment_intent').filter(intent => intent.customer === customer)),
    },
    customers: {
      listPaymentMethods: (customer: string) =>
        list(`methods ${customer}`, () => methods.filter(method => method.customer === customer)),
    },
    charges: { retrieve: (name: string) => answer(`charge ${name}`, () => get(name)) },
    refunds: {
      retrieve: (name: string) => answer(`refund ${name}`, () => get<Refund>(name)),
      list: ({ payment_intent }: { payment_intent: string }) =>
        list('refunds', () => all<Refund>('refund').filter(one => one.payment_intent === payment_intent)),
    },
    disputes: {
      retrieve: (name: string) => answer(`dispute ${name}`, () => get<Dispute>(name)),
      list: ({ payment_intent }: { payment_intent: string }) =>
        list('disputes', () => all<Dispute>('dispute').filter(one => one.payment_intent === payment_intent)),
    },
    events: { list: () => list('events', () => undelivered) },
  }

  /** A charge while nobody is there. The method says what the bank answers. */
  function chargeOffSession({ amount, customer, payment_method: method, metadata }: Stripe.PaymentIntentCreateParams) {
    const code = DECLINES[String(method)]
    const status = code === undefined ? 'succeeded' : 'requires_payment_method'
    const last_payment_error = code === undefined ? null : { code }
    const received = code === undefined ? amount : 0
    const facts = { amount, customer: String(customer), status, amount_received: received, last_payment_error }
    return addIntent({ ...facts, metadata: (metadata ?? {}) as Record<string, string> })
  }

  function addIntent(facts: Partial<Intent> & Pick<Intent, 'amount' | 'customer'>): Intent {
    const intent: Intent = {
      id: id('pi'),
      object: 'payment_intent',
      status: 'processing',
      amount_received: 0,
      currency: 'usd',
      livemode,
      last_payment_error: null,
      cancellation_reason: null,
      metadata: {},
      ...facts,
    }
    objects.set(intent.id, intent)
    objects.set(intent.id.replace('pi', 'ch'), {
      id: intent.id.replace('pi', 'ch'),
      object: 'charge',
      payment_intent: intent.id,
    })
    return intent
  }

  return {
    client: client as unknown as Stripe,
    objects,
    requests,
    undelivered,
    methods,
    intents: () => all<Intent>('payment_intent'),
    sessions: () => all<Session>('checkout.session'),
    session: (name: string) => get<Session>(name),
    addIntent,
    addSession: (session: Partial<Session>) => {
      const made = { ...create({ mode: 'payment' }), ...session }
      objects.set(made.id, made)
      return made
    },
    /** A day has passed: the same keys make new objects. */
    forgetKeys() {
      saved.clear()
      charged.clear()
    },
    /** Makes the next request fail. */
    fail(failure: OrderedFailure) {
      failures.push(failure)
    },
    /** The buyer pays, or begins to pay with a slow method. */
    pay(session: Session, { tax = 0, slow = false }: { tax?: number; slow?: boolean } = {}): Intent {
      session.amount_total = session.amount_subtotal + tax
      session.total_details.amount_tax = tax
      session.status = 'complete'
      const intent = addIntent({ amount: session.amount_total, customer: session.customer })
      session.payment_intent = intent.id
      if (!slow) this.succeed(session)
      return intent
    },
    succeed(session: Session) {
      const intent = get<Intent>(session.payment_intent ?? '')
      session.payment_status = 'paid'
      intent.status = 'succeeded'
      intent.amount_received = intent.amount
    },
    refund(payment_intent: string, amount: number, status = 'succeeded'): Refund {
      const refund: Refund = { id: id('re'), object: 'refund', status, amount, payment_intent }
      objects.set(refund.id, refund)
      return refund
    },
    dispute(payment_intent: string, amount: number, { inquiry = false, currency = 'usd' } = {}): Dispute {
      const balance_transactions = inquiry ? [] : [{ amount: -amount, currency }]
      const status = inquiry ? 'warning_needs_response' : 'needs_response'
      const dispute: Dispute = {
        id: id('dp'),
        object: 'dispute',
        status,
        amount,
        currency: 'usd',
        payment_intent,
        balance_transactions,
      }
      objects.set(dispute.id, dispute)
      return dispute
    },
    win(dispute: Dispute, { lost = 0 }: { lost?: number } = {}) {
      dispute.status = 'won'
      // What returns in another currency has the exchange rate of its day.
      for (const { amount, currency } of [...dispute.balance_transactions])
        dispute.balance_transactions.push({ amount: -amount - lost, currency })
    },
    /** An event that shows an object as it is now. */
    event(type: string, object: { id: string; object: string }, facts: object = {}) {
      return { id: id('evt'), object: 'event', type, livemode, data: { object: structuredClone(object) }, ...facts }
    },
  }
}

export type MemoryStripe = ReturnType<typeof memoryStripe>

function sdkError(facts: OrderedFailure['error']): Error {
  return Object.assign(new Error('Stripe failed'), facts, { raw: { client_secret: 'pi_secret_leaked' } })
}

/** Signs a body as Stripe does. */
export function sign(body: string, secret: string, seconds: number): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}
