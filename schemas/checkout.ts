import { type Static, Type } from '@sinclair/typebox'
import { StringEnum } from './string-enum.ts'

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

/** A page of the payment provider to open in the browser. It is open for an hour. */
export const CheckoutPage = Type.Object({ checkout_url: Type.String() }, { additionalProperties: false })

/** A payment that is settled already: by the built-in provider, which charges nobody. */
const Settled = Type.Object(
  { settled: Type.Literal(true), balance_micros: Type.Integer() },
  { additionalProperties: false },
)

/** What `POST /checkout/topup` answers. */
export const StartedTopup = Type.Union([CheckoutPage, Settled])
export type StartedTopup = Static<typeof StartedTopup>

/** The body of `POST /checkout/subscribe`. */
export const PlanChange = Type.Object(
  {
    plan_id: Type.String({ maxLength: 64, description: 'The ID of a plan of `GET /plans`.' }),
    pay_from: Type.Optional(
      StringEnum(['card', 'wallet'], { description: 'How the plan is paid each month; by card if absent.' }),
    ),
  },
  { additionalProperties: false },
)
export type PlanChange = Static<typeof PlanChange>

/** What `POST /checkout/subscribe` answers. `settled`: the change has taken effect, or does at the end of the period. */
export const ChangedPlan = Type.Union([
  CheckoutPage,
  Type.Object({ settled: Type.Literal(true) }, { additionalProperties: false }),
])
export type ChangedPlan = Static<typeof ChangedPlan>
