import type { ColumnType } from 'kysely'

/** A point in time that is stored as timestamptz, read and written as a Date. */
export type Time = ColumnType<Date, Date, Date>
export type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>
/** JSON is always written as text: a JavaScript array handed to pg as jsonb would become a PostgreSQL array. */
export type Json<T = unknown> = ColumnType<T, string, string>
