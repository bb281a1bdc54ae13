import { channel } from 'node:diagnostics_channel'
import type { HoldState } from '../../lib/database/billing-tables.ts'

/** A hold that was made, or came to its end. */
export interface HoldEvent {
  orgId: string
  holdId: string
  tool: string
  state: HoldState
  /** Micro-dollars that were set aside. */
  amountMicros: number
  /** Micro-dollars that were taken: 0 unless it was captured. */
  costMicros: number
}

/** Where holds are told of, as `HoldEvent`: for metrics and traces; the ledger itself is the database's. */
export const HOLD_CHANNEL = 'connector-gateway:hold'

const holds = channel(HOLD_CHANNEL)

/** Tells the subscribers of a hold; costs nothing when nobody listens. */
export function publishHold(event: HoldEvent): void {
  if (holds.hasSubscribers) holds.publish(event)
}
