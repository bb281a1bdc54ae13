import { setFlagsFromString } from 'node:v8'
import type { PGlite } from '@electric-sql/pglite'
import { startPGlite } from '../lib/database/embedded.ts'
import { empty, type Reuse, reuseOf } from './reusable-database.ts'

// Disables optimized machine code of PostgreSQL: tests end before it pays off, in CPU and in memory. Together these are
// `--liftoff-only`, which works only as a flag of the process.
setFlagsFromString('--no-wasm-tier-up')
setFlagsFromString('--no-wasm-dynamic-tiering')

/** A copy of the template. */
interface Copy {
  pglite: PGlite
  reuse: Reuse
}

// The real timers, even if a test replaces the clock.
const { setTimeout, clearTimeout } = globalThis

/** Unused copies of this process, each identical to the template until a timer closes it. */
const idle = new Map<Copy, NodeJS.Timeout>()

/** How long a copy waits for the next test. While it waits, its timers keep the process running. */
const PATIENCE_MS = 300

/**
 * An embedded database identical to the template, used by only one test. After it is closed, it accepts no queries; it
 * is emptied and passed to the next test, because creating one takes most of a second. If more than rows changed, it is
 * discarded.
 */
export async function embeddedDatabase(template: () => Promise<Blob>): Promise<PGlite> {
  return lend(takeIdle() ?? (await makeCopy(await template())))
}

function takeIdle(): Copy | undefined {
  const [entry] = idle
  if (entry === undefined) return undefined
  const [copy, timer] = entry
  clearTimeout(timer)
  idle.delete(copy)
  return copy
}

async function makeCopy(template: Blob): Promise<Copy> {
  const pglite = await startPGlite({ loadDataDir: template })
  return { pglite, reuse: await reuseOf(pglite, 'own') }
}

function lend(copy: Copy): PGlite {
  let returned: Promise<void> | undefined
  return new Proxy(copy.pglite, {
    get(pglite, name) {
      if (name === 'closed') return returned !== undefined
      if (name === 'close') return () => (returned ??= takeBack(copy))
      const value = Reflect.get(pglite, name, pglite)
      if (typeof value !== 'function') return value
      // Queries that a test left running must not see the next test's rows.
      return returned === undefined ? value.bind(pglite) : () => Promise.reject(new Error('PGlite is closed'))
    },
  })
}

/** Waits for running queries and the running transaction, as PGlite does when it is closed. */
async function takeBack(copy: Copy): Promise<void> {
  const { pglite, reuse } = copy
  try {
    await pglite.exec('discard all')
    if (await empty(pglite, reuse)) {
      const discard = () => {
        idle.delete(copy)
        void pglite.close()
      }
      idle.set(copy, setTimeout(discard, PATIENCE_MS))
      return
    }
  } catch {
    // It may be changed so much that it cannot be emptied.
  }
  await pglite.close()
}
