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

/** Files that tools create: on disk, typed by content, removed when they expire. */
export interface Artifacts {
  /**
   * Stores a stream as a whole or not at all. Throws invalid_request above the size limit, quota_exceeded above the
   * organization's quota, and internal_error if the disk does not store it.
   */
  create(file: { orgId: string; userId: string; name: string; body: Readable; signal?: AbortSignal }): Promise<Artifact>
  /** Returns a URL on `origin` that serves the artifact without a credential until it expires. */
  urlOf(artifact: Pick<Artifact, 'id' | 'orgId' | 'expiresAt'>, origin: string): string
  /** Returns the artifact of a signed URL; undefined for an invalid signature, and for a file that is gone. */
  open(id: string, query: Readonly<Record<string, unknown>>): Promise<(Artifact & { path: string }) | undefined>
}

export interface ArtifactsOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  /** The directory of the files, shared by all processes. Created with the first file. */
  directory: string
  /** The first key signs URLs, all keys verify them (signed-url.ts). */
  signingKeys: KeyRing
  /** The maximum size of a file, in bytes; 2 GiB if absent. */
  maxBytes?: number
  /**
   * The maximum total size of an organization's files, in bytes; 10 GiB if absent. A file counts as at least 64 KiB.
   */
  maxOrgBytes?: number
  /** How long a file is kept, in milliseconds; 24 h if absent. */
  keepMs?: number
}

export function createArtifacts(options: ArtifactsOptions): Artifacts {
  const { db, clock, ids, directory, signingKeys } = options
  const { maxBytes = 2 * 1024 ** 3, maxOrgBytes = 10 * 1024 ** 3, keepMs = 86_400_000 } = options
  const quota = createQuota({ db, clock, maxBytes: maxOrgBytes })
  const signer = createUrlSigner(signingKeys)

  return {
    async create({ orgId, userId, name, body, signal }) {
      // Without a listener, a stream that fails before it is read would end the process.
      body.on('error', () => {})
      const id = ids('art')
      const path = join(directory, id)
      const draft = `${path}${DRAFT}`
      let reservation: Reservation | undefined
      try {
        reservation = await quota.reserve(orgId)
        await mkdir(directory, { recursive: true, mode: 0o700 })
        const { bytes, mediaType } = await ingest(body, draft, { maxBytes, count: reservation.add, signal })
        await reservation.confirm()
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
        reservation?.end()
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

/**
 * The disk is full, read-only, not accessible or broken, another file is in the way, or there are no file descriptors.
 */
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
    'This gateway cannot store files now. Have an operator check the disk of DATA_DIR. Tools without files still work.',
    { cause },
  )
}

/** A file name is only durable after its directory is synced. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
