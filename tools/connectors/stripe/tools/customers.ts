import { clearable, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites } from '../../annotations.ts'
import {
  created,
  customer,
  id,
  listPages,
  listQuery,
  metadata,
  newMetadata,
  searchPages,
  searchQuery,
  searchText,
} from '../arguments.ts'

const email = text('', 512, { min: 3 })
const person = { name: text('', 256), phone: text('', 20), description: text('', 5000) }
const customerFields = 'id name email phone description currency balance delinquent created|epoch-seconds-to-time'

const listCustomers = tool('list_customers: GET /v1/customers', {
  title: 'List customers',
  description: 'List customers, newest first. Filter by email address.',
  query: {
    email: optional({ ...email, description: 'The exact email address, case-sensitive.' }),
    created,
    ...listQuery,
  },
  pagination: listPages,
  keep: customerFields,
})

const searchCustomers = tool('search_customers: GET /v1/customers/search', {
  title: 'Search customers',
  description: 'Search customers by name, email, phone, metadata and date.',
  query: { query: searchText(`name~"ada" AND created>1700000000.`), ...searchQuery },
  pagination: searchPages,
  keep: customerFields,
})

const getCustomer = tool('get_customer: GET /v1/customers/{customer}', {
  title: 'Get customer',
  description: 'Read one customer, including addresses, metadata and the default payment method.',
  path: { customer },
  keep: `${customerFields} address shipping metadata invoice_settings { default_payment_method } deleted`,
})

const createCustomer = tool('create_customer: POST /v1/customers', {
  title: 'Create customer',
  description: 'Create a customer. Stripe does not reject a duplicate email address: check with list_customers first.',
  form: {
    email,
    name: optional(person.name),
    phone: optional(person.phone),
    description: optional(person.description),
    metadata: optional(metadata),
  },
  keep: `${customerFields} metadata`,
})

const updateCustomer = tool('update_customer: POST /v1/customers/{customer}', {
  title: 'Update customer',
  description: 'Update a customer. Omitted fields stay unchanged. metadata is merged.',
  annotations: overwrites,
  path: { customer },
  form: {
    email: optional(email),
    name: clearable(person.name),
    phone: clearable(person.phone),
    description: clearable(person.description),
    metadata: optional(newMetadata),
    invoice_settings: {
      default_payment_method: optional(id('pm_…, from list_payment_methods: what pays invoices and subscriptions.')),
    },
  },
  needsOneOf: ['email', 'name', 'phone', 'description', 'metadata', 'default_payment_method'],
  keep: `${customerFields} metadata`,
})

const deleteCustomer = tool('delete_customer: DELETE /v1/customers/{customer}', {
  title: 'Delete customer',
  description: 'Delete a customer permanently, and end their subscriptions immediately. Payments and invoices stay.',
  path: { customer },
  keep: 'id deleted',
})

const listPaymentMethods = tool('list_payment_methods: GET /v1/customers/{customer}/payment_methods', {
  title: 'List payment methods',
  description: 'List the stored payment methods of a customer: type, and brand, last digits and expiry of cards.',
  path: { customer },
  query: listQuery,
  pagination: listPages,
  keep: `id type card { brand last4 exp_month exp_year } sepa_debit { country last4 } us_bank_account { bank_name last4 }
    created|epoch-seconds-to-time`,
})

/** Stripe's customers. */
export const customerTools = [
  listCustomers,
  searchCustomers,
  getCustomer,
  createCustomer,
  updateCustomer,
  deleteCustomer,
  listPaymentMethods,
]
