import type { KeepAnswer } from '../services/idempotency/idempotency.ts'
import type { CallToolOptions } from '../services/tool-calls/call.ts'

/** A metering for fixtures whose tools have no price. Every call of it rejects. */
export const noMetering: CallToolOptions['metering'] = {
  requireStanding: () => Promise.reject(new Error('No tool of this fixture has a price')),
  run: () => Promise.reject(new Error('No tool of this fixture has a price')),
}

/** An idempotency store for fixtures that keep no results. */
export const keptNowhere: KeepAnswer = () => async () => true
