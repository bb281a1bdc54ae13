import type { OverloadOptions } from '../plugins/overload/plugin.ts'

/** Disables load shedding, so that a busy machine does not make tests fail. */
export const NO_LOAD_SHEDDING: OverloadOptions = {
  maxLoopDelayMs: Number.POSITIVE_INFINITY,
  maxHeapBytes: Number.POSITIVE_INFINITY,
}
