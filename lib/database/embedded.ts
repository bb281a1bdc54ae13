import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { type DatabaseConnection, PGliteAdapter, PGliteDialect, type PGliteDialectConfig, PGliteDriver } from 'kysely'
import { PARSERS } from './column-types.ts'
import { DatabaseTimeout } from './database-errors.ts'
import { lockDirectory } from './directory-lock.ts'
import type { Engine } from './engine.ts'

/** PostgreSQL reports a long recovery with a timer that PGlite never clears, which would keep the process alive. */
const START = [...PGlite.defaultStartParams, '-c', 'log_startup_progress_interval=0']

/** Starts PGlite in a directory, or in memory without one, with our parsers. */
export function startPGlite(options: PGliteOptions = {}): Promise<PGlite> {
  return PGlite.create({ ...options, parsers: PARSERS, startParams: START })
}

/**
 * Opens the embedded database in `<dataDir>/db` exclusively. Throws a DirectoryInUse if another process still holds it
 * after 5 s.
 */
export async function openEmbedded(dataDir: string): Promise<Engine> {
  const directory = join(dataDir, 'db')
  const lock = await lockDirectory(join(dataDir, 'db.lock'))
  try {
    if (!existsSync(directory)) await make(directory)
    // PGlite creates world-readable files, so the directory must deny access.
    chmodSync(directory, 0o700)
    return embeddedEngine(await startPGlite({ dataDir: directory }), async () => lock.release())
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Creates the database under another name and renames it: a process that is killed during creation leaves files that
 * PGlite cannot open.
 */
async function make(directory: string): Promise<void> {
  const draft = `${directory}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  await (await startPGlite({ dataDir: draft })).close()
  renameSync(draft, directory)
}

/** Creates an engine on a running PGlite. Calls `onClosed` after it is closed. */
export function embeddedEngine(pglite: PGlite, onClosed: () => Promise<void> = async () => {}): Engine {
  return {
    name: 'pglite',
    dialect: new EmbeddedDialect({ pglite }),
    migrationDialect: () => null,
    async listen(channel, onPayload) {
      const unlisten = await pglite.listen(channel, onPayload)
      return { close: async () => (pglite.closed ? undefined : unlisten()) }
    },
    async close() {
      try {
        if (!pglite.closed) await pglite.close()
      } finally {
        await onClosed()
      }
    },
  }
}

/** How long a query waits for the transactions before it. */
const MAX_WAIT_MS = 10_000

/**
 * PGlite has one session, so queries wait for each other. A query that waits inside a transaction for that same
 * transaction times out.
 */
class EmbeddedDialect extends PGliteDialect {
  readonly #config: PGliteDialectConfig

  constructor(config: PGliteDialectConfig) {
    super(config)
    this.#config = config
  }

  override createAdapter(): PGliteAdapter {
    return new QueueingAdapter()
  }

  override createDriver(): PGliteDriver {
    return new QueueingDriver(this.#config)
  }
}

/** Disables Kysely's own lock, which waits forever. The driver below queues the queries. */
class QueueingAdapter extends PGliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class QueueingDriver extends PGliteDriver {
  readonly #waiting = new Set<() => void>()
  #taken = false

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#taken) await this.#waitForSession()
    this.#taken = true
    return super.acquireConnection()
  }

  override async releaseConnection(): Promise<void> {
    await super.releaseConnection()
    const [next] = this.#waiting
    if (next === undefined) this.#taken = false
    else next()
  }

  /**
   * Resolves when the previous query hands over the session. It stays taken in between, so that no other query gets in
   * first.
   */
  #waitForSession(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(next)
        reject(
          new DatabaseTimeout(
            `The embedded database was busy for ${MAX_WAIT_MS} ms; within a transaction, use the handle it passes`,
          ),
        )
      }, MAX_WAIT_MS)
      const next = () => {
        clearTimeout(timer)
        this.#waiting.delete(next)
        resolve()
      }
      this.#waiting.add(next)
    })
  }
}
