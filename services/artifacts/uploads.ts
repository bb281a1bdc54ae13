import type { Readable } from 'node:stream'
import type { KeyRing } from '../../lib/configuration/key-ring.ts'
import { errorCode, UNIQUE_VIOLATION } from '../../lib/database/database-errors.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { ARTIFACT_ID, type Artifact, fileName } from './artifact.ts'
import type { Artifacts } from './artifacts.ts'
import { isEqual, type Query, signatureOf } from './signed-url.ts'

/** What an upload URL allows: one file, from a member. */
export interface UploadTicket {
  /** The ID of the artifact that the upload creates. */
  readonly id: string
  readonly orgId: string
  readonly userId: string
  readonly name: string
  /** What the member says the file is. */
  readonly mediaType: string | undefined
  readonly maxBytes: number
  readonly expiresAt: Date
}

/** Signs and verifies upload URLs. Anyone who has a URL can upload the file until it expires. */
interface UploadSigner {
  urlOf(ticket: UploadTicket, origin: string): string
  /** Returns the ticket of a URL; undefined unless a key of the ring signed exactly this URL. */
  read(id: string, query: Query): UploadTicket | undefined
}

type Payload = [
  orgId: string,
  userId: string,
  name: string,
  mediaType: string | null,
  maxBytes: number,
  expires: number,
]

/** Creates a signer. The first key signs, all keys verify; the URL names its key. */
function createUploadSigner(keys: KeyRing): UploadSigner {
  const [first] = keys

  return {
    urlOf({ id, orgId, userId, name, mediaType, maxBytes, expiresAt }, origin) {
      const payload: Payload = [
        orgId,
        userId,
        name,
        mediaType ?? null,
        maxBytes,
        Math.floor(expiresAt.getTime() / 1000),
      ]
      const upload = Buffer.from(JSON.stringify(payload)).toString('base64url')
      const url = new URL(`/artifacts/${id}`, origin)
      url.searchParams.set('upload', upload)
      url.searchParams.set('key', first.id)
      url.searchParams.set('signature', signatureOf(first, 'upload v1', id, upload))
      return url.href
    },

    read(id, { upload, key: keyId, signature: given }) {
      const key = keys.find(key => key.id === keyId)
      if (key === undefined || typeof upload !== 'string' || typeof given !== 'string') return undefined
      if (!ARTIFACT_ID.test(id) || !isEqual(given, signatureOf(key, 'upload v1', id, upload))) return undefined
      // Signed by this gateway.
      const payload = JSON.parse(Buffer.from(upload, 'base64url').toString()) as Payload
      const [orgId, userId, name, mediaType, maxBytes, expires] = payload
      return {
        id,
        orgId,
        userId,
        name,
        mediaType: mediaType ?? undefined,
        maxBytes,
        expiresAt: new Date(expires * 1000),
      }
    },
  }
}

/** Files that members send, each with a signed URL for one upload. */
export interface Uploads {
  /** Offers one upload. Throws quota_exceeded if the organization has no space left. */
  offer(file: NewUpload, origin: string): Promise<UploadOffer>
  /** Returns what an upload URL was signed for; undefined for an invalid signature and an expired URL. */
  accept(id: string, query: Readonly<Record<string, unknown>>): UploadTicket | undefined
  /**
   * Stores the file of an upload, as a whole or not at all. Throws upload_completed if there is one already,
   * body_too_large above the size of the ticket, rate_limit_exceeded, and what Artifacts.create throws.
   */
  receive(ticket: UploadTicket, body: Readable, signal: AbortSignal): Promise<Artifact>
}

interface NewUpload {
  orgId: string
  userId: string
  name: string
  mediaType?: string | undefined
  /** The maximum size in bytes; that of every artifact if absent. */
  maxBytes?: number | undefined
}

interface UploadOffer {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly maxBytes: number
  readonly expiresAt: Date
}

interface UploadsOptions extends Pick<Infrastructure, 'clock' | 'ids'> {
  artifacts: Pick<Artifacts, 'create' | 'find' | 'requireSpace' | 'maxBytes'>
  /** The first key signs URLs, all keys verify them. */
  signingKeys: KeyRing
}

/** How long an upload can be started. */
const OFFERED_MS = 15 * 60_000
/** The maximum number of uploads of an organization that a process receives at a time. */
const MAX_AT_ONCE = 16

export function createUploads({ artifacts, clock, ids, signingKeys }: UploadsOptions): Uploads {
  const signer = createUploadSigner(signingKeys)
  /** The uploads in progress, by organization. */
  const inProgress = new Map<string, number>()

  function begin(orgId: string): void {
    const before = inProgress.get(orgId) ?? 0
    if (before >= MAX_AT_ONCE)
      throw new GatewayError(
        'rate_limit_exceeded',
        `Your organization has ${MAX_AT_ONCE} uploads in progress. Retry in 10 s.`,
        { retryAfter: 10 },
      )
    inProgress.set(orgId, before + 1)
  }

  function end(orgId: string): void {
    const left = (inProgress.get(orgId) ?? 1) - 1
    if (left === 0) inProgress.delete(orgId)
    else inProgress.set(orgId, left)
  }

  return {
    async offer({ orgId, userId, name, mediaType, maxBytes = artifacts.maxBytes }, origin) {
      await artifacts.requireSpace(orgId)
      const ticket = {
        id: ids('art'),
        orgId,
        userId,
        name: fileName(name),
        mediaType,
        maxBytes: Math.min(maxBytes, artifacts.maxBytes),
        expiresAt: new Date(clock.now() + OFFERED_MS),
      }
      return { ...ticket, url: signer.urlOf(ticket, origin) }
    },

    accept(id, query) {
      const ticket = signer.read(id, query)
      return ticket === undefined || ticket.expiresAt.getTime() <= clock.now() ? undefined : ticket
    },

    async receive(ticket, body, signal) {
      const { id, orgId, userId } = ticket
      if ((await artifacts.find({ orgId, userId }, id)) !== undefined) throw completed(id)
      begin(orgId)
      try {
        const limit = { maxBytes: ticket.maxBytes, error: 'body_too_large' } as const
        return await artifacts.create({ ...ticket, limit, body, signal })
      } catch (error) {
        // Another upload of the same URL was faster.
        if (errorCode(error) === UNIQUE_VIOLATION) throw completed(id)
        throw error
      } finally {
        end(orgId)
      }
    },
  }
}

function completed(id: string): GatewayError {
  return new GatewayError(
    'upload_completed',
    `This URL was already used: ${id} is complete. For another file, request another URL with files__upload.`,
  )
}
