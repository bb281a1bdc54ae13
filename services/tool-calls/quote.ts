import type { AnyTool } from '../definitions/define-tool.ts'

/** What a call will cost. */
export interface Quote {
  /** Whether calls of the tool can cost anything. */
  metered: boolean
  /** What is held before the call, in micro-dollars; null if the tool refuses the arguments. */
  holdMicros: number | null
}

/** Quotes a call. A tool that the gateway does not define itself has no price. */
export function quote(tool: Pick<AnyTool, 'price' | 'refuse'> | undefined, args: unknown): Quote {
  if (tool?.price === undefined) return { metered: false, holdMicros: 0 }
  if (tool.refuse(args) !== undefined) return { metered: true, holdMicros: null }
  try {
    return { metered: true, holdMicros: tool.price.estimate(args) }
  } catch {
    // Some arguments are refused only while the call is priced. The call gives the reason.
    return { metered: true, holdMicros: null }
  }
}
