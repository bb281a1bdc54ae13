import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import type { KeyRing } from '../../lib/configuration/key-ring.ts'
import { errorCode, retryRead } from '../../lib/database/database-errors.ts'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'
import { type Artifact, DRAFT, fileName } from './artifact.ts'
import { ingest } from './ingest.ts'
import { createQuota, type Reservation } from './quota.ts'
import { createUrlSigner } from './signed-url.ts'

/** Files that tools make: on disk, typed by content, gone when they expire. */
export interface Artifacts {
  /** Takes a stream in, whole or not at all; throws invalid_request past the size limit, quota_exceeded past what an organization may have stored, internal_error for a disk that takes nothing. */
  create(file: { orgId: string; userId: string; name: string; body: Readable; signal?: AbortSignal }): Promise<Artifact>
  /** A URL on `origin` that serves it until it expires, without a credential. */
  urlOf(artifact: Pick<Artifact, 'id' | 'orgId' | 'expiresAt'>, origin: string): string
  /** What a signed URL leads to; undefined for a signature that is not good, or a file that is gone. */
  open(id: string, query: Readonly<Record<string, unknown>>): Promise<(Artifact & { path: string }) | undefined>
}

export interface ArtifactsOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  /** Where the bytes lie; several processes share it. Made when the first file comes. */
  directory: string
  /** The first signs URLs, all verify them (signing-keys.ts). */
  signingKeys: KeyRing
  /** The largest file, 2 GiB when absent. */
  maxBytes?: number
  /** What an organization may have stored at a time, 10 GiB when absent; a file counts as 64 KiB at least. */
  maxOrgBytes?: number
  /** How long a file is kept, 24 h when absent. */
  keepMs?: number
}

export function createArtifacts(options: ArtifactsOptions): Artifacts {
  const { db, clock, ids, directory, signingKeys } = options
  const { maxBytes = 2 * 1024 ** 3, maxOrgBytes = 10 * 1024 ** 3, keepMs = 86_400_000 } = options
  const quota = createQuota({ db, clock, maxBytes: maxOrgBytes })
  const signer = createUrlSigner(signingKeys)

  return {
    async create({ orgId, userId, name, body, signal }) {
      // A stream without a listener that fails before it is read would end the process.
      body.on('error', () => {})
      const id = ids('art')
      const path = join(directory, id)
      const draft = `${path}${DRAFT}`
      let room: Reservation | undefined
      try {
        room = await quota.reserve(orgId)
        await mkdir(directory, { recursive: true, mode: 0o700 })
        const { bytes, mediaType } = await ingest(body, draft, { maxBytes, count: room.add, signal })
        await room.confirm()
        await rename(draft, path)
        await syncDirectory(directory)
        const createdAt = new Date(clock.now())
        const artifact = { id, name: fileName(name), bytes }
        const expiresAt = new Date(clock.now() + keepMs)
        await forOrg(db, orgId)
          .insertInto('artifacts', {
            ...artifact,
            user_id: userId,
            media_type: mediaType,
            created_at: createdAt,
            expires_at: expiresAt,
          })
          .execute()
        return { ...artifact, orgId, mediaType, expiresAt }
      } catch (error) {
        body.destroy()
        await Promise.all([draft, path].map(file => rm(file, { force: true }).catch(() => {})))
        throw isDiskError(error) ? cannotStore(error) : error
      } finally {
        room?.end()
      }
    },

    urlOf: signer.urlOf,

    async open(id, query) {
      const signed = signer.read(id, query)
      if (signed === undefined || signed.expiresAt.getTime() <= clock.now()) return undefined
      const { orgId } = signed
      const row = await retryRead(() =>
        forOrg(db, orgId)
          .selectFrom('artifacts')
          .select(['name', 'media_type as mediaType', 'bytes', 'expires_at as expiresAt'])
          .where('id', '=', id)
          .executeTakeFirst(),
      )
      if (row === undefined || row.expiresAt.getTime() <= clock.now()) return undefined
      return { ...row, id, orgId, path: join(directory, id) }
    },
  }
}

/** Full, read-only, another user's, in the way, broken, or out of file descriptors. */
const DISK_CODES = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EPERM',
  'EEXIST',
  'ENOTDIR',
  'EIO',
  'EMFILE',
  'ENFILE',
])

function isDiskError(error: unknown): boolean {
  return DISK_CODES.has(errorCode(error) ?? '')
}

function cannotStore(cause: unknown): GatewayError {
  return new GatewayError(
    'internal_error',
    'This gateway cannot store files now: have an operator see to the disk of DATA_DIR. Tools that make no files go on.',
    { cause },
  )
}

/** A name is on the disk only with its directory. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
