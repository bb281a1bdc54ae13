import type { AnyTool } from '../definitions/define-tool.ts'

/** A tool with what surfaces need of it at every build: made once. */
export interface RegisteredTool {
  readonly tool: AnyTool
  /** The wire entry as JSON; of a connector's tool, for a caller who has these accounts. */
  json(accounts: readonly string[]): string
  /**
   * By which equal surfaces recognise each other and become one: a digest of the wire entry but for the accounts, and of
   * all that a call depends on beside who makes it.
   */
  readonly digest: string
  /** What a cache holds because of the tool, in characters of JSON; next to nothing for the tools of the registry. */
  readonly size: number
}
