import { Type } from '@sinclair/typebox'

/** The only source of the current time, in milliseconds since the epoch. Tests set it; production passes `Date`. */
export interface Clock {
  now(): number
}

/** A point in time on the wire: RFC 3339 in UTC, as `Date.prototype.toISOString` writes it. */
export const Timestamp = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })
