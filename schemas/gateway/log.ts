import type { BaseLogger } from 'pino'

/** The part of pino's logger that services use. */
export type Logger = Pick<BaseLogger, 'info' | 'warn' | 'error'>

/** Whether log lines reach standard output. */
export interface LogHealth {
  failing: boolean
  /** The number of lines lost since the process started. */
  lost: number
  /** The reason of a failure: the code of the write error, or `slow` when too many lines wait for the reader. */
  reason?: string
}
