import { sql } from 'kysely'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { ArtifactStore } from './artifact-store.ts'

const KIND = 'artifacts.expiry'
const HOUR_MS = 3_600_000
/** How long a file may exist without a row, because it is being written or its row is about to be. */
const ORPHAN_AGE_MS = 24 * HOUR_MS
/** The number of rows of one statement. */
const BATCH = 500

interface ArtifactExpiryOptions extends Pick<Infrastructure, 'db' | 'clock'> {
  store: ArtifactStore
}

/** Defines the job that removes expired artifacts, and runs it every hour. */
export function defineArtifactExpiry(jobs: Jobs, { db, clock, store }: ArtifactExpiryOptions): void {
  jobs.define(KIND, async (_payload, { signal, log }) => {
    const expired = await removeExpired(signal)
    const strays = await removeOrphans(signal)
    if (expired + strays > 0) log.info({ expired, strays }, 'artifacts were removed')
  })
  jobs.every(KIND, HOUR_MS)

  /** Rows first: a row without its file would be an artifact that cannot be served. */
  async function removeExpired(signal: AbortSignal): Promise<number> {
    for (let removed = 0; ; ) {
      const { rows } = await sql<{ name: string }>`
        delete from artifacts
        where id = any(array(select id from artifacts where expires_at <= ${new Date(clock.now())} limit ${BATCH}))
        returning coalesce(stored_as, id) as name
      `.execute(acrossOrgs(db))
      await store.remove(rows.map(({ name }) => name))
      removed += rows.length
      if (rows.length < BATCH || signal.aborted) return removed
    }
  }

  /** Removes what a crash leaves behind: partial files, and files without a row. */
  async function removeOrphans(signal: AbortSignal): Promise<number> {
    const before = clock.now() - ORPHAN_AGE_MS
    let removed = await store.removePartial(before)
    let old: string[] = []
    for await (const { name, modifiedAt } of store.list()) {
      if (signal.aborted) return removed
      if (modifiedAt >= before) continue
      old.push(name)
      if (old.length < BATCH) continue
      removed += await remove(await withoutRow(old))
      old = []
    }
    return removed + (await remove(await withoutRow(old)))
  }

  async function withoutRow(names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return []
    const rows = await acrossOrgs(db)
      .selectFrom('artifacts')
      .select(['id', 'stored_as'])
      .where(({ or, eb }) => or([eb('id', 'in', names), eb('stored_as', 'in', names)]))
      .execute()
    const known = new Set(rows.map(({ id, stored_as }) => stored_as ?? id))
    return names.filter(name => !known.has(name))
  }

  async function remove(names: readonly string[]): Promise<number> {
    await store.remove(names)
    return names.length
  }
}
