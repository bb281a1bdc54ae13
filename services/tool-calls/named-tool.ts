import type { AnyTool } from '../definitions/define-tool.ts'

/** What is known of a tool, whoever may see it. */
export interface ExplainedTool extends Pick<AnyTool, 'entry' | 'capability' | 'needsAccount' | 'gate' | 'price'> {
  /** Whose credential a call of a remote tool is made with, as a clause. */
  readonly actsAs?: string
  /** What its calls fail with, although it is there. */
  readonly unavailable?: UnavailableReason | undefined
}

/** Why there is no tool of a name, or none that can be called, and who does what about it. */
export interface UnavailableReason {
  readonly reason:
    | 'hidden'
    | 'authorization_pending'
    | 'no_snapshot'
    | 'surface_full'
    | 'set_aside'
    | 'unknown_tool'
    | 'needs_reauth'
  readonly explanation: string
}

/** What is to be said of a name; undefined where nothing is. */
export type NamedTool = ExplainedTool | UnavailableReason | undefined
