import { createHmac } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { KeyRing, NamedKey } from '../../lib/configuration/key-ring.ts'
import { LOOKUP_DEADLINE_MS, retryRead } from '../../lib/database/database-errors.ts'
import type { AgentStatus } from '../../lib/database/organization-tables.ts'
import { ReadCache } from '../../lib/database/read-cache.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, forOrg } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { addressGroup } from '../../lib/http/address-group.ts'
import { atMost } from '../../lib/lru.ts'
import type { GatewayEnvironment } from '../../schemas/gateway/environment.ts'
import type { Role } from '../../schemas/organizations/member.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { type ApiKeyIdentity, digestOf, verifiedIdentity } from './identity.ts'
import { isApiKey, keyFault } from './key-format.ts'
import { KeyLookups } from './key-lookups.ts'

interface ApiKeysOptions extends Pick<Infrastructure, 'db' | 'clock' | 'events'> {
  environment: GatewayEnvironment
  /** Keys under any of these are valid. A key under another pepper than the first moves to the first when it is used. */
  peppers: KeyRing
}

/** Verifies API keys, from the cache if possible. */
export interface ApiKeys {
  /** The owner of a key that the cache holds and that is fresh. Synchronous, because every request needs it. */
  cached(key: string): ApiKeyIdentity | undefined
  /**
   * The owner of a key; undefined if it is malformed, of another environment, unknown, revoked or expired.
   * Throws the error of the database if it is unreachable and the cache has no answer (routes answer
   * platform_db_unavailable), and overloaded if this address, or all callers together, send too many unknown keys.
   */
  verify(key: string, address?: string): Promise<ApiKeyIdentity | undefined>
  /** The error for a key that has no owner: why, as far as the key and the cache show it. */
  rejection(key: string): GatewayError
  /** The number of cached entries, for probes and tests. */
  readonly cacheSize: number
}

interface Row {
  hash: string
  /** Whether the hash is of a secret that a rotation has replaced. It stays under its pepper until it ends. */
  replaced: boolean
  id: string
  org_id: string
  user_id: string
  role: Role
  expires_at: Date | null
  agent_id: string | null
  agent_status: AgentStatus | null
}

/** Unknown keys have their own cache, so that random keys do not evict known ones. */
const UNKNOWN_MS = 5_000

export function createApiKeys({ db, events, clock, environment, peppers }: ApiKeysOptions): ApiKeys {
  const unknown = new LRUCache<string, number>(atMost(10_000))
  const known = new ReadCache<ApiKeyIdentity>({
    clock,
    max: 50_000,
    onMissing: digest => unknown.set(digest, clock.now() + UNKNOWN_MS),
    // Many rechecks of known keys at once are not an attack with unknown keys.
    outlasts: error => error instanceof GatewayError && error.code === 'overloaded',
  })
  const find = (hashes: string[]) => retryRead(() => findKeys(db, hashes), LOOKUP_DEADLINE_MS)
  const lookups = new KeyLookups<Row>({ find })
  // Rechecks of known keys have their own queue, so that unknown keys do not delay them.
  const rechecks = new KeyLookups<Row>({ find })

  const [pepper] = peppers
  const rehash = createRehash({ db, clock, pepper })

  events.on('api_key', ({ orgId, id }) => known.drop(who => who.orgId === orgId && (id === null || who.keyId === id)))
  events.on('agent', ({ orgId, id }) =>
    known.drop(who => who.orgId === orgId && who.agent !== null && (id === null || who.agent.id === id)),
  )
  events.on('membership', ({ orgId, id }) =>
    known.drop(who => who.orgId === orgId && (id === null || who.userId === id)),
  )
  events.onReset(() => known.recheckAll())

  async function lookUp(key: string, digest: string, address: string | undefined): Promise<ApiKeyIdentity | undefined> {
    const hashes = peppers.map(pepper => hashApiKey(key, pepper))
    const row = await (known.has(digest) ? rechecks.find(hashes, digest) : lookups.find(hashes, addressGroup(address)))
    if (row === undefined) return undefined
    // An expired key is cached too, so that its holder gets the reason.
    const identity = toIdentity(row)
    const [to] = hashes
    if (unexpired(identity) !== undefined && to !== undefined && row.hash !== to && !row.replaced)
      rehash({ orgId: row.org_id, id: row.id, from: row.hash, to })
    return identity
  }

  function unexpired(identity: ApiKeyIdentity | undefined): ApiKeyIdentity | undefined {
    const expired = identity !== undefined && identity.expiresAt !== null && clock.now() >= identity.expiresAt
    return expired ? undefined : identity
  }

  return {
    cached: key => unexpired(known.fresh(digestOf(key))),
    async verify(key, address) {
      if (!isApiKey(key, environment)) return undefined
      const digest = digestOf(key)
      const fresh = known.fresh(digest)
      if (fresh !== undefined) return unexpired(fresh)
      const until = unknown.get(digest)
      if (until !== undefined && clock.now() < until) return undefined
      return unexpired(await known.read(digest, () => lookUp(key, digest, address)))
    },
    rejection(key) {
      const fault = keyFault(key, environment)
      if (fault !== undefined) return new GatewayError('invalid_api_key', fault)
      const expiresAt = known.fresh(digestOf(key))?.expiresAt ?? Infinity
      const why = expiresAt <= clock.now() ? `expired on ${dateOf(expiresAt)}` : 'is unknown or revoked'
      return new GatewayError('invalid_api_key', `This API key ${why}. Use another key.`)
    },
    get cacheSize() {
      return known.size + unknown.size
    },
  }
}

