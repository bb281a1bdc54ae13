import { channel } from 'node:diagnostics_channel'
import { Kysely, type KyselyPlugin, type LogEvent, sql } from 'kysely'
import type { Logger } from '../../schemas/gateway/log.ts'
import { withDeadline } from './database-errors.ts'
import type { Engine } from './engine.ts'
import { type DatabaseEvents, openEvents } from './events.ts'
import { migrate, migrationsPending, refuseOldServer } from './migrate.ts'
import type { PostgresOptions } from './postgres.ts'
import type { Database } from './tables.ts'

const PING_DEADLINE_MS = 1_500

export interface DatabaseOptions {
  /** PostgreSQL; when absent, the embedded database in `<dataDir>/db`. */
  postgres?: PostgresOptions | undefined
  dataDir: string
  log: Logger
  plugins?: KyselyPlugin[] | undefined
}

/** An open database. It is not migrated until `migrate` is called. */
export interface OpenDatabase {
  readonly db: Kysely<Database>
  readonly engine: Engine['name']
  readonly events: DatabaseEvents
  /** Resolves when the database answers; rejects after 1.5 s. */
  ping(): Promise<void>
  /** Runs pending migrations. Throws a ServerTooOld if the PostgreSQL server is too old. */
  migrate(): Promise<void>
  migrationsPending(): Promise<boolean>
  /**
   * Runs statements that take long on a connection of their own, without a time limit for queries; on the embedded
   * database, on its only session. Cuts the connection when the signal aborts.
   */
  onDirectConnection<R>(work: (db: Kysely<Database>) => Promise<R>, signal: AbortSignal): Promise<R>
  close(): Promise<void>
}

/** Opens PostgreSQL if it is configured, otherwise the embedded database. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  return openOn(await openEngine(options), options.log, options.plugins)
}

/** Opens the engine. PostgreSQL connects with its first query, the embedded database at once. */
export async function openEngine({ postgres, dataDir, log }: DatabaseOptions): Promise<Engine> {
  // Each driver takes megabytes, so a process loads only its own.
  if (postgres === undefined) return (await import('./embedded.ts')).openEmbedded(dataDir)
  return (await import('./postgres.ts')).openPostgres(postgres, log)
}

/** Opens a database on a given engine. */
export async function openOn(engine: Engine, log: Logger, plugins: KyselyPlugin[] = []): Promise<OpenDatabase> {
  const db = new Kysely<Database>({ dialect: engine.dialect, log: publishQuery, plugins })
  const events = await openEvents(engine, log)
  let closing: Promise<void> | undefined

  async function close(): Promise<void> {
    await events.close()
    await db.destroy()
    await engine.close()
  }

  return {
    db,
    engine: engine.name,
    events,
    async ping() {
      await withDeadline(sql`select 1`.execute(db), PING_DEADLINE_MS)
    },
    async migrate() {
      const dialect = engine.migrationDialect()
      if (dialect === null) return migrate(db.withoutPlugins(), log)
      const direct = new Kysely<unknown>({ dialect })
      try {
        await refuseOldServer(direct)
        await migrate(direct, log)
      } finally {
        await direct.destroy()
      }
    },
    migrationsPending: () => migrationsPending(db.withoutPlugins()),
    async onDirectConnection(work, signal) {
      const dialect = engine.migrationDialect()
      if (dialect === null) return db.withoutPlugins().connection().execute(work)
      signal.throwIfAborted()
      const direct = new Kysely<Database>({ dialect })
      const cut = () => void direct.destroy()
      signal.addEventListener('abort', cut, { once: true })
      try {
        return await direct.connection().execute(work)
      } finally {
        signal.removeEventListener('abort', cut)
        await direct.destroy()
      }
    },
    close: () => (closing ??= close()),
  }
}

/** The message on `connector-gateway:query` for each query: its text, never its parameters. */
export interface QueryEvent {
  sql: string
  durationMs: number
  error?: unknown
}

const queries = channel('connector-gateway:query')

/** Kysely's log, as diagnostics: made only when somebody listens. */
function publishQuery(event: LogEvent): void {
  if (!queries.hasSubscribers) return
  const message: QueryEvent = { sql: event.query.sql, durationMs: event.queryDurationMillis }
  if (event.level === 'error') message.error = event.error
  queries.publish(message)
}
