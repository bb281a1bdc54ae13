import { LRUCache } from 'lru-cache'
import type { DatabaseEvents } from '../../lib/database/events.ts'
import { atMost } from '../../lib/lru.ts'
import type { Clock } from '../../schemas/primitives/time.ts'
import { type AgentIdentity, digestOf, type UserIdentity } from './identity.ts'

/** How long a verified token is accepted without a new verification. */
const VERIFIED_MS = 60_000

/** Who a token can name. */
export type TokenIdentity = UserIdentity | AgentIdentity

interface Verified {
  identity: TokenIdentity
  until: number
}

/**
 * The users and agents of tokens that were verified within the last minute. An event drops the tokens of a user who lost a sign-in.
 * The cache key is the audience and a digest of the whole token, because two tokens may differ only in their last
 * characters.
 */
export class TokenCache {
  readonly #clock: Clock
  readonly #verified = new LRUCache<string, Verified>(atMost(50_000))

  constructor(clock: Clock, events: Pick<DatabaseEvents, 'on'>) {
    this.#clock = clock
    events.on('user', ({ id }) => {
      for (const [key, { identity }] of this.#verified.entries())
        if (id === null || identity.userId === id) this.#verified.delete(key)
    })
  }

  get(token: string, audience: string): TokenIdentity | undefined {
    const verified = this.#verified.get(keyOf(token, audience))
    return verified !== undefined && this.#clock.now() < verified.until ? verified.identity : undefined
  }

  /** Caches who it names for a minute, but not beyond the token's expiry (milliseconds since the epoch). */
  keep(token: string, audience: string, identity: TokenIdentity, expiresAt: number): void {
    const until = Math.min(this.#clock.now() + VERIFIED_MS, expiresAt)
    this.#verified.set(keyOf(token, audience), { identity, until })
  }
}

function keyOf(token: string, audience: string): string {
  return `${audience} ${digestOf(token)}`
}
