import { type Static, Type } from '@sinclair/typebox'
import { orNull } from './or-null.ts'
import { StringEnum } from './string-enum.ts'
import { Timestamp } from './time.ts'

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
