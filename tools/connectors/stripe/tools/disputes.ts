import { Type } from '@sinclair/typebox'
import { optional, text } from '../../../../services/definitions/arguments.ts'
import { filePart } from '../../../../services/definitions/file-argument.ts'
import { overwrites, tool, triggers } from '../../../../services/definitions/tool.ts'
import { created, id, listPages, listQuery, paymentIntent } from '../arguments.ts'

const path = { dispute: id('dp_… or du_…, from list_disputes.') }
const disputeFields = `id amount currency status reason charge payment_intent is_charge_refundable
  evidence_details { due_by|epoch-seconds-to-time has_evidence past_due submission_count } created|epoch-seconds-to-time`

/** A text of the evidence; an empty one clears it. */
function fact(description: string, max = 20_000) {
  return optional(text(description, max, { min: 0 }))
}

/** A file of the evidence. */
function proof(description: string) {
  return optional(
    Type.String({ pattern: '^([A-Za-z0-9_]{1,255})?$', description: `${description} From upload_dispute_file.` }),
  )
}

const evidence = Type.Object(
  {
    product_description: fact('What was sold, and how the customer saw it before they paid.'),
    customer_name: fact("The customer's name.", 5000),
    customer_email_address: fact("The customer's email address.", 5000),
    customer_purchase_ip: fact('The IP address of the purchase.', 5000),
    billing_address: fact("The customer's billing address.", 5000),
    customer_communication: proof('Messages with the customer about the order.'),
    customer_signature: proof('The signature or contract.'),
    receipt: proof('The receipt that the customer received.'),
    access_activity_log: fact('When and how the customer used a digital product.'),
    service_date: fact('When the service was given: 2026-03-31.', 5000),
    service_documentation: proof('Proof that the service was given.'),
    shipping_address: fact('The shipping address.', 5000),
    shipping_carrier: fact('The carrier: UPS.', 5000),
    shipping_date: fact('When it was shipped: 2026-03-31.', 5000),
    shipping_tracking_number: fact('The tracking number of the carrier.', 5000),
    shipping_documentation: proof('Proof that it was shipped to this address.'),
    refund_policy: proof('The refund policy that the customer saw.'),
    refund_policy_disclosure: fact('How the customer saw it before they paid.'),
    refund_refusal_explanation: fact('Why there was no refund.'),
    cancellation_policy: proof('The cancellation policy that the customer saw.'),
    cancellation_policy_disclosure: fact('How the customer saw it before they paid.'),
    cancellation_rebuttal: fact('Why the subscription was not canceled.'),
    duplicate_charge_id: fact('The earlier charge that this one seems to duplicate: ch_…', 5000),
    duplicate_charge_explanation: fact('How the two payments differ.'),
    duplicate_charge_documentation: proof('Proof that they differ.'),
    uncategorized_text: fact('Any other facts that support the payment.'),
    uncategorized_file: proof('Any other proof.'),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    description:
      'Facts and files, at most 150,000 characters together. Only true statements. An empty text clears a field.',
  },
)

/** Stripe's disputes. */
export const disputeTools = [
  tool('list_disputes: GET /v1/disputes', {
    title: 'List disputes',
    description:
      'List disputed payments, newest first: amount, reason, status, and the deadline for evidence (due_by).',
    query: {
      payment_intent: optional(paymentIntent),
      charge: optional(id('ch_…, from list_charges.')),
      created,
      ...listQuery,
    },
    pagination: listPages,
    keep: disputeFields,
  }),

  tool('get_dispute: GET /v1/disputes/{dispute}', {
    title: 'Get dispute',
    description: 'Read one dispute with all evidence so far. A due_by in 1970 means that the bank takes no response.',
    path,
    keep: `${disputeFields} evidence metadata`,
  }),

  tool('stage_dispute_evidence: POST /v1/disputes/{dispute}', {
    title: 'Stage dispute evidence',
    description:
      'Save evidence on a dispute as a draft. The bank receives nothing: send it with submit_dispute_evidence after ' +
      'the user has checked it. Omitted fields stay unchanged.',
    annotations: overwrites,
    path,
    form: { submit: false, evidence },
    keep: `${disputeFields} evidence`,
  }),

  tool('submit_dispute_evidence: POST /v1/disputes/{dispute}', {
    title: 'Submit dispute evidence',
    description:
      'Send all evidence of a dispute to the bank, with what is given here. Final: usually it can be sent only once. ' +
      'Show the user the evidence (get_dispute) and let them confirm first.',
    annotations: triggers,
    path,
    form: { submit: true, evidence: optional(evidence) },
    keep: disputeFields,
  }),

  tool('close_dispute: POST /v1/disputes/{dispute}/close', {
    title: 'Accept a dispute as lost',
    description:
      'Accept a dispute: it is lost, and the customer keeps the money. This cannot be undone. To contest it, use ' +
      'stage_dispute_evidence.',
    annotations: overwrites,
    path,
    keep: disputeFields,
  }),

  tool('upload_dispute_file: POST files/v1/files', {
    title: 'Upload dispute file',
    description:
      'Upload a PDF, JPEG or PNG as evidence. Returns its ID for stage_dispute_evidence. The bank does not see it yet.',
    multipart: {
      purpose: 'dispute_evidence',
      file: filePart(),
    },
    keep: 'id filename size type created|epoch-seconds-to-time',
  }),
]
