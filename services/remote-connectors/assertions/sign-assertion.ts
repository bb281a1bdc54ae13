import { randomUUID } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import type { Kysely } from 'kysely'
import { LOOKUP_DEADLINE_MS, retryRead } from '../../../lib/database/database-errors.ts'
import { ReadCache } from '../../../lib/database/read-cache.ts'
import type { Database } from '../../../lib/database/tables.ts'
import { forOrg } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { VaultError } from '../../../lib/vault/vault.ts'
import type { Role } from '../../../schemas/role.ts'
import type { Clock } from '../../../schemas/time.ts'
import type { Registration } from '../registration.ts'
import { ASSERTION_ALGORITHM, type AssertionKeys } from './assertion-keys.ts'

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
