import type Stripe from 'stripe'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { isJsonObject } from '../../../lib/http/json.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import type { StripeProvider } from './payment-provider.ts'
import { StripeFailure, withStripe } from './stripe-requests.ts'

const KIND = 'payments.apply-event'

/** Reads an object of Stripe by its ID and applies its current state. It may run more than once. */
type ApplyObject = (objectId: string) => Promise<void>

/** How objects are applied, by their type at Stripe: `checkout.session`, `refund`, … */
export type ApplyObjects = Readonly<Record<string, ApplyObject>>

/** What is used of an event: only what names it and its object. The content of the object is never trusted. */
interface ReceivedEvent {
  id: string
  type: string
  livemode: boolean
  object: { type: string; id: string } | null
}

/** The events of Stripe, from its webhook or its list. */
export interface StripeEvents {
  /** Records an event and starts the job that applies its object. Returns whether it is new; a known event has no effect. */
  receive(event: ReceivedEvent): Promise<boolean>
  /** Whether anything applies the object of an event. */
  concerns(event: ReceivedEvent): boolean
}

interface StripeEventsOptions extends Pick<Infrastructure, 'db' | 'log' | 'jobs'> {
  /** All that apply objects; several may apply the same type. */
  handlers: readonly ApplyObjects[]
}

export function createStripeEvents({ db, jobs, log, handlers }: StripeEventsOptions): StripeEvents {
  const applying = (type: string) =>
    handlers.flatMap(all => (Object.hasOwn(all, type) ? [all[type] as ApplyObject] : []))

  jobs.define(KIND, async payload => {
    const { type, id } = payload as { type: string; id: string }
    for (const apply of applying(type)) {
      try {
        await withStripe(() => apply(id))
      } catch (error) {
        if (!(error instanceof StripeFailure) || error.kind !== 'missing') throw error
        log.warn({ object: id }, 'an event names an object that Stripe does not have: ignored')
      }
    }
  })

  return {
    concerns: ({ object }) => object !== null && applying(object.type).length > 0,

    async receive({ id, type, livemode, object }) {
      const isNew = await db.transaction().execute(async trx => {
        const row = { id, type, livemode, object_id: object?.id ?? null }
        const inserted = await trx
          .insertInto('stripe_events')
          .values(row)
          .onConflict(conflict => conflict.doNothing())
          .returning('id')
          .executeTakeFirst()
        if (inserted === undefined) return false
        if (object !== null && applying(object.type).length > 0)
          await jobs.enqueue(trx, { kind: KIND, payload: object, dedupe: `${KIND}:${object.id}` })
        return true
      })
      if (isNew) jobs.wake()
      return isNew
    },
  }
}

/** The used part of an event; undefined for anything that is not one. */
export function readEvent(event: Stripe.Event): ReceivedEvent | undefined {
  if (!isJsonObject(event)) return undefined
  const { id, type, livemode, object, data } = event as Partial<Stripe.Event>
  if (object !== 'event' || !isName(id) || !isName(type) || typeof livemode !== 'boolean') return undefined
  const { object: objectType, id: objectId } = (
    isJsonObject(data) && isJsonObject(data.object) ? data.object : {}
  ) as Partial<Record<'object' | 'id', unknown>>
  const named = isName(objectType) && isName(objectId) ? { type: objectType, id: objectId } : null
  return { id, type, livemode, object: named }
}

/** Whether a value is an ID or a type of Stripe: both are short ASCII words. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.]{1,255}$/.test(value)
}

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

interface WebhooksOptions extends Pick<Infrastructure, 'clock' | 'log'> {
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
        throw rejected('The event and the configured key belong to different modes of Stripe.')
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
