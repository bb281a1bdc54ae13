import { createHmac } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { GatewayEnvironment } from '../../schemas/environment.ts'
import type { Role } from '../../schemas/role.ts'
import type { Clock } from '../../schemas/time.ts'
import type { KeyRing, NamedKey } from '../configuration/key-ring.ts'
import type { DatabaseEvents } from '../database/events.ts'
import type { AgentStatus, Database } from '../database/tables.ts'
import { acrossOrgs } from '../database/tenant.ts'
import { retryRead } from '../database/unavailable.ts'
import { type ApiKeyIdentity, verifiedIdentity } from './identity.ts'
import { KeyCache } from './key-cache.ts'
import { isApiKey } from './key-format.ts'
import { KeyLookups } from './key-lookups.ts'

export interface ApiKeysOptions {
  db: Kysely<Database>
  events: DatabaseEvents
  clock: Clock
  environment: GatewayEnvironment
  /** All match. */
  peppers: KeyRing
}

/** Verifies API keys: from the cache where it can, else by one look-up a key at a time. */
export interface ApiKeys {
  /** The owner of a key that is in the cache and fresh; without a promise, because every request asks. */
  cached(key: string): ApiKeyIdentity | undefined
  /**
   * The owner of a key; undefined when it is malformed, of another environment, unknown, revoked or expired.
   * Throws the database's own error when only it could tell and it cannot be reached (which every route answers as
   * platform_db_unavailable), overloaded under a flood.
   */
  verify(key: string): Promise<ApiKeyIdentity | undefined>
  /** How many entries the caches hold, for probes and tests. */
  readonly cacheSize: number
}

interface Row {
  hash: string
  id: string
  org_id: string
  user_id: string
  role: Role
  expires_at: Date | null
  agent_id: string | null
  agent_status: AgentStatus | null
}

export function createApiKeys({ db, events, clock, environment, peppers }: ApiKeysOptions): ApiKeys {
  const cache = new KeyCache(clock)
  const lookups = new KeyLookups<Row>({ find: hashes => retryRead(() => findKeys(db, hashes)) })
  const underWay = new Map<string, Promise<ApiKeyIdentity | undefined>>()

  events.on('api_key', ({ orgId, id }) => cache.drop(who => who.orgId === orgId && (id === null || who.keyId === id)))
  events.on('agent', ({ orgId, id }) =>
    cache.drop(who => who.orgId === orgId && who.agent !== null && (id === null || who.agent.id === id)),
  )
  events.on('membership', ({ orgId, id }) =>
    cache.drop(who => who.orgId === orgId && (id === null || who.userId === id)),
  )
  events.onReset(() => cache.recheckAll())

  async function lookUp(key: string, digest: string): Promise<ApiKeyIdentity | undefined> {
    const { generation } = cache
    try {
      const row = await lookups.find(peppers.map(pepper => hashApiKey(key, pepper)))
      const identity = row === undefined || isExpired(row, clock.now()) ? undefined : toIdentity(row)
      if (generation === cache.generation) {
        if (identity === undefined) cache.keepUnknown(digest)
        else cache.keep(digest, identity)
      }
      return identity
    } catch (error) {
      const usable = cache.usable(digest)
      if (usable !== undefined) return usable
      throw error
    }
  }

  return {
    cached: key => cache.fresh(cache.digest(key)),
    async verify(key) {
      if (!isApiKey(key, environment)) return undefined
      const digest = cache.digest(key)
      const known = cache.fresh(digest)
      if (known !== undefined) return known
      if (cache.isUnknown(digest)) return undefined
      const running = underWay.get(digest)
      if (running !== undefined) return running
      const looking = lookUp(key, digest).finally(() => underWay.delete(digest))
      underWay.set(digest, looking)
      return looking
    },
    get cacheSize() {
      return cache.size + underWay.size
    },
  }
}

/** What the table keeps of a key: HMAC-SHA-256 under a pepper, in hexadecimal. */
export function hashApiKey(key: string, pepper: NamedKey): string {
  return createHmac('sha256', pepper.key).update(key).digest('hex')
}

/** The rows of these hashes that are not revoked and whose member still is one. No tenant is known before a key is. */
async function findKeys(db: Kysely<Database>, hashes: string[]): Promise<Row[]> {
  return acrossOrgs(db)
    .selectFrom('api_keys as k')
    .innerJoin('memberships as m', join => join.onRef('m.org_id', '=', 'k.org_id').onRef('m.user_id', '=', 'k.user_id'))
    .leftJoin('agents as a', join => join.onRef('a.org_id', '=', 'k.org_id').onRef('a.id', '=', 'k.agent_id'))
    .where('k.hash', 'in', hashes)
    .where('k.revoked_at', 'is', null)
    .where('m.revoked_at', 'is', null)
    .select([
      'k.hash',
      'k.id',
      'k.org_id',
      'k.user_id',
      'k.expires_at',
      'm.role',
      'a.id as agent_id',
      'a.status as agent_status',
    ])
    .execute()
}

function isExpired(row: Row, now: number): boolean {
  return row.expires_at !== null && now >= row.expires_at.getTime()
}

function toIdentity(row: Row): ApiKeyIdentity {
  const { agent_id, agent_status } = row
  return verifiedIdentity<ApiKeyIdentity>({
    via: 'api-key',
    userId: row.user_id,
    meterKey: row.id,
    keyId: row.id,
    orgId: row.org_id,
    role: row.role,
    agent: agent_id === null || agent_status === null ? null : { id: agent_id, status: agent_status },
    expiresAt: row.expires_at?.getTime() ?? null,
  })
}
