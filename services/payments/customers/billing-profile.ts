import { Value } from '@sinclair/typebox/value'
import type Stripe from 'stripe'
import { forOrg } from '../../../lib/database/tenant.ts'
import { BillingProfile, type BillingProfileChange } from '../../../schemas/billing/customer.ts'
import { changeIn } from '../../organizations/change.ts'
import type { StripeProvider } from '../provider/payment-provider.ts'
import { forPerson } from '../provider/stripe-requests.ts'
import type { BillingAdmin, Customers, CustomersOptions } from './customers.ts'

/** What invoices show of an organization. Stripe has the original; without Stripe, the row of the customer has it. */
export interface BillingProfiles {
  /** Throws CUSTOMER_NOT_FOUND, not_found without a payment provider, and upstream_unavailable. */
  read(orgId: string): Promise<BillingProfile>
  /**
   * Changes the members that are given; null removes one, and `tax_ids` replaces all of them. Throws what `read` throws,
   * and invalid_request for what the provider does not accept.
   */
  change(admin: BillingAdmin, change: BillingProfileChange): Promise<BillingProfile>
}

const MOST_TAX_IDS = 100
const NOTHING: BillingProfile = { name: null, email: null, address: null, tax_ids: [] }

export function createBillingProfiles({
  db,
  log,
  audit,
  provider,
  customers,
}: CustomersOptions & { customers: Customers }): BillingProfiles {
  async function stored(orgId: string): Promise<BillingProfile> {
    const query = forOrg(db, orgId).selectFrom('customers').select('billing_profile as profile')
    const { profile } = await query.executeTakeFirstOrThrow()
    const known = { ...NOTHING, ...(profile as object) }
    return Value.Check(BillingProfile, known) ? known : NOTHING
  }

  async function read(orgId: string): Promise<BillingProfile> {
    const { stripeId } = await customers.find(orgId)
    if (provider.kind !== 'stripe' || stripeId === null) return stored(orgId)
    return forPerson(log, async () => readRemote(await provider.client(), stripeId))
  }

  return {
    read,

    async change({ orgId, userId }, change) {
      const { stripeId } = await customers.find(orgId)
      const profile =
        provider.kind === 'stripe' && stripeId !== null
          ? await forPerson(log, () => changeRemote(provider, stripeId, change))
          : withChange(await stored(orgId), change)
      const by = { orgId, userId }
      return changeIn(db, { orgId, by }, async org => {
        await org
          .updateTable('customers')
          .set({ billing_profile: JSON.stringify(profile) })
          .execute()
        // The values are personal data of the people who get the invoices.
        const detail = { changed: Object.keys(change) }
        await audit.record(org, { by, action: 'billing_profile.update', target: orgId, detail })
        return profile
      })
    },
  }
}

function withChange(known: BillingProfile, change: BillingProfileChange): BillingProfile {
  const { name = known.name, email = known.email, address = known.address, tax_ids: taxIds } = change
  const tax_ids = taxIds?.map(taxId => ({ ...taxId, verification: null })) ?? known.tax_ids
  return { name, email, address: addressOf(address), tax_ids }
}

async function readRemote(stripe: Stripe, customerId: string): Promise<BillingProfile> {
  const customer = await stripe.customers.retrieve(customerId)
  if (customer.deleted) return NOTHING
  const { data } = await stripe.customers.listTaxIds(customerId, { limit: MOST_TAX_IDS })
  return {
    name: customer.name ?? null,
    email: customer.email ?? null,
    address: addressOf(customer.address),
    tax_ids: data.map(({ type, value, verification }) => ({ type, value, verification: verification?.status ?? null })),
  }
}

type Address = NonNullable<BillingProfile['address']>

/** All lines of an address; null for those that it lacks. */
function addressOf(address: { readonly [Line in keyof Address]?: string | null | undefined } | null | undefined) {
  if (address === null || address === undefined) return null
  const { line1 = null, line2 = null, city = null, state = null, postal_code = null, country = null } = address
  return { line1, line2, city, state, postal_code, country }
}

async function changeRemote(
  { client }: StripeProvider,
  customerId: string,
  { name, email, address, tax_ids: taxIds }: BillingProfileChange,
): Promise<BillingProfile> {
  const stripe = await client()
  if (name !== undefined || email !== undefined || address !== undefined)
    await stripe.customers.update(customerId, {
      // Stripe removes what is empty.
      ...(name !== undefined && { name: name ?? '' }),
      ...(email !== undefined && { email: email ?? '' }),
      ...(address !== undefined && { address: wholeAddress(address) }),
    })
  if (taxIds !== undefined) await replaceTaxIds(stripe, customerId, taxIds)
  return readRemote(stripe, customerId)
}

/** Replaces the whole address: Stripe keeps the lines that a request lacks. */
function wholeAddress(address: NonNullable<BillingProfileChange['address']> | null): Stripe.AddressParam | '' {
  const lines = addressOf(address)
  if (lines === null) return ''
  return Object.fromEntries(Object.entries(lines).map(([name, value]) => [name, value ?? '']))
}

/** Tax IDs cannot be changed. New ones are added before others are removed, so that a rejected one removes nothing. */
async function replaceTaxIds(stripe: Stripe, customerId: string, wanted: { type: string; value: string }[]) {
  const { data: known } = await stripe.customers.listTaxIds(customerId, { limit: MOST_TAX_IDS })
  const nameOf = ({ type, value }: { type: string; value: string }) => `${type} ${value}`
  const keep = new Set(wanted.map(nameOf))
  const have = new Set(known.map(nameOf))
  for (const taxId of wanted)
    if (!have.has(nameOf(taxId))) {
      have.add(nameOf(taxId))
      await stripe.customers.createTaxId(customerId, taxId as Stripe.CustomerCreateTaxIdParams)
    }
  for (const taxId of known) if (!keep.has(nameOf(taxId))) await stripe.customers.deleteTaxId(customerId, taxId.id)
}
