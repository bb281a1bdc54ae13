import type { Selectable } from 'kysely'
import type { PaymentsTable } from '../../lib/database/billing-tables.ts'

/** A payment of an organization. Amounts in micro-dollars, except cents where the name says so. */
export interface Payment {
  id: string
  orgId: string
  kind: PaymentsTable['kind']
  provider: PaymentsTable['provider']
  state: Selectable<PaymentsTable>['state']
  /** What is credited: the subtotal without tax. */
  amountMicros: number
  amountCents: number
  /** Who started the payment; null for a job. */
  userId: string | null
  livemode: boolean
  sessionId: string | null
  paymentIntentId: string | null
  /** What the provider charged, with tax. */
  chargedCents: number | null
  creditedAt: Date | null
  /** What refunds and disputes took back so far. */
  reversedMicros: number
  /** Why it failed, as a code of the provider. */
  failure: string | null
  createdAt: Date
}

/** The states of a payment that is neither paid nor ended. */
export const PENDING_STATES = ['created', 'open', 'processing'] as const satisfies Payment['state'][]

/** Micro-dollars of a cent. */
export const CENT = 10_000
