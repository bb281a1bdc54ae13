import { randomBytes, randomUUID } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import type { Kysely } from 'kysely'
import { LOOKUP_DEADLINE_MS, retryRead } from '../../lib/database/database-errors.ts'
import { ReadCache } from '../../lib/database/read-cache.ts'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { type Place, type Vault, VaultError } from '../../lib/vault/vault.ts'
import type { Role } from '../../schemas/organizations/member.ts'
import type { Clock } from '../../schemas/primitives/time.ts'
import type { Registration } from './registration.ts'

const ASSERTION_ALGORITHM = 'ES256'

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
interface AssertionKeys {
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

/** Who calls: a member, and the agent that acts for them. */
interface Acting {
  readonly userId: string
  readonly agentId?: string | undefined
}

/**
 * Signs who calls a registered server: a JWT (RFC 7519) of one minute for this server only. Throws internal_error if the
 * key cannot be opened, and needs_reauth for a user who is not an active member.
 */
export type SignAssertion = (registration: Registration, acting: Acting) => Promise<string>

const LIFETIME_S = 60
/** A changed role or email reaches the servers after at most this time. */
const FRESH_MS = 10_000

interface Person {
  readonly email: string | null
  readonly role: Role
}

export function createSignAssertion({
  db,
  clock,
  keys,
  origin,
}: {
  db: Kysely<Database>
  clock: Clock
  keys: Pick<AssertionKeys, 'signing'>
  /** The public origin of the gateway. */
  origin(): string
}): SignAssertion {
  const people = new ReadCache<Person>({ clock, max: 50_000, freshMs: FRESH_MS })

  async function personOf(orgId: string, userId: string): Promise<Person> {
    const key = `${orgId} ${userId}`
    const query = forOrg(db, orgId)
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.user_id')
      .where('memberships.user_id', '=', userId)
      .where('memberships.revoked_at', 'is', null)
      .select(['users.email', 'memberships.role'])
    const read = () => retryRead(() => query.executeTakeFirst(), LOOKUP_DEADLINE_MS)
    const person = people.fresh(key) ?? (await people.read(key, read))
    if (person !== undefined) return person
    throw new GatewayError('needs_reauth', 'You are not a member of this organization. Ask an admin to invite you.')
  }

  return async function signAssertion({ orgId, upstreamUrl }, { userId, agentId }) {
    const { email, role } = await personOf(orgId, userId)
    const { kid, jwk } = await keys.signing().catch(toOpenError)
    const now = Math.floor(clock.now() / 1_000)
    // Identity providers that do not say whether they verified an address let its user choose it, and nothing stored
    // tells these addresses from others.
    const claims = { email, email_verified: false, org_id: orgId, role }
    return new SignJWT({ ...claims, ...(agentId !== undefined && { agent_id: agentId }) })
      .setProtectedHeader({ alg: ASSERTION_ALGORITHM, kid, typ: 'JWT' })
      .setIssuer(assertionIssuer(origin(), orgId))
      .setSubject(userId)
      .setAudience(upstreamUrl)
      .setIssuedAt(now)
      .setExpirationTime(now + LIFETIME_S)
      .setJti(randomUUID())
      .sign(await importJWK(jwk, ASSERTION_ALGORITHM))
  }
}

/**
 * The issuer of an organization's assertions. Each organization has its own, because any organization may register the URL
 * of another one's server: checking `iss` must be enough to reject its assertions.
 */
function assertionIssuer(origin: string, orgId: string): string {
  return `${origin}/organizations/${orgId}`
}

function toOpenError(error: unknown): never {
  if (!(error instanceof VaultError)) throw error
  throw new GatewayError(
    'internal_error',
    'The key that signs assertions cannot be opened. Ask the operator to add its key to VAULT_KEYS.',
    { cause: error },
  )
}
