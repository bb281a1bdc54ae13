import { hash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { identityOf } from '../plugins/identity/plugin.ts'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import { ChangedPlan, NewTopup, PlanChange, StartedTopup } from '../schemas/checkout.ts'
import type { Standings } from '../services/billing/standings.ts'
import type { Idempotency } from '../services/idempotency/idempotency.ts'
import { holderOf } from '../services/identity/identity.ts'
import type { Subscribing } from '../services/payments/subscribe.ts'
import type { Topups } from '../services/payments/topups.ts'
import { requireBillingAdmin } from './access.ts'
import { oncePerKey } from './once-per-key.ts'

interface CheckoutRoutesOptions {
  topups: Topups
  subscribing: Subscribing
  standings: Pick<Standings, 'of'>
  once: Idempotency['once']
}

const checkoutRoutes: FastifyPluginAsyncTypebox<CheckoutRoutesOptions> = async (app, options) => {
  addTopupRoute(app, options)
  addSubscribeRoute(app, options)
}

function addTopupRoute(app: FastifyInstance, { topups, standings, once }: CheckoutRoutesOptions): void {
  app.route<{ Body: NewTopup }>({
    method: 'POST',
    url: '/checkout/topup',
    config: { group: 'billing' },
    onRequest: requireBillingAdmin(standings),
    schema: { summary: 'Start a top-up of the wallet.', body: NewTopup, response: { 200: StartedTopup } },
    handler: oncePerKey<{ Body: NewTopup }>(once, async function startTopup(request) {
      const { orgId, userId } = callerOf(request)
      const { amount_micros: amountMicros, save_payment_method: saved = false } = request.body
      const started = await topups.start({ orgId, userId, amountMicros, saved, requestKey: requestKeyOf(request) })
      return { body: answerOf(started) }
    }),
  })
}

function addSubscribeRoute(app: FastifyInstance, { subscribing, standings, once }: CheckoutRoutesOptions): void {
  app.route<{ Body: PlanChange }>({
    method: 'POST',
    url: '/checkout/subscribe',
    config: { group: 'billing' },
    onRequest: requireBillingAdmin(standings),
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

export default fp(checkoutRoutes, {
  name: 'routes/checkout',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'origin', 'identity', 'org-resolution', 'standing', 'rate-limit'],
})
