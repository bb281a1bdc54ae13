import type { StripeAccount, StripeObject } from './account.ts'
import { ApiFailure, refused } from './api-failure.ts'
import type { Parameters } from './parameters.ts'

// biome-ignore lint/suspicious/noExplicitAny: the schemas have checked the parameters
type Checked = any
/** What a request answers, by its parameters and the IDs in its path. */
export type Answer = (parameters: Checked, id: string, part: string) => object
type Answers<Requests extends keyof Parameters> = Readonly<Record<Requests, Answer>>
type Of<Path extends string> = Extract<keyof Parameters, `${string} ${Path}` | `${string} ${Path}/${string}`>
type OfCustomers = Of<'customers' | 'payment_methods'>
type OfCheckout = Of<'checkout'>

/** Stripe's minimum, in cents. */
const LEAST_CENTS = 50
const PAGE = 10

/** What each request does, by method and path. */
export function stripeRequests(account: StripeAccount): Answers<keyof Parameters> {
  return { ...customers(account), ...checkout(account), ...payments(account) }
}

function customers(account: StripeAccount): Answers<OfCustomers> {
  const lines = { line1: null, line2: null, city: null, state: null, postal_code: null, country: null }

  function apply(customer: StripeObject, { name, email, address, metadata }: Checked): StripeObject {
    if (email && !email.includes('.')) throw refused('email_invalid', 'email')
    if (name !== undefined) customer.name = name || null
    if (email !== undefined) customer.email = email || null
    // The lines that the request lacks stay.
    if (address !== undefined)
      customer.address = address === '' ? null : { ...lines, ...customer.address, ...nulled(address) }
    customer.metadata = { ...customer.metadata, ...metadata }
    return customer
  }

  return {
    'POST customers': parameters =>
      apply(account.add('cus', 'customer', { name: null, email: null, address: null, metadata: {} }), parameters),
    'GET customers/:id': (_, id) => account.get('customer', id),
    'POST customers/:id': (parameters, id) => {
      const customer = apply(account.get('customer', id), parameters)
      account.emit('customer.updated', customer)
      return customer
    },
    'GET customers/:id/tax_ids': (parameters, id) => page(account.all('tax_id', { customer: id }), parameters),
    'POST customers/:id/tax_ids': ({ type, value }, id) => {
      account.get('customer', id)
      if (/invalid/i.test(value)) throw refused('tax_id_invalid', 'value')
      return account.add('txi', 'tax_id', { customer: id, type, value, verification: { status: 'pending' } })
    },
    'DELETE customers/:id/tax_ids/:part': (_, id, part) => {
      if (account.get('tax_id', part).customer !== id) account.get('tax_id', '')
      account.delete(part)
      return { id: part, object: 'tax_id', deleted: true }
    },
    'GET customers/:id/payment_methods': (parameters, id) =>
      page(account.all('payment_method', { customer: id }), parameters),
    'GET payment_methods/:id': (_, id) => account.get('payment_method', id),
    'POST payment_methods/:id/detach': (_, id) => {
      const method = account.get('payment_method', id)
      if (method.customer === null) throw refused('payment_method_not_attached')
      method.customer = null
      account.emit('payment_method.detached', method)
      return method
    },
  }
}

