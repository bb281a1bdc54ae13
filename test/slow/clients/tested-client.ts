import type { Case } from './gateways.ts'

/** What a client showed its user, and whether it found and called the tool. */
export interface Shown {
  readonly text: string
  readonly listed: boolean
  readonly called: boolean
}

/** A client of the matrix. */
export interface TestedClient {
  /** The ID of its configuration in docs/clients.md, where it has one. */
  readonly id: string
  readonly name: string
  readonly version: string
  /** Where its user reads the text. */
  readonly place: string
  use(tried: Case): Promise<Shown>
}

/** The tool that every client calls. */
export const TOOL = 'memory__remember'
export const MEMORY = 'The demo is on Friday'

/** Whether a text is the tool's answer: it has the ID of a memory. */
export function isAnswer(text: string): boolean {
  return /mem_[0-9a-f]{32}/.test(text)
}
