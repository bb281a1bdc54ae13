import { Readable } from 'node:stream'
import { type Kysely, sql } from 'kysely'
import type { KeyRing } from '../../lib/configuration/key-ring.ts'
import { retryRead } from '../../lib/database/database-errors.ts'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { type Artifact, fileName } from './artifact.ts'
import type { ArtifactStore, ByteRange } from './artifact-store.ts'
import { inspect } from './inspect.ts'
import { createUrlSigner } from './signed-url.ts'

/** A file to store. */
interface NewArtifact {
  orgId: string
  /** The member that the file belongs to. */
  userId: string
  name: string
  body: Readable
  /** What the file is said to be. Its content decides; this only refines text, to `text/csv` for example. */
  mediaType?: string | undefined
  signal?: AbortSignal | undefined
  /** Whether the file is the result of work that a provider has charged for. It may exceed the organization's quota. */
  paid?: boolean
  /** The ID, if it was promised before; a new one if absent. */
  id?: string
  /** A maximum size below that of all artifacts, and the error above it. */
  limit?: { readonly maxBytes: number; readonly error: 'invalid_request' | 'body_too_large' }
}

/** A stored file: without a name in the store, its ID is that name. */
interface StoredArtifact {
  readonly id: string
  readonly storedAs?: string | null
}

/** Inserts the row of a stored file, with the database or a transaction. */
type InsertArtifact = (db: Kysely<Database>) => Promise<Artifact>

/** Files that tools create and members upload: in a store, typed by content, removed when they expire. */
export interface Artifacts {
  /** The maximum size of a file, in bytes. */
  readonly maxBytes: number
  /**
   * Stores a stream as a whole or not at all. `commit` inserts the row in a transaction of the caller; if it fails, the
   * file is removed. Throws invalid_request above the size limit, quota_exceeded above the organization's quota, and
   * internal_error if the store does not work.
   */
  create(file: NewArtifact, commit?: (insert: InsertArtifact) => Promise<Artifact>): Promise<Artifact>
  /** Returns a member's own file by its ID; undefined for an unknown or expired one, and for that of another member. */
  find(owner: { readonly orgId: string; readonly userId: string }, id: string): Promise<Artifact | undefined>
  /** Returns a URL on `origin` that serves the artifact without a credential until it expires. */
  urlOf(artifact: Pick<Artifact, 'id' | 'orgId' | 'expiresAt'>, origin: string): string
  /** Returns the artifact of a signed URL; undefined for an invalid signature, and for a file that is gone. */
  open(id: string, query: Readonly<Record<string, unknown>>): Promise<Artifact | undefined>
  /** Returns the bytes of an artifact; undefined if the store does not have them. */
  read(artifact: StoredArtifact, range?: ByteRange): Promise<Readable | undefined>
  /** Returns whether the store has the bytes of an artifact. */
  has(artifact: StoredArtifact): Promise<boolean>
  /** Throws quota_exceeded if an organization can store nothing more now. */
  requireSpace(orgId: string): Promise<void>
  /**
   * Stores a byte and removes it, before work that costs money and ends with files of up to `bytes`. Throws quota_exceeded if
   * the organization has less space left, and internal_error if the store does not work.
   */
  requireStorage(orgId: string, bytes: number): Promise<void>
}

export interface ArtifactsOptions extends Pick<Infrastructure, 'db' | 'clock' | 'ids'> {
  store: ArtifactStore
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
  const { db, clock, ids, store, signingKeys } = options
  const { maxBytes = 2 * 1024 ** 3, maxOrgBytes = 10 * 1024 ** 3, keepMs = 86_400_000 } = options
  const quota = createQuota({ db, clock, maxBytes: maxOrgBytes })
  const signer = createUrlSigner(signingKeys)

  async function rowOf(orgId: string, id: string) {
    const row = await retryRead(() =>
      forOrg(db, orgId).selectFrom('artifacts').selectAll().where('id', '=', id).executeTakeFirst(),
    )
    return row === undefined || row.expires_at.getTime() <= clock.now() ? undefined : row
  }

  async function requireSpace(orgId: string, wanted?: number): Promise<void> {
    const reservation = await quota.reserve(orgId, wanted === undefined ? {} : { wanted })
    reservation.end()
  }

