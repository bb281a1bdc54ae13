import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto'
import { once } from '../../lib/configuration/faults.ts'
import type { KeyRing, NamedKey } from '../../lib/configuration/key-ring.ts'
import { ARTIFACT_ID, type Artifact } from './artifact.ts'

/** The query of a request. A repeated parameter is not a string. */
export type Query = Readonly<Record<string, unknown>>

/** Signs and verifies URLs of artifacts. Anyone who has a URL can use it until it expires. */
interface UrlSigner {
  urlOf(artifact: Pick<Artifact, 'id' | 'orgId' | 'expiresAt'>, origin: string): string
  /** Returns what a URL was signed for; undefined unless a key of the ring signed exactly this URL. */
  read(id: string, query: Query): { orgId: string; expiresAt: Date } | undefined
}

/** Creates a signer. The first key signs, all keys verify; the URL names its key. */
export function createUrlSigner(keys: KeyRing): UrlSigner {
  const [first] = keys

  return {
    urlOf({ id, orgId, expiresAt }, origin) {
      // Rounded down to the second: a URL never outlives its file.
      const expires = String(Math.floor(expiresAt.getTime() / 1000))
      const url = new URL(`/artifacts/${id}`, origin)
      url.searchParams.set('org', orgId)
      url.searchParams.set('expires', expires)
      url.searchParams.set('key', first.id)
      url.searchParams.set('signature', signatureOf(first, 'v1', id, orgId, expires))
      return url.href
    },

    read(id, { org, expires, key: keyId, signature: given }) {
      const key = keys.find(key => key.id === keyId)
      if (key === undefined || typeof org !== 'string' || typeof expires !== 'string' || typeof given !== 'string')
        return undefined
      if (!ARTIFACT_ID.test(id) || !isEqual(given, signatureOf(key, 'v1', id, org, expires))) return undefined
      return { orgId: org, expiresAt: new Date(Number(expires) * 1000) }
    },
  }
}

/** Signs a JSON list, in which different values never give the same text. The version tells kinds of URLs apart. */
export function signatureOf({ id: keyId, key }: NamedKey, version: string, ...values: string[]): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([version, keyId, ...values]))
    .digest('base64url')
}

/** Compares the text, not the decoded bytes, because base64url has several spellings of the same bytes. */
export function isEqual(given: string, expected: string): boolean {
  const bytes = Buffer.from(given)
  return bytes.length === expected.length && timingSafeEqual(bytes, Buffer.from(expected))
}

const LABEL = 'connector-gateway artifact url v1'

/**
 * Derives the keys that sign URLs, one from each vault key and its ID. A derived key reveals nothing about the vault
 * (RFC 5869).
 */
export function signingKeysOf([first, ...rest]: KeyRing): KeyRing {
  return [derived(first), ...rest.map(derived)]
}

/** Derives at the first use: a command that signs nothing runs without VAULT_KEYS. */
function derived(named: NamedKey): NamedKey {
  const key = once(() => createSecretKey(Buffer.from(hkdfSync('sha256', named.key, '', LABEL, 32))))
  return {
    get id() {
      return named.id
    },
    get key() {
      return key()
    },
  }
}
