import type { KeyRing } from '../../lib/configuration/key-ring.ts'
import { ARTIFACT_ID } from './artifact.ts'
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
export function createUploadSigner(keys: KeyRing): UploadSigner {
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
