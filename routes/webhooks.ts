import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isRepeated } from '../lib/http/headers.ts'
import { countPerAddress } from '../lib/rate-counters/per-minute.ts'
import { endpointNotFound } from '../plugins/error-envelope/plugin.ts'
import type { Infrastructure } from '../services/infrastructure.ts'
import type { Webhooks } from '../services/payments/provider/events.ts'
import { definePublicRoutes } from './define-routes.ts'

interface WebhookRoutesOptions extends Pick<Infrastructure, 'counters'> {
  /** Undefined without Stripe: then there is no such endpoint. */
  webhooks: Webhooks | undefined
}

const MOST_BYTES = 256 * 1024
/** Stripe sends from a few addresses, and repeats what is rejected. */
const LIMIT = { name: 'webhooks', max: 600, what: 'requests' }

async function webhookRoutes(app: FastifyInstance, { webhooks, counters }: WebhookRoutesOptions) {
  // The signature covers the bytes of the body, so nothing may parse them. This affects only this plugin.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: MOST_BYTES },
    function keepBytes(_request, body, done) {
      done(null, body)
    },
  )

  app.route<{ Body: Buffer | null }>({
    method: 'POST',
    url: '/webhooks/stripe',
    bodyLimit: MOST_BYTES,
    schema: {
      summary: 'Receive a signed event of Stripe.',
      response: { 200: Type.Object({ received: Type.Literal(true) }, { additionalProperties: false }) },
    },
    onRequest: async function countWebhook(request) {
      if (webhooks === undefined) throw endpointNotFound(request)
      await countPerAddress(counters, { ...LIMIT, address: request.ip })
    },
    handler: async function receiveStripeEvent(request) {
      if (webhooks === undefined) throw endpointNotFound(request)
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      await webhooks.receive({ body, signature: signatureOf(request) })
      return { received: true }
    },
  })
}

/** Undefined if there is none, or more than one. */
function signatureOf({ headers, raw }: FastifyRequest): string | undefined {
  const signature = headers['stripe-signature']
  return typeof signature === 'string' && !isRepeated('stripe-signature', raw.rawHeaders) ? signature : undefined
}

export default definePublicRoutes('webhooks', webhookRoutes)
