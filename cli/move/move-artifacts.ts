import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Kysely } from 'kysely'
import { errorCode } from '../../lib/database/database-errors.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { GatewayError, UsageError } from '../../lib/errors/errors.ts'
import type { Clock } from '../../schemas/primitives/time.ts'
import type { ArtifactStore } from '../../services/artifacts/artifact-store.ts'
import { createDiskStore } from '../../services/artifacts/disk-store.ts'

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
  /** Where the target reads files: a directory, or another store. */
  to: string | ArtifactStore
}

/** Where files are moved to. */
interface Target {
  readonly store: ArtifactStore
  /** Whether the files are there already. */
  isSource(from: string): Promise<boolean>
  /** Whether a file that the source lacks is there: the source may have used the same bucket. */
  holdsAlready(name: string): Promise<boolean>
  /** The place of a file, in messages. */
  placeOf(name: string): string
  /** What to check if a file cannot be stored. */
  readonly check: string
}

/**
 * Checks every unexpired file against its row and, unless the target reads the same directory, copies it and compares the
 * content. Repeated after a failure, it keeps what is complete. Throws a UsageError if the target does not store a file.
 */
export async function moveArtifacts({ db, clock, from, to }: MoveArtifactsOptions): Promise<MovedArtifacts> {
  const target = typeof to === 'string' ? directoryTarget(to) : bucketTarget(to)
  const moved = { files: 0, bytes: 0, damaged: [] as string[] }
  let same: boolean | undefined
  for (let after = ''; ; ) {
    const rows = await acrossOrgs(db)
      .selectFrom('artifacts')
      .where('expires_at', '>', new Date(clock.now()))
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .select(['id', 'stored_as', 'bytes'])
      .execute()
    for (const { id, stored_as, bytes } of rows) {
      const name = stored_as ?? id
      same ??= await target.isSource(from)
      const found = await stat(join(from, name)).catch(() => undefined)
      if (found?.isFile() === true && found.size === bytes) {
        if (!same) await copy(join(from, name), name, target)
      } else if (found !== undefined || !(await target.holdsAlready(name))) {
        moved.damaged.push(id)
        continue
      }
      moved.files += 1
      moved.bytes += bytes
    }
    after = rows.at(-1)?.id ?? ''
    if (rows.length < BATCH) return moved
  }
}

function directoryTarget(to: string): Target {
  const target = {
    store: createDiskStore(to),
    placeOf: (name: string) => join(to, name),
    check: 'the disk and the rights of --to-data-dir',
  }
  return {
    ...target,
    holdsAlready: async () => false,
    async isSource(from) {
      if (from === to) return true
      try {
        await mkdir(to, { recursive: true, mode: 0o700 })
        return (await realpath(from).catch(() => from)) === (await realpath(to))
      } catch (error) {
        throw cannotStore('', target, error)
      }
    },
  }
}

function bucketTarget(store: ArtifactStore): Target {
  return {
    store,
    isSource: async () => false,
    holdsAlready: store.has,
    placeOf: name => `${name} in the bucket`,
    check: 'ARTIFACTS_S3_BUCKET and the rights in it',
  }
}

/** Copies a file, and compares what the target reads. */
async function copy(path: string, name: string, target: Target): Promise<void> {
  const { store } = target
  const hash = await hashOf(createReadStream(path))
  const storedHash = async () => {
    const stored = await store.read(name)
    return stored && (await hashOf(stored))
  }
  if ((await storedHash().catch(() => undefined)) === hash) return
  try {
    await store.write(name, createReadStream(path))
    if ((await storedHash()) !== hash) throw new Error('the copy differs from the original')
  } catch (error) {
    await store.remove([name]).catch(() => {})
    throw cannotStore(name, target, error instanceof GatewayError ? error.cause : error)
  }
}

async function hashOf(content: Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(content, hash)
  return hash.digest('hex')
}

function cannotStore(name: string, { placeOf, check }: Pick<Target, 'placeOf' | 'check'>, cause: unknown): UsageError {
  const why = errorCode(cause) ?? (cause instanceof Error ? cause.message : 'unknown error')
  return new UsageError(`Cannot store ${placeOf(name)} (${why}). Check ${check}. Nothing was moved.`)
}
