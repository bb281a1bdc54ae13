import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import fp from 'fastify-plugin'
import { type PlanEntry, PlanList } from '../schemas/plan.ts'
import type { Plan, Plans } from '../services/payments/plans.ts'

const planRoutes: FastifyPluginAsyncTypebox<{ plans: Plans }> = async (app, { plans }) => {
  app.route({
    method: 'GET',
    url: '/plans',
    config: { group: 'billing', membership: 'optional' },
    schema: { summary: 'List the plans that an organization can be on.', response: { 200: PlanList } },
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

export default fp(planRoutes, {
  name: 'routes/plans',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'origin', 'identity', 'org-resolution', 'standing', 'rate-limit'],
})
