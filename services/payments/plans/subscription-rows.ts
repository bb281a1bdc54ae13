import { sql } from 'kysely'
import { acrossOrgs, type OrgDatabase } from '../../../lib/database/tenant.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import type { Plan } from './plans.ts'
import { type Period, type Subscription, toSubscription } from './subscription.ts'

interface NewSubscription {
  provider: Subscription['provider']
  plan: Plan
  status: 'checkout' | 'active'
  /** The first period; null before the provider has a subscription. */
  period: Period | null
  userId: string
}

/** What a change of a subscription sets. */
type SubscriptionChange = Partial<
  Pick<
    Subscription,
    'status' | 'stripeId' | 'sessionId' | 'anchor' | 'start' | 'end' | 'cancelAt' | 'failures' | 'livemode'
  >
>

/** The rows of subscriptions. */
export interface SubscriptionRows {
  /** The subscriptions of an organization that are not over, oldest first; at the provider only those of its mode. */
  open(org: OrgDatabase): Promise<Subscription[]>
  find(org: OrgDatabase, id: string): Promise<Subscription | undefined>
  /** The subscription of an object at the provider, of any organization. */
  findByObject(object: { stripeId: string } | { sessionId: string }): Promise<Subscription | undefined>
  add(org: OrgDatabase, subscription: NewSubscription): Promise<Subscription>
  /** Changes a subscription that still has the version; undefined if it has another one. */
  change(
    org: OrgDatabase,
    known: Pick<Subscription, 'id' | 'version'>,
    change: SubscriptionChange,
  ): Promise<Subscription | undefined>
  /** Removes a checkout that was never completed. Returns whether it still had the version. */
  removeCheckout(org: OrgDatabase, known: Pick<Subscription, 'id' | 'version'>): Promise<boolean>
}

export function createSubscriptionRows({
  db,
  ids,
  clock,
  livemode,
}: Pick<Infrastructure, 'db' | 'clock' | 'ids'> & {
  /** Whether the provider is in its live mode; null without one. */
  livemode: boolean | null
}): SubscriptionRows {
  return {
    async open(org) {
      const query = org.selectFrom('subscriptions').where('status', 'not in', ['canceled', 'incomplete_expired'])
      const rows = await query.orderBy('created_at').orderBy('id').selectAll().execute()
      const ours = rows.filter(row => row.provider !== 'stripe' || livemode === null || row.livemode === livemode)
      return ours.map(toSubscription)
    },

    async find(org, id) {
      const row = await org.selectFrom('subscriptions').where('id', '=', id).selectAll().executeTakeFirst()
      return row && toSubscription(row)
    },

    async findByObject(object) {
      // The ID at the provider is unique over all organizations, and nothing else names the organization.
      const query = acrossOrgs(db).selectFrom('subscriptions').selectAll()
      const row = await ('stripeId' in object
        ? query.where('stripe_id', '=', object.stripeId)
        : query.where('session_id', '=', object.sessionId)
      ).executeTakeFirst()
      return row && toSubscription(row)
    },

    async add(org, { provider, plan, status, period, userId }) {
      // Only one checkout may exist, and one of the other mode can no longer be completed here.
      if (status === 'checkout') await org.deleteFrom('subscriptions').where('status', '=', 'checkout').execute()
      const now = new Date(clock.now())
      const row = {
        id: ids('pln'),
        provider,
        stripe_id: null,
        session_id: null,
        plan_id: plan.id,
        price_micros: plan.priceMicros,
        included_micros: plan.includedMicros,
        livemode: provider === 'stripe' && livemode === true,
        status,
        anchor: period?.start ?? null,
        period_start: period?.start ?? null,
        period_end: period?.end ?? null,
        created_by: userId,
        created_at: now,
        checked_at: now,
      }
      return toSubscription(await org.insertInto('subscriptions', row).returningAll().executeTakeFirstOrThrow())
    },

    async change(org, { id, version }, change) {
      const { status, stripeId, sessionId, anchor, start, end, cancelAt, failures, livemode } = change
      const row = await org
        .updateTable('subscriptions')
        .set({
          version: sql<number>`version + 1`,
          checked_at: new Date(clock.now()),
          ...(status !== undefined && { status }),
          ...(stripeId !== undefined && { stripe_id: stripeId }),
          ...(sessionId !== undefined && { session_id: sessionId }),
          ...(anchor !== undefined && { anchor }),
          ...(start !== undefined && { period_start: start }),
          ...(end !== undefined && { period_end: end }),
          ...(cancelAt !== undefined && { cancel_at: cancelAt }),
          ...(failures !== undefined && { failures }),
          ...(livemode !== undefined && { livemode }),
        })
        .where('id', '=', id)
        .where('version', '=', version)
        .returningAll()
        .executeTakeFirst()
      return row && toSubscription(row)
    },

    async removeCheckout(org, { id, version }) {
      const { numDeletedRows } = await org
        .deleteFrom('subscriptions')
        .where('id', '=', id)
        .where('version', '=', version)
        .where('status', '=', 'checkout')
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
