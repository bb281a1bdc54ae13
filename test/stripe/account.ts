import type { Clock } from '../../schemas/primitives/time.ts'
import { type ApiFailure, missing } from './api-failure.ts'

/** An object of the account, as the API shows it. */
export interface StripeObject {
  id: string
  object: string
  created: number
  livemode: boolean
  // biome-ignore lint/suspicious/noExplicitAny: tests look into objects of many shapes
  [member: string]: any
}

/** The objects of a Stripe account, and the events that their changes cause. */
export function stripeAccount({ clock, livemode }: { clock: Clock; livemode: boolean }) {
  const objects = new Map<string, StripeObject>()
  const events: StripeObject[] = []
  let count = 0
  const seconds = () => Math.floor(clock.now() / 1000)

  const account = {
    livemode,
    seconds,
    events,

    add(prefix: string, object: string, members: object): StripeObject {
      const id = `${prefix}_${['cs', 'evt'].includes(prefix) ? 'test_' : ''}${String(++count).padStart(14, '0')}`
      const made = { id, object, created: seconds(), livemode, ...members }
      objects.set(id, made)
      return made
    },

    /** Throws the failure of a missing object, also for one of another type. */
    get(object: string, id: unknown): StripeObject {
      const found = objects.get(String(id))
      if (found?.object !== object) throw missing(String(id)) satisfies ApiFailure
      return found
    },

    delete: (id: string) => objects.delete(id),

    /** The objects of a type with these members, newest first. */
    all(object: string, filter: Record<string, unknown> = {}): StripeObject[] {
      const matches = (one: StripeObject) =>
        Object.entries(filter).every(([name, value]) => value === undefined || one[name] === value)
      return [...objects.values()].filter(one => one.object === object && matches(one)).reverse()
    },

    /** Records an event with the object as it is now. */
    emit(type: string, object: StripeObject): StripeObject {
      const data = { object: structuredClone(object) }
      const event = account.add('evt', 'event', { type, data, api_version: API_VERSION, pending_webhooks: 1 })
      events.push(event)
      return event
    },
  }
  return account
}

/** The version that the double speaks. */
export const API_VERSION = '2026-10-28.endive'

export type StripeAccount = ReturnType<typeof stripeAccount>
