import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Kysely } from 'kysely'
import { errorCode } from '../../lib/database/database-errors.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { UsageError } from '../../lib/errors/errors.ts'
import type { Clock } from '../../schemas/time.ts'
import { DRAFT } from '../artifacts/artifact.ts'

const BATCH = 500

/** The files of a move. */
export interface MovedArtifacts {
  /** Files that are complete where the target reads them. */
  files: number
  bytes: number
  /** Unexpired files without content, or with another size than their row says: they answer 404. */
  damaged: readonly string[]
}

interface MoveArtifactsOptions {
  db: Kysely<Database>
  clock: Clock
  /** The directory of the source's files. */
  from: string
  /** The directory where the target reads files. */
  to: string
}

/**
 * Checks every unexpired file against its row and, between two directories, copies it and compares the content. Repeated
 * after a failure, it keeps what is complete. Throws a UsageError if the disk does not store a file.
 */
export async function moveArtifacts({ db, clock, from, to }: MoveArtifactsOptions): Promise<MovedArtifacts> {
  const moved = { files: 0, bytes: 0, damaged: [] as string[] }
  let same: boolean | undefined
  for (let after = ''; ; ) {
    const rows = await acrossOrgs(db)
      .selectFrom('artifacts')
      .where('expires_at', '>', new Date(clock.now()))
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .select(['id', 'bytes'])
      .execute()
    for (const { id, bytes } of rows) {
      same ??= await isSameDirectory(from, to)
      const found = await stat(join(from, id)).catch(() => undefined)
      if (found?.isFile() !== true || found.size !== bytes) {
        moved.damaged.push(id)
        continue
      }
      if (!same) await copy(join(from, id), join(to, id))
      moved.files += 1
      moved.bytes += bytes
    }
    after = rows.at(-1)?.id ?? ''
    if (rows.length < BATCH) return moved
  }
}

async function isSameDirectory(from: string, to: string): Promise<boolean> {
  if (from === to) return true
  try {
    await mkdir(to, { recursive: true, mode: 0o700 })
    return (await realpath(from).catch(() => from)) === (await realpath(to))
  } catch (error) {
    throw cannotStore(to, error)
  }
}

/** Copies under another name, syncs and renames, so that no partial file has the name of an artifact. */
async function copy(source: string, target: string): Promise<void> {
  const hash = await hashOf(source)
  if ((await hashOf(target).catch(() => undefined)) === hash) return
  const draft = `${target}${DRAFT}`
  try {
    await copyFile(source, draft)
    const file = await open(draft, 'r+')
    try {
      await file.chmod(0o600)
      await file.sync()
    } finally {
      await file.close()
    }
    if ((await hashOf(draft)) !== hash) throw new Error('the copy differs from the original')
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw cannotStore(target, error)
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

function cannotStore(path: string, cause: unknown): UsageError {
  const why = errorCode(cause) ?? (cause instanceof Error ? cause.message : 'unknown error')
  return new UsageError(
    `Cannot store ${path} (${why}). Check the disk and the rights of --to-data-dir. Nothing was moved.`,
  )
}
