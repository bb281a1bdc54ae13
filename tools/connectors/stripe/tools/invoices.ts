import { Type } from '@sinclair/typebox'
import {
  clearable,
  flag,
  integer,
  list,
  named,
  oneOf,
  optional,
  text,
} from '../../../../services/definitions/arguments.ts'
import { overwrites, type ToolParts, tool, triggers } from '../../../../services/definitions/tool.ts'
import {
  amount,
  collectionMethod,
  created,
  currency,
  customer,
  daysUntilDue,
  id,
  invoice,
  invoiceFields,
  listPages,
  listQuery,
  metadata,
  newMetadata,
  price,
  searchTool,
  subscription,
  time,
} from '../arguments.ts'

const link = id('plink_…, from list_payment_links or create_payment_link.')
const linkFields = 'id url active currency'
const moreLinkFields = `${linkFields} allow_promotion_codes after_completion { type redirect { url } } metadata`
const promotionCodes = flag('Whether customers can enter a promotion code (create_promotion_code).')
const redirectUrl = text('The page to open after the payment.', 2048, { pattern: '^https?://' })
const linkItem = Type.Object({ price, quantity: integer('The quantity.', 1, 999_999) }, { additionalProperties: false })

const path = { invoice }
const description = text('The text on the invoice.', 1500)
const footer = text('The text at the end of the invoice.', 5000)

/** A tool that brings an invoice into another state, without arguments of its own. */
function transition(head: string, description: string, annotations: ToolParts['annotations'] = overwrites) {
  const [name = ''] = head.split(':', 1)
  return tool(head, {
    title: name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' '),
    description,
    annotations,
    path,
    keep: invoiceFields,
  })
}

const invoiceItem = id('ii_…, from add_invoice_item, or invoice_item of list_invoice_lines.')
const lineText = text('The text of the line.', 5000)
const itemFields = 'id invoice amount currency description'

