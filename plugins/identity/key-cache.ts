import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../schemas/time.ts'
import type { ApiKeyIdentity } from './identity.ts'

const FRESH_MS = 10_000
const USABLE_MS = 10 * 60_000
const UNKNOWN_MS = 5_000
/** How long a failed look-up is not tried again for a caller who is served from the cache meanwhile. */
const BACK_OFF_MS = 1_000

interface Entry {
  identity: ApiKeyIdentity
  readAt: number
  recheckAt: number
}

/**
 * Who the known keys belong to, by the digest of the key: fresh for 10 s, usable for 10 min while the database is
 * down; keys that are not found are kept 5 s beside them (decisions.md, key cache).
 */
export class KeyCache {
  readonly #clock: Clock
  readonly #known: LRUCache<string, Entry>
  readonly #unknown: LRUCache<string, number>
  /** Grows with every change event: what was read before one is not kept after it. */
  generation = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.#known = new LRUCache({ max: 50_000 })
    this.#unknown = new LRUCache({ max: 10_000 })
  }

  /** What a credential is cached by: a digest of the whole of it. */
  digest(credential: string): string {
    return hash('sha256', credential, 'base64url')
  }

  /** The owner of a key that was looked up within the last 10 s. */
  fresh(digest: string): ApiKeyIdentity | undefined {
    const entry = this.#known.get(digest)
    const now = this.#clock.now()
    return entry !== undefined && now < entry.recheckAt && !expired(entry, now) ? entry.identity : undefined
  }

  /** The owner of a key that was looked up within the last 10 min, for when the database does not answer. */
  usable(digest: string): ApiKeyIdentity | undefined {
    const entry = this.#known.get(digest)
    const now = this.#clock.now()
    if (entry === undefined || now >= entry.readAt + USABLE_MS || expired(entry, now)) return undefined
    entry.recheckAt = now + BACK_OFF_MS
    return entry.identity
  }

  isUnknown(digest: string): boolean {
    const until = this.#unknown.get(digest)
    return until !== undefined && this.#clock.now() < until
  }

  keep(digest: string, identity: ApiKeyIdentity): void {
    const now = this.#clock.now()
    this.#known.set(digest, { identity, readAt: now, recheckAt: now + FRESH_MS })
    this.#unknown.delete(digest)
  }

  keepUnknown(digest: string): void {
    this.#known.delete(digest)
    this.#unknown.set(digest, this.#clock.now() + UNKNOWN_MS)
  }

  /** Forgets whom a change event may be about. */
  drop(concerns: (identity: ApiKeyIdentity) => boolean): void {
    this.generation++
    for (const [digest, { identity }] of this.#known.entries()) if (concerns(identity)) this.#known.delete(digest)
  }

  /** Has everything looked up again at its next use, because change events may have been missed. */
  recheckAll(): void {
    this.generation++
    for (const entry of this.#known.values()) entry.recheckAt = 0
  }

  get size(): number {
    return this.#known.size + this.#unknown.size
  }
}

function expired({ identity }: Entry, now: number): boolean {
  return identity.expiresAt !== null && now >= identity.expiresAt
}
