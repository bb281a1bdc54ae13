import type { OverloadOptions } from '../plugins/overload/plugin.ts'

/** For apps whose tests are not about overload: a busy machine must not make them refuse requests. */
export const NO_LOAD_SHEDDING: OverloadOptions = {
  maxLoopDelayMs: Number.POSITIVE_INFINITY,
  maxHeapBytes: Number.POSITIVE_INFINITY,
}