/** How customers are asked to pay with Stripe: payment links, invoices and their lines. */
export const invoiceTools = [
  tool('list_payment_links: GET /v1/payment_links', {
    title: 'List payment links',
    description: 'List payment links, newest first: ID, URL, and whether they are active.',
    query: { active: optional(flag('true: only active links. false: only inactive ones.')), ...listQuery },
    pagination: listPages,
    keep: linkFields,
  }),

  tool('get_payment_link: GET /v1/payment_links/{payment_link}', {
    title: 'Get payment link',
    description: 'Read one payment link. What it sells: list_payment_link_items.',
    path: { payment_link: link },
    keep: moreLinkFields,
  }),

  tool('list_payment_link_items: GET /v1/payment_links/{payment_link}/line_items', {
    title: 'List payment link items',
    description: 'List what a payment link sells: description, price and quantity.',
    path: { payment_link: link },
    query: listQuery,
    pagination: listPages,
    keep: 'id description quantity amount_total currency price { id product unit_amount }',
  }),

  tool('create_payment_link: POST /v1/payment_links', {
    title: 'Create payment link',
    description: 'Create a payment page that anyone with its URL can use. Returns the URL.',
    form: {
      line_items: list(linkItem, 'The items to buy.', 20),
      allow_promotion_codes: optional(promotionCodes),
      metadata: optional(metadata),
      after_completion: {
        type: 'redirect',
        redirect: { url: named('redirect_url', optional(redirectUrl)) },
      },
      subscription_data: {
        trial_period_days: optional(integer('The free days at the start of a subscription.', 1, 730)),
      },
    },
    keep: linkFields,
  }),

  tool('update_payment_link: POST /v1/payment_links/{payment_link}', {
    title: 'Update payment link',
    description: 'Switch a payment link off or on, or change whether it takes promotion codes. Its items are final.',
    annotations: overwrites,
    path: { payment_link: link },
    form: {
      active: optional(flag('false: visitors can no longer pay.')),
      allow_promotion_codes: optional(promotionCodes),
    },
    needsOneOf: ['active', 'allow_promotion_codes'],
    keep: moreLinkFields,
  }),

  tool('list_invoices: GET /v1/invoices', {
    title: 'List invoices',
    description: 'List invoices, newest first. Filter by customer, subscription and status.',
    query: {
      customer: optional(customer),
      subscription: optional(subscription),
      status: optional(oneOf(['draft', 'open', 'paid', 'uncollectible', 'void'], 'Only invoices with this status.')),
      created,
      ...listQuery,
    },
    pagination: listPages,
    keep: invoiceFields,
  }),

  searchTool('invoices', {
    description: 'Search invoices by number, status, total, customer, metadata and date.',
    example: 'total>10000 AND status:"open".',
    keep: invoiceFields,
  }),

  tool('get_invoice: GET /v1/invoices/{invoice}', {
    title: 'Get invoice',
    description: 'Read one invoice with its first lines.',
    path,
    keep: `${invoiceFields} description footer collection_method invoice_pdf payment_intent
    lines { data { description amount quantity invoice_item } has_more } metadata`,
  }),

  tool('create_invoice: POST /v1/invoices', {
    title: 'Create invoice',
    description:
      'Create an empty draft invoice. Returns its ID. Add lines with add_invoice_item, then use finalize_invoice. ' +
      'Stripe neither charges nor emails it by itself unless auto_advance is true.',
    form: {
      auto_advance: {
        ...optional(
          flag(
            'Whether Stripe finalizes it after about an hour, then charges the customer or emails it. Default: false.',
          ),
        ),
        default: false,
      },
      customer,
      collection_method: collectionMethod,
      days_until_due: optional(daysUntilDue),
      description: optional(description),
      footer: optional(footer),
      metadata: optional(metadata),
    },
    keep: invoiceFields,
  }),

  tool('update_invoice: POST /v1/invoices/{invoice}', {
    title: 'Update invoice',
    description:
      'Update a draft invoice. Omitted fields stay unchanged. Of a finalized invoice, only metadata can change.',
    annotations: overwrites,
    path,
    form: {
      description: clearable(description),
      footer: clearable(footer),
      collection_method: optional(
        oneOf(
          ['charge_automatically', 'send_invoice'],
          'Whether Stripe charges the customer, or sends them the invoice.',
        ),
      ),
      days_until_due: optional(daysUntilDue),
      due_date: time('due_date', 'The due date, in place of days_until_due.'),
      metadata: optional(newMetadata),
    },
    needsOneOf: ['description', 'footer', 'collection_method', 'days_until_due', 'due_date', 'metadata'],
    keep: invoiceFields,
  }),

  transition(
    'finalize_invoice: POST /v1/invoices/{invoice}/finalize',
    'Finalize a draft: the invoice gets its number and is open. No more lines can be added. If auto_advance of the ' +
      'invoice is true, Stripe then charges the customer or emails the invoice.',
  ),

  transition(
    'send_invoice: POST /v1/invoices/{invoice}/send',
    'Send an invoice to its customer by email. This finalizes a draft.',
    triggers,
  ),

  tool('pay_invoice: POST /v1/invoices/{invoice}/pay', {
    title: 'Pay invoice',
    description:
      'Charge the customer of an open invoice now. With paid_out_of_band, nobody is charged: the invoice is marked ' +
      'as paid outside of Stripe, which cannot be undone.',
    annotations: triggers,
    path,
    form: {
      payment_method: optional(id('pm_…, from list_payment_methods. Default: that of the invoice or the customer.')),
      paid_out_of_band: optional(flag('true only marks the invoice as paid, for example by a bank transfer.')),
    },
    keep: invoiceFields,
  }),

  transition(
    'void_invoice: POST /v1/invoices/{invoice}/void',
    'Cancel a finalized invoice for good. It stays on record as void. For a draft, use delete_invoice.',
  ),

  transition(
    'mark_invoice_uncollectible: POST /v1/invoices/{invoice}/mark_uncollectible',
    'Write off an open invoice that will probably not be paid. It can still be paid or voided.',
  ),

  tool('delete_invoice: DELETE /v1/invoices/{invoice}', {
    title: 'Delete invoice',
    description: 'Delete a draft invoice permanently. For a finalized invoice, use void_invoice.',
    path,
    keep: 'id deleted',
  }),

  tool('list_invoice_lines: GET /v1/invoices/{invoice}/lines', {
    title: 'List invoice lines',
    description: 'List all lines of an invoice. invoice_item is the ID with which a line of a draft can be changed.',
    path: { invoice },
    query: listQuery,
    pagination: listPages,
    keep: 'id type description amount currency quantity proration invoice_item price { id product }',
  }),

  tool('add_invoice_item: POST /v1/invoiceitems', {
    title: 'Add invoice item',
    description: 'Add a line to a draft invoice.',
    form: {
      customer: id('The customer of the invoice: cus_…, from search_customers or list_customers.'),
      invoice,
      amount: amount('The amount of the line.'),
      currency,
      description: lineText,
    },
    keep: itemFields,
  }),

  tool('update_invoice_item: POST /v1/invoiceitems/{item}', {
    title: 'Update invoice item',
    description: 'Change a line of a draft invoice: its amount or its text.',
    annotations: overwrites,
    path: { item: invoiceItem },
    form: {
      amount: optional(integer('The amount in the smallest unit; negative for a credit.', -99_999_999, 99_999_999)),
      description: optional(lineText),
    },
    needsOneOf: ['amount', 'description'],
    keep: itemFields,
  }),

  tool('delete_invoice_item: DELETE /v1/invoiceitems/{item}', {
    title: 'Delete invoice item',
    description: 'Remove a line from a draft invoice.',
    path: { item: invoiceItem },
    keep: 'id deleted',
  }),
]
