import type { Clock } from '../../schemas/primitives/time.ts'
import type {
  PaidInvoice,
  RemoteSubscription,
  Subscription,
  SubscriptionProvider,
} from '../../services/payments/plans/subscription.ts'

const MONTH_MS = 30 * 86_400_000

interface Page {
  id: string
  status: 'open' | 'complete' | 'expired'
  subscription: Subscription
  stripeId: string | null
}

/** Subscriptions at a payment provider in memory. The customer of an organization is `cus_<organization>`. */
export function memoryCardPlans(clock: Clock) {
  const pages = new Map<string, Page>()
  const subscriptions = new Map<string, RemoteSubscription>()
  const invoices = new Map<string, { subscriptionId: string; paid: PaidInvoice }>()
  const calls: string[] = []
  let down = false
  let made = 0

  function called(name: string): void {
    calls.push(name)
    if (down) throw new Error('The provider is down')
  }
  function pageOf(id: string): Page {
    const page = pages.get(id)
    if (page === undefined) throw new Error(`There is no page ${id}`)
    return page
  }
  function remoteOf(id: string): RemoteSubscription {
    const remote = subscriptions.get(id)
    if (remote === undefined) throw new Error(`There is no subscription ${id}`)
    return remote
  }

  const card: SubscriptionProvider = {
    livemode: false,
    async open(subscription) {
      called(`open ${subscription.id}`)
      const id = `cs_${subscription.id}`
      if (!pages.has(id)) pages.set(id, { id, status: 'open', subscription, stripeId: null })
      return { sessionId: id, url: `https://pay.test/${id}` }
    },
    async readCheckout(id) {
      called(`readCheckout ${id}`)
      const { status, stripeId, subscription } = pageOf(id)
      const url = status === 'open' ? `https://pay.test/${id}` : null
      return { status, url, subscriptionId: stripeId, customerId: `cus_${subscription.orgId}` }
    },
    async closeCheckout(id) {
      called(`closeCheckout ${id}`)
      const page = pageOf(id)
      if (page.status === 'open') page.status = 'expired'
    },
    async read(id) {
      called(`read ${id}`)
      return { ...remoteOf(id) }
    },
    async setEnding(id, ending) {
      called(`setEnding ${id} ${ending}`)
      const remote = remoteOf(id)
      remote.cancelAt = ending ? remote.end : null
    },
    async end(id) {
      called(`end ${id}`)
      remoteOf(id).status = 'canceled'
    },
    async readInvoice(id) {
      called(`readInvoice ${id}`)
      return invoices.get(id)
    },
  }

  return {
    card,
    calls,
    pages,
    subscription: remoteOf,
    stop: (stopped: boolean) => {
      down = stopped
    },
    /** The buyer pays the page: a subscription begins. Returns its ID. */
    complete(pageId: string): string {
      const page = pageOf(pageId)
      if (page.status !== 'open') throw new Error(`The page ${pageId} is ${page.status}`)
      const id = `sub_${++made}`
      const [start, end] = [new Date(clock.now()), new Date(clock.now() + MONTH_MS)]
      const customerId = `cus_${page.subscription.orgId}`
      Object.assign(page, { status: 'complete', stripeId: id })
      subscriptions.set(id, {
        id,
        customerId,
        livemode: false,
        status: 'active',
        start,
        end,
        cancelAt: null,
        paid: null,
      })
      this.pay(id, page.subscription.priceMicros / 10_000)
      return id
    },
    /** The provider charges the current period. Returns the ID of the invoice. */
    pay(id: string, cents = 2_000): string {
      const remote = remoteOf(id)
      const { customerId, start, end } = remote
      const charged = { subtotalCents: cents, chargedCents: cents, currency: 'usd', livemode: false }
      const invoiceId = `in_${++made}`
      remote.paid = { ...charged, id: invoiceId, customerId, start, end }
      invoices.set(invoiceId, { subscriptionId: id, paid: remote.paid })
      return invoiceId
    },
    /** The next period begins, and is not paid yet. */
    turn(id: string): void {
      const remote = remoteOf(id)
      Object.assign(remote, { start: remote.end, end: new Date(remote.end.getTime() + MONTH_MS), paid: null })
    },
  }
}
