import type { BaseLogger } from 'pino'

/** What services log with: the part of pino's logger that they use. */
export type Logger = Pick<BaseLogger, 'info' | 'warn' | 'error'>
