import { type Static, Type } from '@sinclair/typebox'
import { orNull } from '../primitives/or-null.ts'
import { Timestamp } from '../primitives/time.ts'

const closed = { additionalProperties: false }

/** Controls, hidden characters, and halves of characters, which cannot be stored. */
const HIDDEN = '\\u0000-\\u001f\\u007f-\\u009f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ud800-\\udfff'

/** A line of visible text. */
function Line(maxLength: number) {
  return Type.String({ minLength: 1, maxLength, pattern: `^[^${HIDDEN}]+$` })
}

const addressLines = {
  line1: orNull(Line(200)),
  line2: orNull(Line(200)),
  city: orNull(Line(100)),
  state: orNull(Line(100)),
  postal_code: orNull(Line(20)),
  country: orNull(Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1, such as DE.' })),
}

/** An address on an invoice. */
const BillingAddress = Type.Object(addressLines, closed)

const taxId = {
  type: Type.String({ pattern: '^[a-z]{2}_[a-z0-9_]{1,20}$', description: 'A tax ID type of Stripe, such as eu_vat.' }),
  value: Line(100),
}

/** What invoices show of an organization. `verification` is how far a tax ID is verified; null if it never is. */
export const BillingProfile = Type.Object(
  {
    name: orNull(Type.String()),
    email: orNull(Type.String()),
    address: orNull(
      Type.Object(
        Object.fromEntries(Object.keys(addressLines).map(name => [name, orNull(Type.String())])) as {
          [Name in keyof typeof addressLines]: ReturnType<typeof orNull<ReturnType<typeof Type.String>>>
        },
        closed,
      ),
    ),
    tax_ids: Type.Array(
      Type.Object({ type: Type.String(), value: Type.String(), verification: orNull(Type.String()) }, closed),
    ),
  },
  closed,
)
export type BillingProfile = Static<typeof BillingProfile>

/** The body of `PATCH /customers/me/billing-profile`. Null removes a value; `tax_ids` replaces all of them. */
export const BillingProfileChange = Type.Object(
  {
    name: Type.Optional(orNull(Line(200))),
    email: Type.Optional(
      orNull(Type.String({ maxLength: 254, pattern: `^[^\\s@<>"${HIDDEN}]+@[^\\s@<>"${HIDDEN}]+$` })),
    ),
    address: Type.Optional(orNull(Type.Partial(BillingAddress, closed))),
    tax_ids: Type.Optional(Type.Array(Type.Object(taxId, closed), { maxItems: 5 })),
  },
  { ...closed, minProperties: 1 },
)
export type BillingProfileChange = Static<typeof BillingProfileChange>

/** The organization as a customer of the payment provider. */
export const CustomerEntry = Type.Object({ organization_id: Type.String(), created_at: Timestamp }, closed)

/** A page of the payment provider to open in the browser. It is open for an hour. */
export const CheckoutPage = Type.Object({ checkout_url: Type.String() }, { additionalProperties: false })

/** A saved payment method. `is_default`: automatic top-ups charge it. */
export const PaymentMethodEntry = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    card: orNull(
      Type.Object(
        { brand: Type.String(), last4: Type.String(), exp_month: Type.Integer(), exp_year: Type.Integer() },
        closed,
      ),
    ),
    is_default: Type.Boolean(),
    created_at: Timestamp,
  },
  closed,
)

export const PaymentMethodList = Type.Object({ payment_methods: Type.Array(PaymentMethodEntry) }, closed)

/** A change of the wallet; `amount_micros` is negative for charges. */
export const Transaction = Type.Object(
  {
    id: Type.String(),
    kind: Type.String(),
    amount_micros: Type.Integer(),
    description: Type.String(),
    api_key_id: orNull(Type.String()),
    payment_id: orNull(Type.String()),
    at: Timestamp,
  },
  closed,
)
