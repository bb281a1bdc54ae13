import { type Static, Type } from '@sinclair/typebox'
import { orNull } from '../primitives/or-null.ts'
import { StringEnum } from '../primitives/string-enum.ts'
import { Timestamp } from '../primitives/time.ts'
import { CheckoutPage } from './customer.ts'

const PlanId = StringEnum(['free', 'pro'])

/** A plan, in `GET /plans`. */
const PlanEntry = Type.Object(
  {
    id: PlanId,
    name: Type.String(),
    price_micros: Type.Integer({ description: 'The price of a period in micro-dollars.' }),
    interval: StringEnum(['month']),
    included_micros: Type.Integer({
      description: 'Credits that each period includes, in micro-dollars. Unused ones expire with the period.',
    }),
    features: Type.Array(Type.String(), { maxItems: 20 }),
  },
  { additionalProperties: false },
)
export type PlanEntry = Static<typeof PlanEntry>

/** `GET /plans`. */
export const PlanList = Type.Object({ plans: Type.Array(PlanEntry, { maxItems: 10 }) }, { additionalProperties: false })

/** The plan that an organization is on, in `GET /me`. */
export const OwnPlan = Type.Object(
  {
    id: PlanId,
    pay_from: orNull(StringEnum(['card', 'wallet']), { description: 'Null on the free plan.' }),
    past_due: Type.Boolean({ description: 'Whether the last renewal was not paid.' }),
    period_end: orNull(Timestamp, { description: 'Null on the free plan.' }),
    ends_at: orNull(Timestamp, { description: 'When a canceled plan ends; null if it renews.' }),
  },
  { additionalProperties: false },
)

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
