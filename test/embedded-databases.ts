import { setFlagsFromString } from 'node:v8'
import type { PGlite } from '@electric-sql/pglite'
import { startPGlite } from '../lib/database/embedded.ts'
import { empty, idleCopies, type Reuse, reuseOf } from './reusable-database.ts'

// Disables optimized machine code of PostgreSQL: tests end before it pays off, in CPU and in memory. Together these are
// `--liftoff-only`, which works only as a flag of the process.
setFlagsFromString('--no-wasm-tier-up')
setFlagsFromString('--no-wasm-dynamic-tiering')

/** A copy of the template. */
interface Copy {
  pglite: PGlite
  reuse: Reuse
}

const copies = idleCopies<Copy>(({ pglite }) => pglite.close())

/**
 * An embedded database identical to the template, used by only one test. After it is closed, it accepts no queries; it
 * is emptied and passed to the next test, because creating one takes most of a second. If more than rows changed, it is
 * discarded.
 */
export async function embeddedDatabase(template: () => Promise<Blob>): Promise<PGlite> {
  return lend(copies.take() ?? (await makeCopy(await template())))
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
function takeBack(copy: Copy): Promise<void> {
  return copies.giveBack(copy, async () => {
    await copy.pglite.exec('discard all')
    return empty(copy.pglite, copy.reuse)
  })
}
