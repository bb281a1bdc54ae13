import type { Static } from '@sinclair/typebox'
import type { ReadinessChecks } from '../../schemas/probes.ts'
import type { OpenDatabase } from '../database/dialect.ts'
import { withDeadline } from '../database/unavailable.ts'

/** A probe answers while it still helps, whatever hangs. */
const DEADLINE_MS = 1_500

/** Whether this process should get traffic. */
export interface Readiness {
  /** Looks at what the process stands on, each part by itself, for at most 1.5 s. */
  check(): Promise<Static<typeof ReadinessChecks>>
  /** Reports not ready from here on, so that a balancer sends its traffic elsewhere. */
  drain(): void
  /** Calls a listener when that begins. */
  onDrain(listener: () => void): void
}

export function createReadiness(database: Pick<OpenDatabase, 'ping' | 'migrationsPending'>): Readiness {
  const listeners: (() => void)[] = []
  let draining = false

  return {
    async check() {
      const [reachable, migrated] = await Promise.all([
        passes(database.ping().then(() => true)),
        passes(database.migrationsPending().then(pending => !pending)),
      ])
      // Keys that cannot be used end the start, and nothing is sealed with them yet that they could fail to open.
      return { database: reachable, migrations: migrated, vault_keys: 'ok', draining }
    },
    drain() {
      draining = true
      for (const listener of listeners) listener()
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