/** A date in UTC, such as 2026-01-31. */
function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** What the database stores of a key: its HMAC-SHA-256 under a pepper, in hexadecimal. */
export function hashApiKey(key: string, pepper: NamedKey): string {
  return createHmac('sha256', pepper.key).update(key).digest('hex')
}

/**
 * Reads the keys of these hashes, also by a replaced secret, that are not revoked and whose member has not left. The member of an agent's key is the
 * agent's owner. Also finds keys of suspended and retired agents, so that their callers get the reason. Queries across
 * organizations, because the organization is unknown until the key is found.
 */
async function findKeys(db: Kysely<Database>, hashes: string[]): Promise<Row[]> {
  const current = selectKeys(db)
    .where('k.hash', 'in', hashes)
    .select(eb => ['k.hash', 'k.expires_at', eb.lit(false).as('replaced')])
  const replaced = selectKeys(db)
    .where('k.previous_hash', 'in', hashes)
    .select(eb => [
      'k.previous_hash as hash',
      eb.fn<Date | null>('least', ['k.previous_expires_at', 'k.expires_at']).as('expires_at'),
      eb.lit(true).as('replaced'),
    ])
  // Two queries in one, each with its own index.
  const rows = await current.unionAll(replaced as never).execute()
  return rows as Row[]
}

function selectKeys(db: Kysely<Database>) {
  return acrossOrgs(db)
    .selectFrom('api_keys as k')
    .leftJoin('agents as a', join => join.onRef('a.org_id', '=', 'k.org_id').onRef('a.id', '=', 'k.agent_id'))
    .innerJoin('memberships as m', join =>
      join.onRef('m.org_id', '=', 'k.org_id').on(eb => eb('m.user_id', '=', eb.fn.coalesce('a.owner_id', 'k.user_id'))),
    )
    .where('k.revoked_at', 'is', null)
    .where(eb => eb.or([eb('m.revoked_at', 'is', null), eb('a.status', 'in', ['suspended', 'retired'])]))
    .select(['k.id', 'k.org_id', 'm.user_id', 'm.role', 'a.id as agent_id', 'a.status as agent_status'])
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

interface RehashOptions extends Pick<Infrastructure, 'db' | 'clock'> {
  /** The pepper that keys are moved to. */
  pepper: Pick<NamedKey, 'id'>
}

/** A key that was verified under another pepper than the first: its stored hash and its new one. */
interface OldHash {
  orgId: string
  id: string
  from: string
  to: string
}

const MAX_WAITING = 1_000
/** The pause between two moves. Each move is a change event, after which every process looks the key up again. */
const PAUSE_MS = 250
/** The minimum time between two moves of a key: during a change of peppers, processes may disagree on the first one. */
const AGAIN_MS = 60 * 60_000

/**
 * Completes the rotation of peppers in the background: moves keys to the first pepper, one at a time and each at most once
 * an hour. A key that does not fit into the queue, or whose move fails, is queued again at its next lookup.
 */
export function createRehash({ db, clock, pepper }: RehashOptions): (key: OldHash) => void {
  const movedAt = new LRUCache<string, number>(atMost(50_000))
  const waiting = new Map<string, OldHash>()
  let running = false

  async function run(): Promise<void> {
    running = true
    for (const [id, key] of waiting) {
      try {
        await move(key)
        movedAt.set(id, clock.now())
        waiting.delete(id)
      } catch {
        waiting.clear()
      }
      await delay(PAUSE_MS, undefined, { ref: false })
    }
    running = false
  }

  /** Updates only the hash that was read, so that concurrent moves are harmless, and never a revoked key. */
  async function move({ orgId, id, from, to }: OldHash): Promise<void> {
    await forOrg(db, orgId)
      .updateTable('api_keys')
      .where('id', '=', id)
      .where('hash', '=', from)
      .where('revoked_at', 'is', null)
      .set({ hash: to, pepper_id: pepper.id })
      .execute()
  }

  return function rehashLater(key) {
    const moved = movedAt.get(key.id)
    if (waiting.size >= MAX_WAITING || waiting.has(key.id)) return
    if (moved !== undefined && clock.now() < moved + AGAIN_MS) return
    waiting.set(key.id, key)
    if (!running) void run()
  }
}
