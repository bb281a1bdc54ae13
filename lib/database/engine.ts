import type { Dialect } from 'kysely'

/** A subscription to notifications. */
export interface Listening {
  close(): Promise<void>
}

/** The differences between PostgreSQL and the embedded database. */
export interface Engine {
  readonly name: 'postgres' | 'pglite'
  readonly dialect: Dialect
  /** The direct connection for migrations; null if they run on the database itself. */
  migrationDialect(): Dialect | null
  /** Listens on the channel until closed. Calls `onReset` after notifications may have been missed. Never rejects. */
  listen(channel: string, onPayload: (payload: string) => void, onReset: () => void): Promise<Listening>
  /** Closes what the dialect leaves open. */
  close(): Promise<void>
}
