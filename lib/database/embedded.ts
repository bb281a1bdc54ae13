import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { type DatabaseConnection, PGliteAdapter, PGliteDialect, type PGliteDialectConfig, PGliteDriver } from 'kysely'
import { PARSERS } from './column-types.ts'
import { DatabaseTimeout } from './database-errors.ts'
import { lockDirectory } from './directory-lock.ts'
import type { Engine } from './engine.ts'

/** Starts PGlite in a directory, or in memory without one, with the parsers the service needs. */
export function startPGlite(options: PGliteOptions = {}): Promise<PGlite> {
  return PGlite.create({ ...options, parsers: PARSERS })
}

/** The embedded database in `<dataDir>/db`, held by this process alone. Throws when another process still holds it after 5 s. */
export async function openEmbedded(dataDir: string): Promise<Engine> {
  const directory = join(dataDir, 'db')
  const lock = await lockDirectory(join(dataDir, 'db.lock'))
  try {
    if (!existsSync(directory)) await make(directory)
    // PGlite makes files that anybody may read and write; nobody else gets to them.
    chmodSync(directory, 0o700)
    return embeddedEngine(await startPGlite({ dataDir: directory }), async () => lock.release())
  } catch (error) {
    lock.release()
    throw error
  }
}

/** A process that is killed while PGlite makes its files leaves what it cannot open: a database is there whole or not. */
async function make(directory: string): Promise<void> {
  const draft = `${directory}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  await (await startPGlite({ dataDir: draft })).close()
  renameSync(draft, directory)
}

/** An engine on a PGlite that runs already; `onClosed` when it was closed. */
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
const PATIENCE_MS = 10_000

/** PGlite has one session: queries take turns, and one that waits inside a transaction for that very transaction ends. */
export class EmbeddedDialect extends PGliteDialect {
  readonly #config: PGliteDialectConfig

  constructor(config: PGliteDialectConfig) {
    super(config)
    this.#config = config
  }

  override createAdapter(): PGliteAdapter {
    return new TurnTakingAdapter()
  }

  override createDriver(): PGliteDriver {
    return new TurnTakingDriver(this.#config)
  }
}

/** Keeps Kysely from waiting on a lock of its own, which it does for ever: the driver below takes the turns. */
class TurnTakingAdapter extends PGliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class TurnTakingDriver extends PGliteDriver {
  readonly #waiting = new Set<() => void>()
  #taken = false

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#taken) await this.#turn()
    this.#taken = true
    return super.acquireConnection()
  }

  override async releaseConnection(): Promise<void> {
    await super.releaseConnection()
    const [next] = this.#waiting
    if (next === undefined) this.#taken = false
    else next()
  }

  /** Resolves when the one before hands the session on: it stays taken in between, so that nobody comes first. */
  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(next)
        reject(
          new DatabaseTimeout(
            `The embedded database was busy for ${PATIENCE_MS} ms; within a transaction, use the handle it passes`,
          ),
        )
      }, PATIENCE_MS)
      const next = () => {
        clearTimeout(timer)
        this.#waiting.delete(next)
        resolve()
      }
      this.#waiting.add(next)
    })
  }
}
