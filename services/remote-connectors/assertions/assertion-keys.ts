import { randomBytes } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Kysely } from 'kysely'
import { LOOKUP_DEADLINE_MS, retryRead } from '../../../lib/database/database-errors.ts'
import { ReadCache } from '../../../lib/database/read-cache.ts'
import type { Database } from '../../../lib/database/tables.ts'
import type { Place, Vault } from '../../../lib/vault/vault.ts'
import type { Clock } from '../../../schemas/time.ts'

export const ASSERTION_ALGORITHM = 'ES256'

const DAY_MS = 86_400_000
/** How long a key signs. */
const SIGNS_MS = 30 * DAY_MS
/** How long a key is published before it signs, and after. Servers may cache the published keys for a day. */
const OVERLAP_MS = 2 * DAY_MS

/** A signing key, still sealed. */
interface StoredKey {
  readonly id: string
  readonly publicJwk: JWK
  readonly sealed: string
  readonly signsFrom: number
  readonly signsUntil: number
}

/** The keys that sign who calls an organization's own servers. */
export interface AssertionKeys {
  /** The published keys, without their private parts; creates the first one, and the next one in time. */
  published(): Promise<readonly JWK[]>
  /** The private key that signs now, opened for one assertion. Throws a VaultError. */
  signing(): Promise<{ kid: string; jwk: JWK }>
}

export function createAssertionKeys({
  db,
  clock,
  vault,
}: {
  db: Kysely<Database>
  clock: Clock
  vault: Pick<Vault, 'seal' | 'open'>
}): AssertionKeys {
  const cache = new ReadCache<readonly StoredKey[]>({ clock, max: 1 })

  async function load(): Promise<readonly StoredKey[]> {
    const rows = await retryRead(
      () =>
        db
          .selectFrom('assertion_keys')
          .where('published_until', '>', new Date(clock.now()))
          .orderBy('signs_from')
          .selectAll()
          .execute(),
      LOOKUP_DEADLINE_MS,
    )
    return rows.map(row => ({
      id: row.id,
      publicJwk: row.public_jwk,
      sealed: row.sealed,
      signsFrom: row.signs_from.getTime(),
      signsUntil: row.signs_until.getTime(),
    }))
  }

  async function create(signsFrom: number): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair(ASSERTION_ALGORITHM, { extractable: true })
    const publicJwk = await exportJWK(publicKey)
    const id = `${await calculateJwkThumbprint(publicJwk)}.${randomBytes(4).toString('hex')}`
    const { sealed, keyId } = vault.seal(placeOf(id), JSON.stringify(await exportJWK(privateKey)))
    const signsUntil = signsFrom + SIGNS_MS
    await db
      .insertInto('assertion_keys')
      .values({
        id,
        public_jwk: JSON.stringify({ ...publicJwk, kid: id, alg: ASSERTION_ALGORITHM, use: 'sig' }),
        sealed,
        key_id: keyId,
        signs_from: new Date(signsFrom),
        signs_until: new Date(signsUntil),
        published_until: new Date(signsUntil + OVERLAP_MS),
      })
      // Another process has created the next key.
      .onConflict(conflict => conflict.column('signs_from').doNothing())
      .execute()
    cache.recheckAll()
  }

  /** The published keys, in the order in which they sign. One of them signs now. */
  async function keys({ cached }: { cached: boolean }): Promise<readonly StoredKey[]> {
    for (;;) {
      const known = cached ? cache.fresh('keys') : undefined
      const stored = known ?? (await cache.read('keys', load)) ?? []
      const now = clock.now()
      const last = stored.at(-1)
      if (last !== undefined && last.signsUntil - now > OVERLAP_MS) return stored
      await create(last === undefined ? now : Math.max(last.signsUntil, now))
    }
  }

  return {
    // Not from the cache: another process may have created the key that a server asks for.
    published: async () => (await keys({ cached: false })).map(({ publicJwk }) => publicJwk),

    async signing() {
      const stored = await keys({ cached: true })
      // Read after the keys: the first key signs from its creation. If another process created it, its clock may be ahead.
      const now = clock.now()
      const { id, sealed } = stored.findLast(({ signsFrom }) => signsFrom <= now) ?? stored[0] ?? never()
      return { kid: id, jwk: JSON.parse(vault.open(placeOf(id), sealed)) }
    },
  }
}

function never(): never {
  throw new TypeError('No assertion key signs now')
}

/** The keys belong to no organization. */
function placeOf(id: string): Place {
  return { table: 'assertion_keys', column: 'sealed', orgId: '', id }
}
