import type { Readable } from 'node:stream'
import type { KeyRing } from '../../lib/configuration/key-ring.ts'
import { errorCode, UNIQUE_VIOLATION } from '../../lib/database/database-errors.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'
import { type Artifact, fileName } from './artifact.ts'
import type { Artifacts } from './artifacts.ts'
import { createUploadSigner, type UploadTicket } from './upload-url.ts'

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

interface UploadsOptions {
  artifacts: Pick<Artifacts, 'create' | 'find' | 'requireSpace' | 'maxBytes'>
  clock: Clock
  ids: IdSource
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
    `This URL was used: ${id} is complete. For another file, request another URL with files__upload.`,
  )
}
