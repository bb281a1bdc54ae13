import { type DatabaseConnection, PGliteAdapter, PGliteDialect, type PGliteDialectConfig, PGliteDriver } from 'kysely'
import { DatabaseTimeout } from './unavailable.ts'

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
