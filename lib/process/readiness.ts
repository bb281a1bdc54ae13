import type { Static } from '@sinclair/typebox'
import type { LogHealth } from '../../schemas/gateway/log.ts'
import type { ReadinessChecks } from '../../schemas/gateway/probes.ts'
import type { Clock } from '../../schemas/primitives/time.ts'
import { withDeadline } from '../database/database-errors.ts'
import type { OpenDatabase } from '../database/open-database.ts'
import type { UnreadAnswers } from '../unread-answers/unread-answers.ts'

/** The time limit of a probe, whatever hangs. */
const DEADLINE_MS = 1_500
/** How long the result of the vault key check is reused. */
const KEYS_EVERY_MS = 30_000

/** Tells whether this process should get traffic. */
export interface Readiness {
  /** Checks each dependency separately, for at most 1.5 s. */
  check(): Promise<Static<typeof ReadinessChecks>>
  /** Reports not ready from now on, so that a load balancer sends traffic elsewhere. Returns the requests in flight. */
  drain(): number
  /** Calls a listener when draining starts. It returns its number of requests in flight. */
  onDrain(listener: () => number): void
}

interface ReadinessOptions {
  database: Pick<OpenDatabase, 'ping' | 'migrationsPending'>
  /** Reports the vault keys of stored credentials, and whether this process has them. */
  vaultKeys(): Promise<readonly { readonly configured: boolean }[]>
  logHealth(): LogHealth
  /** Bytes of unread answers: reported, but never a reason to be not ready. */
  unread: Pick<UnreadAnswers, 'bytes'>
  clock: Clock
}

export function createReadiness({ database, vaultKeys, logHealth, unread, clock }: ReadinessOptions): Readiness {
  const listeners: (() => number)[] = []
  let draining = false
  let keys: { opens: boolean; at: number } | undefined

  /** Not done at every probe because it counts rows. A failed check counts as a failure of the database. */
  async function opensAll(): Promise<boolean> {
    if (keys === undefined || clock.now() - keys.at >= KEYS_EVERY_MS) {
      const at = clock.now()
      const uses = await vaultKeys().catch(() => undefined)
      if (uses !== undefined) keys = { opens: uses.every(({ configured }) => configured), at }
    }
    return keys?.opens ?? true
  }

  return {
    async check() {
      const [reachable, migrated, opens] = await Promise.all([
        passes(database.ping().then(() => true)),
        passes(database.migrationsPending().then(pending => !pending)),
        withDeadline(opensAll(), DEADLINE_MS).catch(() => keys?.opens ?? true),
      ])
      const log = logHealth()
      return {
        database: reachable,
        migrations: migrated,
        vault_keys: opens ? 'ok' : 'failing',
        log: log.failing ? 'failing' : 'ok',
        lost_log_lines: log.lost,
        draining,
        waiting_bytes: unread.bytes(),
      }
    },
    drain() {
      draining = true
      return listeners.reduce((sum, listener) => sum + listener(), 0)
    },
    onDrain(listener) {
      listeners.push(listener)
    },
  }
}

async function passes(test: Promise<boolean>): Promise<'ok' | 'failing'> {
  const passed = await withDeadline(test, DEADLINE_MS).catch(() => false)
  return passed ? 'ok' : 'failing'
}
