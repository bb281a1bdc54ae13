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

  return async function ensureCustomer(orgId: string, by: Actor = 'job'): Promise<string> {
    const known = await stored(orgId)
    if (known !== undefined) return known
    const stripe = await client()
    const { id } = await stripe.customers.create({ metadata: { org_id: orgId } }, { idempotencyKey: `cus:${orgId}` })
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
