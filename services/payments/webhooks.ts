import { GatewayError } from '../../lib/errors/errors.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import { readEvent, type StripeEvents } from './events.ts'
import type { StripeProvider } from './payment-provider.ts'

/** How far the time of a signature may be from ours, in both directions. */
const TOLERANCE_S = 300

/** The webhook of Stripe. */
export interface Webhooks {
  /**
   * Verifies a request and records its event; the job then reads the object from Stripe. Throws invalid_request if the
   * signature is not valid, the event has another form, or it belongs to the other mode of Stripe.
   */
  receive(request: { body: Buffer; signature: string | undefined }): Promise<void>
}

interface WebhooksOptions {
  clock: Clock
  log: Logger
  provider: StripeProvider
  /** The signing secrets; two while one is replaced. */
  secrets: readonly string[]
  events: StripeEvents
}

export function createWebhooks({ clock, log, provider, secrets, events }: WebhooksOptions): Webhooks {
  /** The event; throws an error of the SDK or our own if it is not authentic. */
  async function verify(body: Buffer, signature: string) {
    requireRecent(signature, clock.now())
    const { webhooks } = await provider.client()
    let failure: unknown = new Error('No signing secret is configured')
    for (const secret of secrets) {
      try {
        return webhooks.constructEvent(body, signature, secret, TOLERANCE_S, undefined, clock.now())
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  return {
    async receive({ body, signature }) {
      if (signature === undefined || body.length === 0) throw rejected('Send a signed event.')
      const verified = await verify(body, signature).catch(error => {
        // The SDK's error carries the body, which may contain the URL of a payment page.
        log.warn({ reason: (error as Error).name }, 'rejected a webhook: its signature is not valid')
        throw rejected('The signature is invalid or too old, or the payload is not a snapshot event.')
      })
      const event = readEvent(verified)
      if (event === undefined) throw rejected('The payload is not a snapshot event.')
      if (event.livemode !== provider.livemode) {
        log.error({ event: event.id, livemode: event.livemode }, 'rejected an event of the other mode of Stripe')
        throw rejected('The event belongs to the other mode of Stripe than the configured key.')
      }
      const isNew = await events.receive(event)
      log.info({ event: event.id, type: event.type, object: event.object?.id, repeated: !isNew }, 'received an event')
    },
  }
}

/** The SDK accepts a time in the future and several times, of which it uses the last. */
function requireRecent(signature: string, now: number): void {
  const times = signature.split(',').flatMap(part => (part.startsWith('t=') ? [part.slice(2)] : []))
  const [time = ''] = times
  if (times.length !== 1 || !/^\d{1,12}$/.test(time)) throw new Error('The signature has no time')
  if (Math.abs(Math.floor(now / 1000) - Number(time)) > TOLERANCE_S) throw new Error('The signature is not recent')
}

function rejected(message: string): GatewayError {
  return new GatewayError('invalid_request', `The webhook was rejected. ${message}`)
}
