import type { Dialect } from 'kysely'

/** A subscription to notifications. */
export interface Listening {
  close(): Promise<void>
}

/** What differs between PostgreSQL and the embedded database. */
export interface Engine {
  readonly name: 'postgres' | 'pglite'
  readonly dialect: Dialect
  /** The direct connection migrations run on; null where they run on the database itself. */
  migrationDialect(): Dialect | null
  /** Hears the channel until closed; `onReset` after notifications may have been missed. Never rejects. */
  listen(channel: string, onPayload: (payload: string) => void, onReset: () => void): Promise<Listening>
  /** Ends what the dialect leaves open. */
  close(): Promise<void>
}
