import { forOrg } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import { changeIn } from '../../organizations/change.ts'
import { StripeFailure } from '../provider/stripe-requests.ts'
import type { Plan } from './plans.ts'
import type { Subscription, SubscriptionProvider } from './subscription.ts'
import type { SubscriptionRows } from './subscription-rows.ts'
import type { SyncSubscriptions } from './sync-subscription.ts'

/** How long a checkout may still get its page: the provider accepts an expiry at least 30 minutes ahead. */
const STARTING_MS = 20 * 60_000
/** How often opening starts again because an earlier page has ended meanwhile. */
const ATTEMPTS = 4

/** Payment pages for subscriptions. An organization has at most one that is open. */
export interface PlanCheckouts {
  /**
   * Returns the URL of the organization's page; concurrent calls get the same one. `requireFree` runs under the lock of
   * the organization and throws if it already has the plan.
   */
  open(
    subscriber: { orgId: string; userId: string },
    plan: Plan,
    requireFree: (open: Subscription[]) => void,
  ): Promise<string>
  /** Closes the organization's page, if it has one. A page that was completed meanwhile is applied instead. */
  close(orgId: string): Promise<void>
}

interface PlanCheckoutsOptions extends Pick<Infrastructure, 'db' | 'clock'> {
  rows: SubscriptionRows
  sync: SyncSubscriptions
  card: SubscriptionProvider
}

export function createPlanCheckouts({ db, clock, rows, sync, card }: PlanCheckoutsOptions): PlanCheckouts {
  /** Requests of this process that open the page of a subscription: the provider rejects concurrent ones. */
  const opening = new Map<string, Promise<string>>()

  async function end(checkout: Subscription): Promise<void> {
    const { sessionId, orgId } = checkout
    if (sessionId !== null) {
      await card.closeCheckout(sessionId)
      await sync.checkout(sessionId)
    } else {
      // A request that is opening its page finds the row gone, and closes the page.
      await rows.removeCheckout(forOrg(db, orgId), checkout)
    }
  }

  /** The URL of the page; undefined if it has ended. */
  async function urlOf(checkout: Subscription): Promise<string | undefined> {
    if (checkout.sessionId === null) return create(checkout)
    const { status, url } = await card.readCheckout(checkout.sessionId)
    if (status === 'open' && url !== null) return url
    await sync.checkout(checkout.sessionId)
    return undefined
  }

  function create(checkout: Subscription): Promise<string> {
    const known = opening.get(checkout.id)
    if (known !== undefined) return known
    const created = createPage(checkout).finally(() => opening.delete(checkout.id))
    opening.set(checkout.id, created)
    return created
  }

  async function createPage(checkout: Subscription): Promise<string> {
    const org = forOrg(db, checkout.orgId)
    const { sessionId, url } = await card.open(checkout).catch(async error => {
      // Stripe would repeat its failure for this checkout. Nobody has the address of a page, so the next request gets another.
      if (error instanceof StripeFailure && error.answered) await rows.removeCheckout(org, checkout)
      throw error
    })
    if ((await rows.change(org, checkout, { sessionId })) !== undefined) return url
    // Another process has opened the same page, or the checkout was ended.
    const current = await rows.find(org, checkout.id)
    if (current?.sessionId === sessionId) return url
    await card.closeCheckout(sessionId)
    throw new GatewayError('upstream_unavailable', 'Another request has ended this checkout. Subscribe again.')
  }

  return {
    async open({ orgId, userId }, plan, requireFree) {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        const checkout = await changeIn(db, { orgId, by: { orgId, userId } }, async org => {
          const open = await rows.open(org)
          requireFree(open)
          const existing = open.find(({ status }) => status === 'checkout')
          return existing ?? rows.add(org, { provider: 'stripe', plan, status: 'checkout', period: null, userId })
        })
        const age = clock.now() - checkout.createdAt.getTime()
        const usable = checkout.planId === plan.id && checkout.priceMicros === plan.priceMicros
        if (!usable || (checkout.sessionId === null && age > STARTING_MS)) await end(checkout)
        else {
          const url = await urlOf(checkout)
          if (url !== undefined) return url
        }
      }
      throw new GatewayError(
        'upstream_unavailable',
        'The payment page was closed while it was being opened. Subscribe again.',
      )
    },

    async close(orgId) {
      const open = await rows.open(forOrg(db, orgId))
      for (const checkout of open) if (checkout.status === 'checkout') await end(checkout)
    },
  }
}
