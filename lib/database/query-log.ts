import { channel } from 'node:diagnostics_channel'
import type { LogEvent } from 'kysely'

/** What subscribers of `connector-gateway:query` hear of each query: its text, never its parameters. */
export interface QueryEvent {
  sql: string
  durationMs: number
  error?: unknown
}

const queries = channel('connector-gateway:query')

/** Kysely's log, as diagnostics: made only when somebody listens. */
export function publishQuery(event: LogEvent): void {
  if (!queries.hasSubscribers) return
  const message: QueryEvent = { sql: event.query.sql, durationMs: event.queryDurationMillis }
  if (event.level === 'error') message.error = event.error
  queries.publish(message)
}
