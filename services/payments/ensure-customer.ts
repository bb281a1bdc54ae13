import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Actor, Audit } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import type { StripeProvider } from './payment-provider.ts'

interface EnsureCustomerOptions {
  db: Kysely<Database>
  audit: Audit
  provider: StripeProvider
}

/**
 * Returns the customer of an organization at Stripe, and creates it if there is none: a repeated request with the same
 * idempotency key gets the same customer, also after a crash. Throws Stripe's errors.
 */
export function createEnsureCustomer({ db, audit, provider }: EnsureCustomerOptions) {
  const { livemode, client } = provider

  async function stored(orgId: string): Promise<string | undefined> {
    const query = forOrg(db, orgId).selectFrom('customers').where('livemode', '=', livemode)
    return (await query.select('stripe_id').executeTakeFirst())?.stripe_id ?? undefined
  }

  async function create(orgId: string): Promise<string> {
    const { customers } = await client()
    const withKey = async (idempotencyKey: string) =>
      (await customers.create({ metadata: { org_id: orgId } }, { idempotencyKey })).id
    try {
      return await withKey(`cus:${orgId}`)
    } catch (error) {
      // Stripe repeats the failure of a key for a day. With another key, at worst one customer stays unused.
      if (Number((error as { statusCode?: number }).statusCode) >= 500) return withKey(`cus:${orgId}:${randomUUID()}`)
      throw error
    }
  }

  return async function ensureCustomer(orgId: string, by: Actor = 'job'): Promise<string> {
    const known = await stored(orgId)
    if (known !== undefined) return known
    const id = await create(orgId)
    await forOrg(db, orgId).transaction(async org => {
      const { numInsertedOrUpdatedRows } = await org
        .insertInto('customers', { stripe_id: id, livemode })
        .onConflict(conflict =>
          conflict
            .column('org_id')
            .doUpdateSet({ stripe_id: id, livemode, default_payment_method: null })
            // The customer of the other mode does not exist for this key, nor does what it has saved.
            .where(eb => eb.or([eb('customers.stripe_id', 'is', null), eb('customers.livemode', '!=', livemode)])),
        )
        .executeTakeFirstOrThrow()
      if (numInsertedOrUpdatedRows)
        await audit.record(org, { by, action: 'customer.create', target: orgId, detail: { customer: id } })
    })
    return (await stored(orgId)) ?? id
  }
}
