import { clearable, flag, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { adds, overwrites } from '../../annotations.ts'
import {
  collectionMethod,
  created,
  customer,
  daysUntilDue,
  id,
  invoice,
  invoiceFields,
  listPages,
  listQuery,
  metadata,
  newMetadata,
  searchPages,
  searchQuery,
  searchText,
  subscription,
  time,
} from '../arguments.ts'

const path = { invoice }
const description = text('The text on the invoice.', 1500)
const footer = text('The text at the end of the invoice.', 5000)

const listInvoices = tool('list_invoices: GET /v1/invoices', {
  title: 'List invoices',
  description: 'List invoices, newest first. Filter by customer, subscription and status.',
  query: {
    customer: optional(customer),
    subscription: optional(subscription),
    status: optional(oneOf(['draft', 'open', 'paid', 'uncollectible', 'void'])),
    created,
    ...listQuery,
  },
  pagination: listPages,
  keep: invoiceFields,
})

const searchInvoices = tool('search_invoices: GET /v1/invoices/search', {
  title: 'Search invoices',
  description: 'Search invoices by number, status, total, customer, metadata and date.',
  query: { query: searchText('total>10000 AND status:"open".'), ...searchQuery },
  pagination: searchPages,
  keep: invoiceFields,
})

const getInvoice = tool('get_invoice: GET /v1/invoices/{invoice}', {
  title: 'Get invoice',
  description: 'Read one invoice with its first lines.',
  path,
  keep: `${invoiceFields} description footer collection_method invoice_pdf payment_intent
    lines { data { description amount quantity invoice_item } has_more } metadata`,
})

const createInvoice = tool('create_invoice: POST /v1/invoices', {
  title: 'Create invoice',
  description:
    'Create an empty draft invoice. Returns its ID. Add lines with add_invoice_item, then use finalize_invoice.',
  form: {
    auto_advance: false,
    customer,
    collection_method: collectionMethod,
    days_until_due: optional(daysUntilDue),
    description: optional(description),
    footer: optional(footer),
    metadata: optional(metadata),
  },
  keep: invoiceFields,
})

const updateInvoice = tool('update_invoice: POST /v1/invoices/{invoice}', {
  title: 'Update invoice',
  description: 'Update a draft invoice. Omitted fields stay unchanged. Of a finalized one, only metadata can change.',
  annotations: overwrites,
  path,
  form: {
    description: clearable(description),
    footer: clearable(footer),
    collection_method: optional(oneOf(['charge_automatically', 'send_invoice'])),
    days_until_due: optional(daysUntilDue),
    due_date: time('due_date', 'The due date, in place of days_until_due.'),
    metadata: optional(newMetadata),
  },
  needsOneOf: ['description', 'footer', 'collection_method', 'days_until_due', 'due_date', 'metadata'],
  keep: invoiceFields,
})

const finalizeInvoice = tool('finalize_invoice: POST /v1/invoices/{invoice}/finalize', {
  title: 'Finalize invoice',
  description:
    'Finalize a draft: the invoice gets its number and is open. No more lines can be added. If auto_advance of the ' +
    'invoice is true, Stripe then charges the customer or emails the invoice.',
  annotations: overwrites,
  path,
  keep: invoiceFields,
})

const sendInvoice = tool('send_invoice: POST /v1/invoices/{invoice}/send', {
  title: 'Send invoice',
  description: 'Send an invoice to its customer by email. This finalizes a draft.',
  annotations: { ...adds, destructiveHint: true },
  path,
  keep: invoiceFields,
})

const payInvoice = tool('pay_invoice: POST /v1/invoices/{invoice}/pay', {
  title: 'Pay invoice',
  description:
    'Charge the customer of an open invoice now. With paid_out_of_band, nobody is charged: the invoice is marked as paid ' +
    'outside of Stripe, which cannot be undone.',
  annotations: { ...adds, destructiveHint: true },
  path,
  form: {
    payment_method: optional(id('pm_…, from list_payment_methods. Default: that of the invoice or the customer.')),
    paid_out_of_band: optional(flag('true only marks the invoice as paid, for example by a bank transfer.')),
  },
  keep: invoiceFields,
})

const voidInvoice = tool('void_invoice: POST /v1/invoices/{invoice}/void', {
  title: 'Void invoice',
  description: 'Cancel a finalized invoice for good. It stays on record as void. A draft: delete_invoice.',
  annotations: overwrites,
  path,
  keep: invoiceFields,
})

const markInvoiceUncollectible = tool('mark_invoice_uncollectible: POST /v1/invoices/{invoice}/mark_uncollectible', {
  title: 'Mark invoice uncollectible',
  description: 'Write off an open invoice that will probably not be paid. It can still be paid or voided.',
  annotations: overwrites,
  path,
  keep: invoiceFields,
})

const deleteInvoice = tool('delete_invoice: DELETE /v1/invoices/{invoice}', {
  title: 'Delete invoice',
  description: 'Delete a draft invoice permanently. A finalized one: void_invoice.',
  path,
  keep: 'id deleted',
})

/** Stripe's invoices. */
export const invoiceTools = [
  listInvoices,
  searchInvoices,
  getInvoice,
  createInvoice,
  updateInvoice,
  finalizeInvoice,
  sendInvoice,
  payInvoice,
  voidInvoice,
  markInvoiceUncollectible,
  deleteInvoice,
]
