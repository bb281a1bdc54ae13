import { integer, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites } from '../../annotations.ts'
import { amount, currency, id, invoice, listPages, listQuery } from '../arguments.ts'

const item = id('ii_…, from add_invoice_item, or invoice_item of list_invoice_lines.')
const description = text('', 5000)
const itemFields = 'id invoice amount currency description'

const listInvoiceLines = tool('list_invoice_lines: GET /v1/invoices/{invoice}/lines', {
  title: 'List invoice lines',
  description: 'List all lines of an invoice. invoice_item is the ID with which a line of a draft can be changed.',
  path: { invoice },
  query: listQuery,
  pagination: listPages,
  keep: 'id type description amount currency quantity proration invoice_item price { id product }',
})

const addInvoiceItem = tool('add_invoice_item: POST /v1/invoiceitems', {
  title: 'Add invoice item',
  description: 'Add a line to a draft invoice.',
  form: {
    customer: id('The customer of the invoice: cus_…, from search_customers or list_customers.'),
    invoice,
    amount: amount('The amount of the line.'),
    currency,
    description,
  },
  keep: itemFields,
})

const updateInvoiceItem = tool('update_invoice_item: POST /v1/invoiceitems/{item}', {
  title: 'Update invoice item',
  description: 'Change a line of a draft invoice: its amount or its text.',
  annotations: overwrites,
  path: { item },
  form: {
    amount: optional(integer('The amount in the smallest unit; negative for a credit.', -99_999_999, 99_999_999)),
    description: optional(description),
  },
  needsOneOf: ['amount', 'description'],
  keep: itemFields,
})

const deleteInvoiceItem = tool('delete_invoice_item: DELETE /v1/invoiceitems/{item}', {
  title: 'Delete invoice item',
  description: 'Remove a line from a draft invoice.',
  path: { item },
  keep: 'id deleted',
})

/** The lines of Stripe's invoices. */
export const invoiceItemTools = [listInvoiceLines, addInvoiceItem, updateInvoiceItem, deleteInvoiceItem]
