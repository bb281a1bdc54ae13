import { Type } from '@sinclair/typebox'
import { httpTool, pick, sameNames } from '../../../../services/definitions/http-tool.ts'
import { adds, overwrites, reads } from '../../annotations.ts'
import { customer, listPages, listQuery, metadata, page, searchPages, searchQuery, searchText } from '../arguments.ts'

const email = Type.String({ minLength: 3, maxLength: 512 })
const person = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  phone: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
  description: Type.Optional(Type.String({ minLength: 1, maxLength: 5000 })),
  metadata: Type.Optional(metadata),
}
const personForm = sameNames('email', 'name', 'phone', 'description', 'metadata')
const customerFields = ['id', 'name', 'email', 'phone', 'description', 'currency', 'balance', 'delinquent', 'created']

const listCustomers = httpTool({
  operation: 'list_customers',
  title: 'List customers',
  description: 'List customers, newest first. Filter by email address.',
  annotations: reads,
  input: { email: Type.Optional({ ...email, description: 'The exact email address, case-sensitive.' }), ...page },
  request: { method: 'GET', path: '/v1/customers', query: { email: '{email}', ...listQuery } },
  pagination: listPages,
  result: pick('/data', customerFields),
})

const searchCustomers = httpTool({
  operation: 'search_customers',
  title: 'Search customers',
  description: 'Search customers by name, email, phone, metadata and date.',
  annotations: reads,
  input: { query: searchText(`name~"ada" AND created>1700000000.`), ...page },
  request: { method: 'GET', path: '/v1/customers/search', query: searchQuery },
  pagination: searchPages,
  result: pick('/data', customerFields),
})

const getCustomer = httpTool({
  operation: 'get_customer',
  title: 'Get customer',
  description: 'Read one customer, including addresses, metadata and the default payment method.',
  annotations: reads,
  input: { customer },
  request: { method: 'GET', path: '/v1/customers/{customer}' },
  result: pick('', [
    ...customerFields,
    'address',
    'shipping',
    'metadata',
    'invoice_settings.default_payment_method',
    'deleted',
  ]),
})

const createCustomer = httpTool({
  operation: 'create_customer',
  title: 'Create customer',
  description: 'Create a customer. Stripe does not reject a duplicate email address: check with list_customers first.',
  annotations: adds,
  input: { email, ...person },
  request: { method: 'POST', path: '/v1/customers', body: { form: personForm } },
  result: pick('', [...customerFields, 'metadata']),
})

const updateCustomer = httpTool({
  operation: 'update_customer',
  title: 'Update customer',
  description: 'Update a customer. Omitted fields stay unchanged. metadata is merged.',
  annotations: overwrites,
  input: { customer, email: Type.Optional(email), ...person },
  request: { method: 'POST', path: '/v1/customers/{customer}', body: { form: personForm } },
  result: pick('', [...customerFields, 'metadata']),
})

/** Stripe's customers. */
export const customerTools = [listCustomers, searchCustomers, getCustomer, createCustomer, updateCustomer]
