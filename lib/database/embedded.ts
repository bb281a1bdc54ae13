import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { lockDirectory } from './directory-lock.ts'
import { EmbeddedDialect } from './embedded-dialect.ts'
import type { Engine } from './engine.ts'
import { PARSERS } from './parsers.ts'

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
