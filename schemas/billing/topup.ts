import { type Static, Type } from '@sinclair/typebox'
import { orNull } from '../primitives/or-null.ts'
import { CheckoutPage } from './customer.ts'

/** The body of `POST /checkout/topup`. */
export const NewTopup = Type.Object(
  {
    amount_micros: Type.Integer({
      description: 'What is added to the wallet, in micro-dollars: whole cents (a multiple of 10,000).',
    }),
    save_payment_method: Type.Optional(
      Type.Boolean({ description: 'Whether the payment method is saved for automatic top-ups; false if absent.' }),
    ),
  },
  { additionalProperties: false },
)
export type NewTopup = Static<typeof NewTopup>

/** A payment that is settled already: by the built-in provider, which charges nobody. */
const Settled = Type.Object(
  { settled: Type.Literal(true), balance_micros: Type.Integer() },
  { additionalProperties: false },
)

/** What `POST /checkout/topup` answers. */
export const StartedTopup = Type.Union([CheckoutPage, Settled])
export type StartedTopup = Static<typeof StartedTopup>

const Micros = (description: string) => Type.Integer({ description })
const MicrosOrNull = (description: string) => orNull(Type.Integer(), { description })

const THRESHOLD = 'A balance below this amount, in micro-dollars, starts a top-up.'
const AMOUNT = 'What each top-up adds, in micro-dollars: whole cents.'
const MONTHLY = 'The maximum that automatic top-ups charge in a calendar month (UTC), in micro-dollars.'

/** `GET /customers/me/auto-topup`. Amounts are null until they are set. */
export const AutoTopupEntry = Type.Object(
  {
    enabled: Type.Boolean(),
    threshold_micros: MicrosOrNull(THRESHOLD),
    amount_micros: MicrosOrNull(AMOUNT),
    monthly_limit_micros: MicrosOrNull(MONTHLY),
    charged_this_month_micros: Micros('The amount charged in this calendar month (UTC), including pending charges.'),
  },
  { additionalProperties: false },
)
export type AutoTopupEntry = Static<typeof AutoTopupEntry>

/** The body of `PATCH /customers/me/auto-topup`. */
export const AutoTopupChange = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    threshold_micros: Type.Optional(Micros(THRESHOLD)),
    amount_micros: Type.Optional(Micros(AMOUNT)),
    monthly_limit_micros: Type.Optional(Micros(MONTHLY)),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type AutoTopupChange = Static<typeof AutoTopupChange>
