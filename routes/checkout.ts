import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { identityOf } from '../plugins/identity/plugin.ts'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import { ChangedPlan, PlanChange, type PlanEntry, PlanList } from '../schemas/billing/plan.ts'
import { NewTopup, StartedTopup } from '../schemas/billing/topup.ts'
import type { Standings } from '../services/billing/standings.ts'
import type { Idempotency } from '../services/idempotency/idempotency.ts'
import { holderOf } from '../services/identity/identity.ts'
import type { Plan, Plans } from '../services/payments/plans/plans.ts'
import type { Subscribing } from '../services/payments/plans/subscribe.ts'
import type { Topups } from '../services/payments/topups/topups.ts'
import { defineRoutes, type RouteScope } from './define-routes.ts'
import { oncePerKey } from './idempotency-key.ts'

interface PlanRoutesOptions {
  plans: Plans
}

function addPlans(app: RouteScope, { plans }: PlanRoutesOptions): void {
  app.route({
    method: 'GET',
    url: '/plans',
    config: { group: 'billing', membership: 'optional' },
    schema: { summary: 'List the plans that an organization can have.', response: { 200: PlanList } },
    handler: async function listPlans() {
      return { plans: plans.list().map(toEntry) }
    },
  })
}

function toEntry({ id, name, priceMicros, interval, includedMicros, features }: Plan): PlanEntry {
  return {
    id,
    name,
    price_micros: priceMicros,
    interval,
    included_micros: includedMicros,
    features: [...features],
  }
}

export const planRoutes = defineRoutes<PlanRoutesOptions>('plans', { anyone: addPlans })

interface CheckoutRoutesOptions {
  topups: Topups
  subscribing: Subscribing
  standings: Pick<Standings, 'of'>
  once: Idempotency['once']
}

function addCheckout(app: FastifyInstance, options: CheckoutRoutesOptions): void {
  addTopupRoute(app, options)
  addSubscribeRoute(app, options)
}

function addTopupRoute(app: FastifyInstance, { topups, once }: CheckoutRoutesOptions): void {
  app.route<{ Body: NewTopup }>({
    method: 'POST',
    url: '/checkout/topup',
    config: { group: 'billing' },
    schema: { summary: 'Start a top-up of the wallet.', body: NewTopup, response: { 200: StartedTopup } },
    handler: oncePerKey<{ Body: NewTopup }>(once, async function startTopup(request) {
      const { orgId, userId } = callerOf(request)
      const { amount_micros: amountMicros, save_payment_method: saved = false } = request.body
      const started = await topups.start({ orgId, userId, amountMicros, saved, requestKey: requestKeyOf(request) })
      return { body: answerOf(started) }
    }),
  })
}

function addSubscribeRoute(app: FastifyInstance, { subscribing, once }: CheckoutRoutesOptions): void {
  app.route<{ Body: PlanChange }>({
    method: 'POST',
    url: '/checkout/subscribe',
    config: { group: 'billing' },
    schema: { summary: 'Change the plan of the organization.', body: PlanChange, response: { 200: ChangedPlan } },
    handler: oncePerKey<{ Body: PlanChange }>(once, async function changePlan(request) {
      const { orgId, userId } = callerOf(request)
      const { plan_id: planId, pay_from: payFrom = 'card' } = request.body
      const changed = await subscribing.subscribe({ orgId, userId, planId, payFrom })
      const body: ChangedPlan = 'checkoutUrl' in changed ? { checkout_url: changed.checkoutUrl } : changed
      return { body }
    }),
  })
}

function answerOf(started: Awaited<ReturnType<Topups['start']>>): StartedTopup {
  if ('checkoutUrl' in started) return { checkout_url: started.checkoutUrl }
  return { settled: true, balance_micros: started.balanceMicros }
}

/** A digest that names the request beyond the life of the process: after a crash, a repetition finds its payment. */
function requestKeyOf(request: FastifyRequest<{ Body: NewTopup }>): string | null {
  const key = request.headers['idempotency-key']
  return key === undefined ? null : hash('sha256', JSON.stringify([holderOf(identityOf(request)), key]))
}

export const checkoutRoutes = defineRoutes<CheckoutRoutesOptions>('checkout', { billingAdmin: addCheckout })
