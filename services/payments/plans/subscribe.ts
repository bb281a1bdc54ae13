import { forOrg, type OrgDatabase } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { Standings } from '../../billing/standings.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import type { OperatorCommands } from '../../operator/operator-commands.ts'
import { changeIn } from '../../organizations/change.ts'
import { forPerson } from '../provider/stripe-requests.ts'
import type { PlanChanges } from './plan-changes.ts'
import type { PlanCheckouts } from './plan-checkouts.ts'
import { walletBlocked } from './plan-ledger.ts'
import type { Plan, Plans } from './plans.ts'
import { isLive, type Subscription, type SubscriptionProvider } from './subscription.ts'
import type { SubscriptionRows } from './subscription-rows.ts'
import type { SyncSubscriptions } from './sync-subscription.ts'

/** A change of the plan. */
interface PlanRequest {
  orgId: string
  userId: string
  planId: string
  /** `card` if absent. */
  payFrom?: 'card' | 'wallet'
}

/** A payment page to open, or a change that has taken effect. */
type PlanChanged = { checkoutUrl: string } | { settled: true }

export interface Subscribing {
  /**
   * Changes the plan of an organization. To the free plan, the current one ends with its period. Throws PLAN_NOT_FOUND,
   * ALREADY_PRO, ALREADY_FREE, and WALLET_BLOCKED for a suspended organization; from the wallet INSUFFICIENT_BALANCE; by
   * card not_found if no payment provider is configured; and the errors of `forPerson` if the provider fails.
   */
  subscribe(request: PlanRequest): Promise<PlanChanged>
}

/** Subscriptions by card at the payment provider. */
export interface CardSubscriptions {
  card: SubscriptionProvider
  checkouts: PlanCheckouts
  sync: SyncSubscriptions
}

interface SubscribingOptions extends Pick<Infrastructure, 'db' | 'clock' | 'log' | 'audit'> {
  plans: Plans
  rows: SubscriptionRows
  changes: PlanChanges
  /** Null without a payment provider. */
  byCard: CardSubscriptions | null
  /** Without a payment provider: whether a card is settled at once, by the built-in provider of development. */
  builtIn: boolean
  standings: Pick<Standings, 'of'>
  commands: Pick<OperatorCommands, 'resumeOrganization'>
  /** The error of a request by card without a payment provider. */
  noProvider(orgId: string): GatewayError
}

/** How often a change starts again because another request has opened a payment page meanwhile. */
const ATTEMPTS = 4

