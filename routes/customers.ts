import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import {
  BillingProfile,
  BillingProfileChange,
  CheckoutPage,
  CustomerEntry,
  type PaymentMethodEntry,
  PaymentMethodList,
  Transaction,
} from '../schemas/billing/customer.ts'
import { AutoTopupChange, AutoTopupEntry } from '../schemas/billing/topup.ts'
import { orNull } from '../schemas/primitives/or-null.ts'
import { PageQuery, pageOf, pageRequest } from '../schemas/primitives/page.ts'
import type { WalletPages } from '../services/billing/ledger-history.ts'
import type { Standings } from '../services/billing/standings.ts'
import { WalletEntry, walletEntry } from '../services/billing/wallets.ts'
import type { Idempotency } from '../services/idempotency/idempotency.ts'
import type { BillingProfiles } from '../services/payments/customers/billing-profile.ts'
import type { Customer, Customers } from '../services/payments/customers/customers.ts'
import type { PaymentMethod, PaymentMethods } from '../services/payments/customers/payment-methods.ts'
import type { AutoTopup, AutoTopupSettings } from '../services/payments/topups/auto-topup-settings.ts'
import { defineRoutes } from './define-routes.ts'
import { oncePerKey } from './idempotency-key.ts'

interface CustomerRoutesOptions {
  customers: Customers
  billingProfiles: BillingProfiles
  paymentMethods: PaymentMethods
  walletPages: WalletPages
  standings: Pick<Standings, 'of'>
  once: Idempotency['once']
}

/** A POST without a body, or with `{}`. */
const NoBody = orNull(Type.Object({}, { additionalProperties: false }))
const config = { group: 'billing' } as const

function addCustomerRoutes(app: FastifyInstance, options: CustomerRoutesOptions): void {
  addCustomer(app, options)
  addBillingProfile(app, options)
  addPaymentMethods(app, options)
  addWallet(app, options)
}

function addCustomer(app: FastifyInstance, { customers, once }: CustomerRoutesOptions): void {
  app.route({
    method: 'POST',
    url: '/customers',
    config,
    schema: {
      summary:
        'Make the organization a customer of the payment provider. A top-up or a plan paid by card does this, too.',
      body: NoBody,
      response: { 201: CustomerEntry },
    },
    handler: oncePerKey(once, async function createCustomer(request) {
      const { orgId, userId } = callerOf(request)
      return { status: 201, body: toCustomer(await customers.create({ orgId, userId })) }
    }),
  })

  app.route({
    method: 'GET',
    url: '/customers/me',
    config,
    schema: { summary: 'Get the organization as a customer.', response: { 200: CustomerEntry } },
    handler: async function readCustomer(request) {
      return toCustomer(await customers.find(callerOf(request).orgId))
    },
  })
}

function addBillingProfile(app: FastifyInstance, { billingProfiles }: CustomerRoutesOptions): void {
  const url = '/customers/me/billing-profile'
  app.route({
    method: 'GET',
    url,
    config,
    schema: { summary: 'Get the billing details that invoices show.', response: { 200: BillingProfile } },
    handler: async function readBillingProfile(request) {
      return billingProfiles.read(callerOf(request).orgId)
    },
  })

  app.route<{ Body: BillingProfileChange }>({
    method: 'PATCH',
    url,
    config,
    schema: {
      summary: 'Change the billing details that invoices show. Null removes a value; tax_ids replaces all tax IDs.',
      body: BillingProfileChange,
      response: { 200: BillingProfile },
    },
    handler: async function changeBillingProfile(request) {
      const { orgId, userId } = callerOf(request)
      return billingProfiles.change({ orgId, userId }, request.body)
    },
  })
}

/** Any length: an unknown ID gets 404. */
const MethodPath = Type.Object({ id: Type.String() })

function addPaymentMethods(app: FastifyInstance, { paymentMethods, once }: CustomerRoutesOptions): void {
  const url = '/customers/me/payment-methods'
  app.route({
    method: 'GET',
    url,
    config,
    schema: { summary: 'List the saved payment methods, newest first.', response: { 200: PaymentMethodList } },
    handler: async function listPaymentMethods(request) {
      return { payment_methods: (await paymentMethods.list(callerOf(request).orgId)).map(toMethod) }
    },
  })

  app.route({
    method: 'POST',
    url,
    config,
    schema: {
      summary: 'Open a page of the payment provider to save a payment method.',
      body: NoBody,
      response: { 200: CheckoutPage },
    },
    handler: oncePerKey(once, async function addPaymentMethod(request) {
      const { orgId, userId } = callerOf(request)
      const { checkoutUrl } = await paymentMethods.add({ orgId, userId })
      return { body: { checkout_url: checkoutUrl } }
    }),
  })

  app.route<{ Params: Static<typeof MethodPath> }>({
    method: 'DELETE',
    url: `${url}/:id`,
    config,
    schema: {
      summary: 'Remove a saved payment method. This turns off automatic top-ups that charge it.',
      params: MethodPath,
      response: { 204: Type.Null() },
    },
    handler: async function removePaymentMethod(request, reply) {
      const { orgId, userId } = callerOf(request)
      await paymentMethods.remove({ orgId, userId }, request.params.id)
      return reply.code(204).send()
    },
  })
}

