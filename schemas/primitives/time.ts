import { Type } from '@sinclair/typebox'

/** The only source of the current time, in milliseconds since the epoch. Tests set it; production passes `Date`. */
export interface Clock {
  now(): number
}

/** A point in time on the wire: RFC 3339 in UTC, as `Date.prototype.toISOString` writes it. */
export const Timestamp = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })

/** A time in a request: RFC 3339 with a time zone. Parse it with `new Date`. */
export const RequestTime = Type.String({
  maxLength: 40,
  pattern:
    '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)$',
  description: 'A time in RFC 3339, such as 2027-01-31T00:00:00Z.',
})