function checkout(account: StripeAccount): Answers<OfCheckout> {
  function create(parameters: Checked): StripeObject {
    const { mode, customer, line_items: lines = [], expires_at: expiry, ...rest } = parameters
    account.get('customer', customer)
    const [least, most] = [30 * 60, 24 * 3600].map(seconds => account.seconds() + seconds) as [number, number]
    if (expiry !== undefined && (expiry < least || expiry > most)) throw refused('parameter_invalid', 'expires_at')
    const cents = lines.reduce((sum: number, line: Checked) => sum + line.quantity * line.price_data.unit_amount, 0)
    if (mode === 'payment' && cents < LEAST_CENTS) throw refused('amount_too_small')
    if (mode === 'setup' && (lines.length > 0 || !rest.currency)) throw refused('parameter_invalid', 'line_items')
    const session = account.add('cs', 'checkout.session', {
      mode,
      customer,
      status: 'open',
      payment_status: mode === 'setup' ? 'no_payment_required' : 'unpaid',
      currency: lines[0]?.price_data.currency ?? rest.currency,
      expires_at: expiry ?? most,
      amount_subtotal: mode === 'setup' ? null : cents,
      amount_total: mode === 'setup' ? null : cents,
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
      client_reference_id: rest.client_reference_id ?? null,
      metadata: rest.metadata ?? {},
      payment_intent: null,
      setup_intent: null,
      payment_link: null,
      success_url: rest.success_url,
      cancel_url: rest.cancel_url,
    })
    session.url = `https://checkout.stripe.com/c/pay/${session.id}#fid${session.created}`
    return session
  }

  /** Time also ends a session. */
  function current(session: StripeObject): StripeObject {
    if (session.status === 'open' && session.expires_at <= account.seconds()) end(session)
    return session
  }

  function end(session: StripeObject): StripeObject {
    Object.assign(session, { status: 'expired', url: null })
    account.emit('checkout.session.expired', session)
    return session
  }

  return {
    'POST checkout/sessions': create,
    'GET checkout/sessions': ({ customer, payment_intent, ...parameters }) =>
      page(account.all('checkout.session', { customer, payment_intent }).map(current), parameters),
    'GET checkout/sessions/:id': ({ expand = [] }, id) => {
      const session = current(account.get('checkout.session', id))
      const { payment_intent: intent } = session
      if (!expand.includes('payment_intent') || intent === null) return session
      return { ...session, payment_intent: account.get('payment_intent', intent) }
    },
    'POST checkout/sessions/:id/expire': (_, id) => {
      const session = current(account.get('checkout.session', id))
      if (session.status !== 'open') throw refused('checkout_session_not_open')
      return end(session)
    },
  }
}

/** What the bank answers, by the last four digits of the saved card. */
const DECLINES: Readonly<Record<string, string>> = { '0002': 'card_declined', '3184': 'authentication_required' }

function payments(account: StripeAccount): Answers<Exclude<keyof Parameters, OfCustomers | OfCheckout>> {
  function charge({ amount, currency, customer, payment_method: id, metadata = {} }: Checked): StripeObject {
    const method = account.get('payment_method', id)
    if (method.customer !== customer) throw refused('payment_method_customer_mismatch', 'payment_method')
    if (amount < LEAST_CENTS) throw refused('amount_too_small', 'amount')
    const code = DECLINES[method.card.last4]
    const slow = method.card.last4 === '9995'
    const intent = account.add('pi', 'payment_intent', {
      amount,
      currency,
      customer,
      payment_method: id,
      metadata,
      cancellation_reason: null,
      status: code ? 'requires_payment_method' : slow ? 'processing' : 'succeeded',
      amount_received: code || slow ? 0 : amount,
      last_payment_error: code ? { code } : null,
    })
    account.emit(code ? 'payment_intent.payment_failed' : `payment_intent.${intent.status}`, intent)
    if (code) throw new ApiFailure(402, { type: 'card_error', code, message: 'Declined.', payment_intent: intent })
    return intent
  }

  const list = (object: string) => (parameters: Checked) => {
    const { customer, payment_intent, type, delivery_success: delivered } = parameters
    const sent = delivered === undefined ? undefined : delivered ? 0 : 1
    return page(account.all(object, { customer, payment_intent, type, pending_webhooks: sent }), parameters)
  }
  const read = (object: string) => (_: Checked, id: string) => account.get(object, id)
  return {
    'POST payment_intents': charge,
    'GET payment_intents': list('payment_intent'),
    'GET payment_intents/:id': read('payment_intent'),
    'GET charges/:id': read('charge'),
    'GET refunds': list('refund'),
    'GET refunds/:id': read('refund'),
    'GET disputes': list('dispute'),
    'GET disputes/:id': read('dispute'),
    'GET events': list('event'),
  }
}

interface Page {
  limit?: number
  starting_after?: string
  created?: { gte?: number }
}

function page(rows: StripeObject[], { limit = PAGE, starting_after: after, created }: Page) {
  const from = rows.filter(row => row.created >= (created?.gte ?? 0))
  const start = after === undefined ? 0 : from.findIndex(({ id }) => id === after) + 1
  const data = from.slice(start, start + limit)
  return { object: 'list', url: '/', has_more: start + limit < from.length, data }
}

function nulled(lines: Record<string, string>) {
  return Object.fromEntries(Object.entries(lines).map(([name, value]) => [name, value === '' ? null : value]))
}