export function createSubscribing(options: SubscribingOptions): Subscribing {
  const { db, clock, log, audit, plans, rows, changes, byCard, builtIn } = options
  const live = (subscription: Subscription) => isLive(subscription, new Date(clock.now()))

  /** Without a card: one transaction under the lock of the organization, while no page is open that could be paid too. */
  async function settle(request: PlanRequest, plan: Plan, provider: 'wallet' | 'built_in'): Promise<PlanChanged> {
    const { orgId, userId } = request
    const by = { orgId, userId }
    const settleOn = async (org: OrgDatabase) => {
      const open = await rows.open(org)
      if (byCard !== null && open.some(({ status }) => status === 'checkout')) return false
      const own = open.find(subscription => subscription.provider === provider)
      requireNoOther(open, own)
      if (own?.status === 'past_due') await changes.renew(org, own, by)
      else if (own !== undefined && live(own)) {
        if (own.cancelAt === null) throw alreadyPro()
        await changes.setEnding(org, own, false, by)
      } else {
        if (own !== undefined) await changes.end(org, own, by)
        await changes.begin(org, { plan, provider, userId })
      }
      return true
    }
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      await byCard?.checkouts.close(orgId)
      await endUnpaid(await rows.open(forOrg(db, orgId)))
      if (await changeIn(db, { orgId, by }, settleOn)) return { settled: true }
    }
    throw new GatewayError('upstream_unavailable', 'Other requests are opening payment pages. Subscribe again.')
  }

  function requireNoOther(open: readonly Subscription[], own: Subscription | undefined): void {
    const other = open.find(subscription => subscription !== own && live(subscription))
    if (other !== undefined) throw alreadyPro(other)
  }

  async function openPage({ orgId, userId }: PlanRequest, plan: Plan, cards: CardSubscriptions): Promise<PlanChanged> {
    const open = await rows.open(forOrg(db, orgId))
    const ending = open.find(known => known.provider === 'stripe' && live(known) && known.cancelAt !== null)
    if (ending?.stripeId != null && ending.status !== 'past_due') {
      await cards.card.setEnding(ending.stripeId, false)
      await cards.sync.subscription(ending.stripeId)
      await recordRequest(ending, userId, 'plan.resume')
      return { settled: true }
    }
    requireNoOther(open, undefined)
    await endUnpaid(open)
    const requireFree = (current: Subscription[]) => requireNoOther(current, undefined)
    return { checkoutUrl: await cards.checkouts.open({ orgId, userId }, plan, requireFree) }
  }

  /** Ends at the provider what gives no plan any more: it must not be charged beside the new subscription. */
  async function endUnpaid(open: readonly Subscription[]): Promise<void> {
    for (const known of open) {
      if (known.stripeId === null || known.status === 'checkout' || live(known)) continue
      await byCard?.card.end(known.stripeId)
      await byCard?.sync.subscription(known.stripeId)
    }
  }

  async function recordRequest({ orgId, id, planId }: Subscription, userId: string, action: string): Promise<void> {
    await audit.record(forOrg(db, orgId), { by: { orgId, userId }, action, target: id, detail: { planId } })
  }

  /** To the free plan: every live subscription ends with its period, or at once if that is not paid. */
  async function cancel({ orgId, userId }: PlanRequest): Promise<PlanChanged> {
    const by = { orgId, userId }
    await byCard?.checkouts.close(orgId)
    const atProvider = await changeIn(db, { orgId, by }, async org => {
      const open = (await rows.open(org)).filter(known => known.cancelAt === null || known.status === 'past_due')
      const ending = open.filter(live)
      if (ending.length === 0) throw alreadyFree(await rows.open(org))
      for (const known of ending) if (known.provider !== 'stripe') await changes.setEnding(org, known, true, by)
      return ending.filter(({ provider }) => provider === 'stripe')
    })
    for (const known of atProvider) {
      if (known.stripeId === null || byCard === null) throw options.noProvider(orgId)
      if (known.status === 'past_due') await byCard.card.end(known.stripeId)
      else await byCard.card.setEnding(known.stripeId, true)
      await recordRequest(known, userId, 'plan.cancel')
      await byCard.sync.subscription(known.stripeId)
    }
    return { settled: true }
  }

  /** A suspended organization could not use what it pays for. */
  async function requireNotSuspended(orgId: string): Promise<void> {
    const { suspendedAt } = await options.standings.of({ orgId, keyId: null })
    if (suspendedAt !== null) throw walletBlocked(orgId, options.commands)
  }

  function alreadyFree(open: readonly Subscription[]): GatewayError {
    const until = open.find(live)?.cancelAt?.toISOString()
    const message =
      until === undefined ? 'This organization is already on the free plan.' : `The plan already ends at ${until}.`
    return new GatewayError('ALREADY_FREE', message)
  }

  return {
    async subscribe(request) {
      const plan = plans.find(request.planId)
      if (plan === undefined) {
        const known = plans.list().map(({ id }) => id)
        throw new GatewayError('PLAN_NOT_FOUND', `There is no such plan. Send one of: ${known.join(', ')}.`)
      }
      if (plan.id === 'free') return forPerson(log, () => cancel(request))
      await requireNotSuspended(request.orgId)
      if (request.payFrom === 'wallet') return forPerson(log, () => settle(request, plan, 'wallet'))
      if (byCard !== null) return forPerson(log, () => openPage(request, plan, byCard))
      if (builtIn) return settle(request, plan, 'built_in')
      throw options.noProvider(request.orgId)
    },
  }
}

function alreadyPro(other?: Subscription): GatewayError {
  return new GatewayError(
    'ALREADY_PRO',
    `This organization is already on the paid plan.${other === undefined ? '' : ` ${otherwisePaid(other)}`}`,
  )
}

/** What to do about a plan that is paid from something else than was requested. */
function otherwisePaid({ provider, cancelAt }: Subscription): string {
  const [from, payFrom] = provider === 'wallet' ? ['the wallet', 'wallet'] : ['a card', 'card']
  return cancelAt === null
    ? `It is paid from ${from}. To change that, first end it with plan_id free.`
    : `It is paid from ${from} and ends at ${cancelAt.toISOString()}. To continue it, send pay_from ${payFrom}; to pay ` +
        'otherwise, subscribe after it has ended.'
}
