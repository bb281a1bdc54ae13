import type { BaseLogger } from 'pino'

/** What services log with: the part of pino's logger that they use. */
export type Logger = Pick<BaseLogger, 'info' | 'warn' | 'error'>

/** Whether log lines reach standard output. */
export interface LogHealth {
  failing: boolean
  /** The number of lines lost since the process started. */
  lost: number
  /** Why it fails: the code of the write error, or `slow` when too many lines wait for the reader. */
  reason?: string
}