  return {
    maxBytes,

    async create(
      { orgId, userId, body, signal, mediaType: hint, limit, paid, ...file },
      commit = insert => insert(db),
    ) {
      // Without a listener, a stream that fails before it is read would end the process.
      body.on('error', () => {})
      const { id = ids('art'), name } = file
      // Two uploads of one ID must not write the same file.
      const storedAs = file.id === undefined ? id : ids('art')
      let reservation: Reservation | undefined
      try {
        reservation = await quota.reserve(orgId, { paid: paid === true })
        const { add: count, confirm } = reservation
        const limits = { maxBytes: limit?.maxBytes ?? maxBytes, tooLarge: limit?.error ?? 'invalid_request' } as const
        const { content, result } = inspect(body, { ...limits, mediaType: hint, count, confirm, signal })
        await store.write(storedAs, content, signal)
        const { bytes, mediaType } = await result()
        return await commit(async trx => {
          const createdAt = new Date(clock.now())
          const expiresAt = new Date(clock.now() + keepMs)
          const artifact = { id, orgId, name: fileName(name), mediaType, bytes, createdAt, expiresAt, storedAs }
          await forOrg(trx, orgId).insertInto('artifacts', toRow(artifact, userId)).execute()
          return artifact
        })
      } catch (error) {
        body.destroy()
        await store.remove([storedAs]).catch(() => {})
        throw error
      } finally {
        reservation?.end()
      }
    },

    async find({ orgId, userId }, id) {
      const row = await rowOf(orgId, id)
      return row?.user_id === userId ? fromRow(row) : undefined
    },

    urlOf: signer.urlOf,

    async open(id, query) {
      const signed = signer.read(id, query)
      if (signed === undefined || signed.expiresAt.getTime() <= clock.now()) return undefined
      const row = await rowOf(signed.orgId, id)
      return row && fromRow(row)
    },

    read: ({ id, storedAs }, range) => store.read(storedAs ?? id, range),
    has: ({ id, storedAs }) => store.has(storedAs ?? id),

    requireSpace: orgId => requireSpace(orgId),

    async requireStorage(orgId, bytes) {
      await requireSpace(orgId, bytes)
      const probe = ids('art')
      await store.write(probe, Readable.from([Buffer.of(0)]))
      await store.remove([probe])
    },
  }
}

interface Row {
  org_id: string
  id: string
  name: string
  media_type: string
  bytes: number
  created_at: Date
  expires_at: Date
  stored_as: string | null
}

function toRow({ id, name, mediaType, bytes, createdAt, expiresAt, storedAs }: Artifact, userId: string) {
  const times = { created_at: createdAt, expires_at: expiresAt }
  return { id, user_id: userId, name, media_type: mediaType, bytes, ...times, stored_as: storedAs }
}

function fromRow({ id, org_id, name, media_type, bytes, created_at, expires_at, stored_as }: Row): Artifact {
  const times = { createdAt: created_at, expiresAt: expires_at }
  return { id, orgId: org_id, name, mediaType: media_type, bytes, ...times, storedAs: stored_as ?? id }
}

/** The minimum size that a file counts as: even an empty one takes a row and a file name. */
const MIN_COUNTED_BYTES = 64 * 1024

/** The reserved space of one file while it is stored. */
interface Reservation {
  /** Counts received bytes. Throws quota_exceeded if they exceed the quota. */
  add(bytes: number): void
  /** Checks the complete file against what is stored now. Throws quota_exceeded. */
  confirm(): Promise<void>
  /** Ends the reservation after the file is stored or rejected. Call it once. */
  end(): void
}

/** The limit on an organization's stored files. */
interface Quota {
  /**
   * Reserves space for one more file. Throws quota_exceeded if less than `wanted` bytes are left. A file that is `paid` for
   * counts like any other, and is never rejected.
   */
  reserve(orgId: string, options?: { wanted?: number; paid?: boolean }): Promise<Reservation>
}

function createQuota({ db, clock, maxBytes }: Pick<Infrastructure, 'db' | 'clock'> & { maxBytes: number }): Quota {
  /** The bytes that this process is storing now, by organization. */
  const inFlightBytes = new Map<string, number>()

  function count(orgId: string, bytes: number): void {
    const left = (inFlightBytes.get(orgId) ?? 0) + bytes
    if (left === 0) inFlightBytes.delete(orgId)
    else inFlightBytes.set(orgId, left)
  }

  async function stored(orgId: string): Promise<number> {
    const { bytes } = await forOrg(db, orgId)
      .selectFrom('artifacts')
      .where('expires_at', '>', new Date(clock.now()))
      .select(sql<string | null>`sum(greatest(bytes, ${MIN_COUNTED_BYTES}::bigint))`.as('bytes'))
      .executeTakeFirstOrThrow()
    return Number(bytes)
  }

  return {
    async reserve(orgId, { wanted = MIN_COUNTED_BYTES, paid = false } = {}) {
      const before = await stored(orgId)
      const requireSpace = (used: number) => {
        if (!paid && used + (inFlightBytes.get(orgId) ?? 0) > maxBytes) throw full(maxBytes)
      }
      let came = 0
      let counted = 0
      // Rejected bytes are never counted: a rejected file must not take space from others.
      const take = (more: number) => {
        requireSpace(before + more)
        counted += more
        count(orgId, more)
      }
      requireSpace(before + wanted)
      take(MIN_COUNTED_BYTES)
      return {
        add(bytes) {
          came += bytes
          take(Math.max(came - counted, 0))
        },
        // Files that were stored meanwhile are no longer in flight.
        confirm: async () => requireSpace(await stored(orgId)),
        end: () => count(orgId, -counted),
      }
    },
  }
}

function full(maxBytes: number): GatewayError {
  const size = maxBytes >= 1024 ** 3 ? `${Math.floor(maxBytes / 1024 ** 3)} GiB` : `${maxBytes} bytes`
  return new GatewayError(
    'quota_exceeded',
    `The files of your organization have reached their limit of ${size}. Files are removed when they expire: retry later, or request a smaller file.`,
  )
}
