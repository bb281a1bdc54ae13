import { opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { errorCode } from '../../lib/database/database-errors.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import type { Clock } from '../../schemas/time.ts'
import { ARTIFACT_ID, DRAFT } from './artifact.ts'

const KIND = 'artifacts.expiry'
const HOUR_MS = 3_600_000
/** How long a file may exist without a row, because it is being written or its row is about to be. */
const ORPHAN_AGE_MS = 24 * HOUR_MS
/** The number of rows of one statement. */
const BATCH = 500

interface ArtifactExpiryOptions {
  db: Kysely<Database>
  clock: Clock
  directory: string
}

/** Defines the job that removes expired artifacts, and runs it every hour. */
export function defineArtifactExpiry(jobs: Jobs, { db, clock, directory }: ArtifactExpiryOptions): void {
  jobs.define(KIND, async (_payload, { signal, log }) => {
    const expired = await removeExpired(signal)
    const strays = await removeOrphans(signal)
    if (expired + strays > 0) log.info({ expired, strays }, 'artifacts were removed')
  })
  jobs.every(KIND, HOUR_MS)

  /** Rows first: a row without its file would be an artifact that cannot be served. */
  async function removeExpired(signal: AbortSignal): Promise<number> {
    for (let removed = 0; ; ) {
      const { rows } = await sql<{ id: string }>`
        delete from artifacts
        where id = any(array(select id from artifacts where expires_at <= ${new Date(clock.now())} limit ${BATCH}))
        returning id
      `.execute(acrossOrgs(db))
      for (const { id } of rows) await rm(join(directory, id), { force: true })
      removed += rows.length
      if (rows.length < BATCH || signal.aborted) return removed
    }
  }

  /** Removes what a crash has left: a partial file, or a file without a row. */
  async function removeOrphans(signal: AbortSignal): Promise<number> {
    let removed = 0
    let stored: string[] = []
    for await (const name of namesIn(directory)) {
      if (signal.aborted) return removed
      const id = name.endsWith(DRAFT) ? name.slice(0, -DRAFT.length) : name
      if (!ARTIFACT_ID.test(id) || !(await isOld(name))) continue
      if (name === id) stored.push(id)
      else removed += await remove([name])
      if (stored.length < BATCH) continue
      removed += await remove(await withoutRow(stored))
      stored = []
    }
    return removed + (await remove(await withoutRow(stored)))
  }

  async function isOld(name: string): Promise<boolean> {
    const modified = await stat(join(directory, name)).catch(() => undefined)
    return modified !== undefined && clock.now() - modified.mtimeMs > ORPHAN_AGE_MS
  }

  async function withoutRow(ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return []
    const rows = await acrossOrgs(db).selectFrom('artifacts').select('id').where('id', 'in', ids).execute()
    const known = new Set(rows.map(({ id }) => id))
    return ids.filter(id => !known.has(id))
  }

  async function remove(names: readonly string[]): Promise<number> {
    for (const name of names) await rm(join(directory, name), { force: true })
    return names.length
  }
}

/** Yields nothing if no file was stored yet. */
async function* namesIn(directory: string): AsyncGenerator<string> {
  try {
    for await (const { name } of await opendir(directory)) yield name
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}
