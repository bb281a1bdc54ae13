import type { KeepResult } from '../services/idempotency/idempotency.ts'
import type { CallToolOptions } from '../services/tool-calls/call.ts'

/** For stages whose tools have no price: whoever asks for money there is told. */
export const noMetering: CallToolOptions['metering'] = {
  requireStanding: () => Promise.reject(new Error('No tool of this stage has a price')),
  run: () => Promise.reject(new Error('No tool of this stage has a price')),
}

/** For stages that keep no results. */
export const keptNowhere: KeepResult = () => async () => true
