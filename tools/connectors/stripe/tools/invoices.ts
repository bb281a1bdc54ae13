import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../../../schemas/string-enum.ts'
import { httpTool, pick, sameNames } from '../../../../services/definitions/http-tool.ts'
import { adds, overwrites, reads } from '../../annotations.ts'
import {
  amount,
  currency,
  customer,
  id,
  listPages,
  listQuery,
  metadata,
  page,
  searchPages,
  searchQuery,
  searchText,
  subscription,
} from '../arguments.ts'

const invoice = id('in_…, from list_invoices, search_invoices or create_invoice.')
const invoiceFields = [
  'id',
  'number',
  'status',
  'customer',
  'customer_email',
  'currency',
  'total',
  'amount_due',
  'amount_paid',
  'amount_remaining',
  'due_date',
  'hosted_invoice_url',
  'subscription',
  'created',
]

const listInvoices = httpTool({
  operation: 'list_invoices',
  title: 'List invoices',
  description: 'List invoices, newest first. Filter by customer, subscription and status.',
  annotations: reads,
  input: {
    customer: Type.Optional(customer),
    subscription: Type.Optional(subscription),
    status: Type.Optional(StringEnum(['draft', 'open', 'paid', 'uncollectible', 'void'])),
    ...page,
  },
  request: {
    method: 'GET',
    path: '/v1/invoices',
    query: { ...sameNames('customer', 'subscription', 'status'), ...listQuery },
  },
  pagination: listPages,
  result: pick('/data', invoiceFields),
})

const searchInvoices = httpTool({
  operation: 'search_invoices',
  title: 'Search invoices',
  description: 'Search invoices by number, status, total, customer, metadata and date.',
  annotations: reads,
  input: { query: searchText('total>10000 AND status:"open".'), ...page },
  request: { method: 'GET', path: '/v1/invoices/search', query: searchQuery },
  pagination: searchPages,
  result: pick('/data', invoiceFields),
})

const getInvoice = httpTool({
  operation: 'get_invoice',
  title: 'Get invoice',
  description: 'Read one invoice with its first lines.',
  annotations: reads,
  input: { invoice },
  request: { method: 'GET', path: '/v1/invoices/{invoice}' },
  result: pick('', [
    ...invoiceFields,
    'description',
    'invoice_pdf',
    'lines.data.description',
    'lines.data.amount',
    'lines.data.quantity',
    'lines.has_more',
    'metadata',
  ]),
})

const createInvoice = httpTool({
  operation: 'create_invoice',
  title: 'Create invoice',
  description:
    'Create an empty draft invoice. Returns its ID. Add lines with add_invoice_item, then use finalize_invoice.',
  annotations: adds,
  input: {
    customer,
    collection_method: Type.Optional(
      StringEnum(['charge_automatically', 'send_invoice'], {
        description: 'send_invoice needs days_until_due. Default: charge_automatically.',
      }),
    ),
    days_until_due: Type.Optional(Type.Integer({ minimum: 0, maximum: 365 })),
    description: Type.Optional(Type.String({ minLength: 1, maxLength: 1500 })),
    metadata: Type.Optional(metadata),
  },
  request: {
    method: 'POST',
    path: '/v1/invoices',
    body: {
      form: {
        auto_advance: false,
        ...sameNames('customer', 'collection_method', 'days_until_due', 'description', 'metadata'),
      },
    },
  },
  result: pick('', invoiceFields),
})

const addInvoiceItem = httpTool({
  operation: 'add_invoice_item',
  title: 'Add invoice item',
  description: 'Add a line to a draft invoice.',
  annotations: adds,
  input: {
    customer: id('The customer of the invoice: cus_…, from search_customers or list_customers.'),
    invoice,
    amount: amount('The amount of the line.'),
    currency,
    description: Type.String({ minLength: 1, maxLength: 5000 }),
  },
  request: {
    method: 'POST',
    path: '/v1/invoiceitems',
    body: { form: sameNames('customer', 'invoice', 'amount', 'currency', 'description') },
  },
  result: pick('', ['id', 'invoice', 'amount', 'currency', 'description']),
})

const finalizeInvoice = httpTool({
  operation: 'finalize_invoice',
  title: 'Finalize invoice',
  description: 'Finalize a draft: the invoice gets its number and is open. No more lines can be added.',
  annotations: overwrites,
  input: { invoice },
  request: { method: 'POST', path: '/v1/invoices/{invoice}/finalize' },
  result: pick('', invoiceFields),
})

const sendInvoice = httpTool({
  operation: 'send_invoice',
  title: 'Send invoice',
  description: 'Send an invoice to its customer by email. This finalizes a draft.',
  annotations: { ...adds, destructiveHint: true },
  input: { invoice },
  request: { method: 'POST', path: '/v1/invoices/{invoice}/send' },
  result: pick('', invoiceFields),
})

/** Stripe's invoices. */
export const invoiceTools = [
  listInvoices,
  searchInvoices,
  getInvoice,
  createInvoice,
  addInvoiceItem,
  finalizeInvoice,
  sendInvoice,
]
