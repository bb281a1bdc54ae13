import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import fp from 'fastify-plugin'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import { AutoTopupChange, AutoTopupEntry } from '../schemas/auto-topup.ts'
import type { Standings } from '../services/billing/standings.ts'
import type { AutoTopup, AutoTopupSettings } from '../services/payments/auto-topup-settings.ts'
import { requireBillingAdmin } from './access.ts'

interface AutoTopupRoutesOptions {
  autoTopupSettings: AutoTopupSettings
  standings: Pick<Standings, 'of'>
}

const URL = '/customers/me/auto-topup'

const autoTopupRoutes: FastifyPluginAsyncTypebox<AutoTopupRoutesOptions> = async (app, options) => {
  const { autoTopupSettings: settings, standings } = options

  app.route({
    method: 'GET',
    url: URL,
    config: { group: 'billing' },
    onRequest: requireBillingAdmin(standings),
    schema: { summary: 'Get the settings of automatic top-ups.', response: { 200: AutoTopupEntry } },
    handler: async function readAutoTopup(request) {
      return toEntry(await settings.read(callerOf(request).orgId))
    },
  })

  app.route<{ Body: AutoTopupChange }>({
    method: 'PATCH',
    url: URL,
    config: { group: 'billing' },
    onRequest: requireBillingAdmin(standings),
    schema: {
      summary: 'Switch automatic top-ups on or off, or change their amounts.',
      body: AutoTopupChange,
      response: { 200: AutoTopupEntry },
    },
    handler: async function changeAutoTopup(request) {
      const { orgId, userId } = callerOf(request)
      const { enabled, threshold_micros, amount_micros, monthly_limit_micros } = request.body
      const changed = await settings.change(
        { orgId, userId },
        {
          ...(enabled !== undefined && { enabled }),
          ...(threshold_micros !== undefined && { thresholdMicros: threshold_micros }),
          ...(amount_micros !== undefined && { amountMicros: amount_micros }),
          ...(monthly_limit_micros !== undefined && { monthlyMicros: monthly_limit_micros }),
        },
      )
      return toEntry(changed)
    },
  })
}

function toEntry({ enabled, thresholdMicros, amountMicros, monthlyMicros, chargedMicros }: AutoTopup): AutoTopupEntry {
  return {
    enabled,
    threshold_micros: thresholdMicros,
    amount_micros: amountMicros,
    monthly_limit_micros: monthlyMicros,
    charged_this_month_micros: chargedMicros,
  }
}

export default fp(autoTopupRoutes, {
  name: 'routes/auto-topup',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'origin', 'identity', 'org-resolution', 'standing', 'rate-limit'],
})
