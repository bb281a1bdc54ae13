import type { ColumnType } from 'kysely'

/** A timestamptz column, read and written as a Date. */
export type Time = ColumnType<Date, Date, Date>
export type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>
/** A jsonb column, always written as text: pg would turn a JavaScript array into a PostgreSQL array. */
export type Json<T = unknown> = ColumnType<T, string, string>

/** Parsers by type OID for types that the two engines would read differently. */
export const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  17: text => Buffer.from(text.slice(2), 'hex'), // bytea
  20: safeInteger, // int8
  1082: text => text, // date: a day, not a point in time
  1186: text => text, // interval
}

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`)
  return value
}
