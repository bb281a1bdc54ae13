import type { Kysely } from 'kysely'
import type Stripe from 'stripe'
import type { Database } from '../../lib/database/tables.ts'
import { isJsonObject } from '../../lib/http/json.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import type { Logger } from '../../schemas/log.ts'
import { StripeFailure, withStripe } from './stripe-failure.ts'

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

interface StripeEventsOptions {
  db: Kysely<Database>
  jobs: Jobs
  log: Logger
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
