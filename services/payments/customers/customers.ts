import { randomUUID } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import type { Actor, Audit } from '../../../lib/audit/audit.ts'
import type { CustomersTable } from '../../../lib/database/billing-tables.ts'
import type { Database } from '../../../lib/database/tables.ts'
import { forOrg, type OrgDatabase } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import type { OperatorCommands } from '../../operator/operator-commands.ts'
import { changeIn } from '../../organizations/change.ts'
import { noProvider, type PaymentProvider, type StripeProvider } from '../provider/payment-provider.ts'
import { forPerson } from '../provider/stripe-requests.ts'

/** An admin who acts for their organization. */
export interface BillingAdmin {
  readonly orgId: string
  readonly userId: string
}

/** An organization as a customer of the payment provider. */
export interface Customer {
  orgId: string
  createdAt: Date
  /** Whose customer it is, and its ID there; null for the built-in provider. */
  stripeId: string | null
  defaultPaymentMethod: string | null
}

/** Organizations as customers. */
export interface Customers {
  /**
   * Throws CUSTOMER_ALREADY_EXISTS, upstream_unavailable, and not_found if no payment provider is configured. A repetition
   * after a crash adopts the same customer.
   */
  create(admin: BillingAdmin): Promise<Customer>
  /** Throws CUSTOMER_NOT_FOUND, and not_found if no payment provider is configured. */
  find(orgId: string): Promise<Customer>
  /** Who takes payments, and whether the organization is a customer there. */
  standing(orgId: string): Promise<{ provider: PaymentProvider['kind']; customer: boolean }>
}

/** What the services of customers share. */
export interface CustomersOptions extends Pick<Infrastructure, 'db' | 'log' | 'audit'> {
  commands: Pick<OperatorCommands, 'creditWallet'>
  provider: PaymentProvider
  /** The customer of an organization at Stripe, created if there is none. Throws Stripe's errors. */
  ensureCustomer(orgId: string, by?: BillingAdmin): Promise<string>
}

export function createCustomers(options: CustomersOptions): Customers {
  const { db, log, audit, commands, provider, ensureCustomer } = options

  /** Undefined also for a customer of another provider or of Stripe's other mode: it does not exist for this one. */
  async function stored(orgId: string): Promise<Customer | undefined> {
    const row = await forOrg(db, orgId).selectFrom('customers').selectAll().executeTakeFirst()
    if (row === undefined) return undefined
    return provider.kind !== 'stripe' || isOf(provider, row) ? toCustomer(row) : undefined
  }

  async function addBuiltIn({ orgId, userId }: BillingAdmin): Promise<void> {
    const by = { orgId, userId }
    await changeIn(db, { orgId, by }, async org => {
      const inserted = await org
        .insertInto('customers', { livemode: false })
        .onConflict(conflict => conflict.column('org_id').doNothing())
        .returning('org_id')
        .executeTakeFirst()
      if (inserted === undefined) throw alreadyExists()
      await audit.record(org, { by, action: 'customer.create', target: orgId, detail: {} })
    })
  }

  function requireProvider(orgId: string): void {
    if (provider.kind === 'none') throw noProvider(commands.creditWallet(orgId))
  }

  const customers: Customers = {
    async create(admin) {
      requireProvider(admin.orgId)
      if ((await stored(admin.orgId)) !== undefined) throw alreadyExists()
      if (provider.kind === 'stripe') await forPerson(log, () => ensureCustomer(admin.orgId, admin))
      else await addBuiltIn(admin)
      return customers.find(admin.orgId)
    },

    async find(orgId) {
      requireProvider(orgId)
      const customer = await stored(orgId)
      if (customer !== undefined) return customer
      throw customerNotFound()
    },

    async standing(orgId) {
      const { kind } = provider
      return { provider: kind, customer: kind !== 'none' && (await stored(orgId)) !== undefined }
    },
  }
  return customers
}

function isOf({ livemode }: StripeProvider, row: Selectable<CustomersTable>): boolean {
  return row.stripe_id !== null && row.livemode === livemode
}

function toCustomer(row: Selectable<CustomersTable>): Customer {
  const { org_id: orgId, created_at: createdAt, stripe_id: stripeId, default_payment_method } = row
  return { orgId, createdAt, stripeId, defaultPaymentMethod: default_payment_method }
}

/** The error for an organization without a customer. */
export function customerNotFound(): GatewayError {
  return new GatewayError(
    'CUSTOMER_NOT_FOUND',
    'This organization is not a customer yet. Create the customer with POST /customers.',
  )
}

/** The ID of the organization's customer at Stripe, of either mode; null if there is none. */
export async function stripeIdOf(db: Kysely<Database>, orgId: string): Promise<string | null> {
  const query = forOrg(db, orgId).selectFrom('customers').select('stripe_id as id')
  return (await query.executeTakeFirst())?.id ?? null
}

function alreadyExists(): GatewayError {
  return new GatewayError(
    'CUSTOMER_ALREADY_EXISTS',
    'This organization is already a customer. Read it with GET /customers/me.',
  )
}

/**
 * Switches the automatic top-ups of an organization off, with an audit row. Returns whether they were on. It runs in the
 * transaction of its handle.
 */
export async function endAutoTopups(
  org: OrgDatabase,
  audit: Audit,
  { by, detail }: { by: Actor; detail: Readonly<Record<string, unknown>> },
): Promise<boolean> {
  const { numUpdatedRows } = await org
    .updateTable('customers')
    .set({ auto_topup: false })
    .where('auto_topup', '=', true)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await audit.record(org, { by, action: 'auto_topup.disable', target: org.orgId, detail })
  return true
}

interface EnsureCustomerOptions extends Pick<Infrastructure, 'db' | 'audit'> {
  provider: StripeProvider
}

/**
 * Returns an organization's customer at Stripe, creating the customer if the organization has none. A repeated request with
 * the same idempotency key gets the same customer, also after a crash. Throws Stripe's errors.
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