const TransactionsQuery = Type.Object(PageQuery, { additionalProperties: false })

function addWallet(app: FastifyInstance, { walletPages }: CustomerRoutesOptions): void {
  app.route({
    method: 'GET',
    url: '/customers/me/wallet',
    config,
    schema: { summary: 'Get the wallet of the organization.', response: { 200: WalletEntry } },
    handler: async function readWallet(request) {
      return walletEntry(await walletPages.wallet(callerOf(request).orgId))
    },
  })

  app.route<{ Querystring: Static<typeof TransactionsQuery> }>({
    method: 'GET',
    url: '/customers/me/transactions',
    config,
    schema: {
      summary: 'List the transactions of the wallet, newest first.',
      querystring: TransactionsQuery,
      response: { 200: pageOf('transactions', Transaction) },
    },
    handler: async function listTransactions(request) {
      const { orgId } = callerOf(request)
      const { rows, nextCursor } = await walletPages.transactions(orgId, pageRequest(request.query))
      const transactions = rows.map(({ id, kind, amountMicros, description, keyId, paymentId, at }) => ({
        id,
        kind,
        amount_micros: amountMicros,
        description,
        api_key_id: keyId,
        payment_id: paymentId,
        at: at.toISOString(),
      }))
      return { transactions, next_cursor: nextCursor }
    },
  })
}

function toCustomer({ orgId, createdAt }: Customer): Static<typeof CustomerEntry> {
  return { organization_id: orgId, created_at: createdAt.toISOString() }
}

function toMethod({ id, type, card, isDefault, createdAt }: PaymentMethod): Static<typeof PaymentMethodEntry> {
  return {
    id,
    type,
    card: card && { brand: card.brand, last4: card.last4, exp_month: card.expMonth, exp_year: card.expYear },
    is_default: isDefault,
    created_at: createdAt.toISOString(),
  }
}

export const customerRoutes = defineRoutes<CustomerRoutesOptions>('customers', { billingAdmin: addCustomerRoutes })

interface AutoTopupRoutesOptions {
  autoTopupSettings: AutoTopupSettings
  standings: Pick<Standings, 'of'>
}

function addAutoTopup(app: FastifyInstance, { autoTopupSettings: settings }: AutoTopupRoutesOptions): void {
  const url = '/customers/me/auto-topup'
  app.route({
    method: 'GET',
    url,
    config: { group: 'billing' },
    schema: { summary: 'Get the settings of automatic top-ups.', response: { 200: AutoTopupEntry } },
    handler: async function readAutoTopup(request) {
      return toEntry(await settings.read(callerOf(request).orgId))
    },
  })

  app.route<{ Body: AutoTopupChange }>({
    method: 'PATCH',
    url,
    config: { group: 'billing' },
    schema: {
      summary: 'Switch automatic top-ups on or off, or change their amounts.',
      body: AutoTopupChange,
      response: { 200: AutoTopupEntry },
    },
    handler: async function changeAutoTopup(request) {
      const { orgId, userId } = callerOf(request)
      const { enabled, threshold_micros, amount_micros, monthly_limit_micros } = request.body
      const changed = await settings.change(
        { orgId, userId },
        {
          ...(enabled !== undefined && { enabled }),
          ...(threshold_micros !== undefined && { thresholdMicros: threshold_micros }),
          ...(amount_micros !== undefined && { amountMicros: amount_micros }),
          ...(monthly_limit_micros !== undefined && { monthlyMicros: monthly_limit_micros }),
        },
      )
      return toEntry(changed)
    },
  })
}

function toEntry({ enabled, thresholdMicros, amountMicros, monthlyMicros, chargedMicros }: AutoTopup): AutoTopupEntry {
  return {
    enabled,
    threshold_micros: thresholdMicros,
    amount_micros: amountMicros,
    monthly_limit_micros: monthlyMicros,
    charged_this_month_micros: chargedMicros,
  }
}

export const autoTopupRoutes = defineRoutes<AutoTopupRoutesOptions>('auto-topup', { billingAdmin: addAutoTopup })
