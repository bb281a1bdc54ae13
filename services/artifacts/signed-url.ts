import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { KeyRing, NamedKey } from '../../lib/configuration/key-ring.ts'
import { ARTIFACT_ID, type Artifact } from './artifact.ts'

/** A query as it came: a parameter that stands twice is no string. */
type Query = Readonly<Record<string, unknown>>

/** URLs that lead to one artifact of one organization until they expire, for whoever has them. */
export interface UrlSigner {
  urlOf(artifact: Pick<Artifact, 'id' | 'orgId' | 'expiresAt'>, origin: string): string
  /** What a URL was signed for; undefined where it was not, to the character, by a key of the ring. */
  read(id: string, query: Query): { orgId: string; expiresAt: Date } | undefined
}

/** The first key signs, all verify; a key is named in the URL. */
export function createUrlSigner(keys: KeyRing): UrlSigner {
  const [first] = keys

  return {
    urlOf({ id, orgId, expiresAt }, origin) {
      // Down to the second: a URL never outlives its file.
      const expires = String(Math.floor(expiresAt.getTime() / 1000))
      const url = new URL(`/artifacts/${id}`, origin)
      url.searchParams.set('org', orgId)
      url.searchParams.set('expires', expires)
      url.searchParams.set('key', first.id)
      url.searchParams.set('signature', signature(first, id, orgId, expires))
      return url.href
    },

    read(id, { org, expires, key: keyId, signature: given }) {
      const key = keys.find(key => key.id === keyId)
      if (key === undefined || typeof org !== 'string' || typeof expires !== 'string' || typeof given !== 'string')
        return undefined
      if (!ARTIFACT_ID.test(id) || !isEqual(given, signature(key, id, org, expires))) return undefined
      return { orgId: org, expiresAt: new Date(Number(expires) * 1000) }
    },
  }
}

/** Over a list in JSON, in which no two sets of values are one text. */
function signature({ id: keyId, key }: NamedKey, id: string, orgId: string, expires: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify(['v1', keyId, id, orgId, expires]))
    .digest('base64url')
}

/** As text, not as the bytes it stands for: base64url has more than one spelling of them. */
function isEqual(given: string, expected: string): boolean {
  const bytes = Buffer.from(given)
  return bytes.length === expected.length && timingSafeEqual(bytes, Buffer.from(expected))
}

const LABEL = 'connector-gateway artifact url v1'

/** The keys that sign the URLs of artifacts, one of each vault key and of its id: whoever learns one learns nothing of the vault (RFC 5869). */
export function signingKeysOf([first, ...rest]: KeyRing): KeyRing {
  return [derived(first), ...rest.map(derived)]
}

function derived({ id, key }: NamedKey): NamedKey {
  return { id, key: createSecretKey(Buffer.from(hkdfSync('sha256', key, '', LABEL, 32))) }
}
