import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { ApiKeyEntry, KeyStatus } from '../../schemas/organizations/api-key.ts'
import type { PageRequest } from '../../schemas/primitives/page.ts'
import { type Caller, isAdmin } from '../identity/caller.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { policyOf } from '../policies/policy.ts'
import { requireOwn } from './authority.ts'
import { changeIn } from './change.ts'
import { type KeyUpdate, type ListedKey, requireFuture, requireOwnAgent } from './key-rows.ts'
import type { KeyStore } from './key-store.ts'
import { requireVisibleName } from './requirements.ts'

/** The maximum number of usable keys that act as one member, their agents' keys included. The operator has no limit. */
const MAX_KEYS = 100

/** A key that a member creates for themselves or for an agent. */
export interface MemberKey {
  name?: string
  agentId?: string
  expiresAt?: Date
  /** In micro-dollars per month (UTC). */
  monthlyCapMicros?: number
}

/**
 * The API keys that a caller may see: their own and those of their agents, for an admin all of the organization. Throws
 * not_found for any other key or agent, and the errors of KeyStore.
 */
export interface MemberKeys {
  page(
    caller: Caller,
    filter: { agentId?: string | undefined },
    page: PageRequest,
  ): Promise<{ rows: ListedKey[]; nextCursor: string | null }>
  find(caller: Caller, id: string): Promise<ListedKey>
  /** Checks whether `create` would work. Throws what it would throw. */
  requireCreatable(caller: Caller, key: MemberKey, on?: Kysely<Database>): Promise<{ ownerId: string }>
  /** Creates a key for the caller, or for an agent, whose key acts as the agent's owner. Only this result has the secret. */
  create(caller: Caller, key: MemberKey, on?: Kysely<Database>): Promise<{ id: string; key: string }>
  update(caller: Caller, id: string, update: KeyUpdate): Promise<ListedKey>
  /** Replaces the secret. Only this result has the new one. */
  rotate(
    caller: Caller,
    id: string,
    rotation: { overlapSeconds: number },
    on?: Kysely<Database>,
  ): Promise<{ id: string; key: string }>
  /** Revokes a key; also succeeds for a revoked one. */
  revoke(caller: Caller, id: string): Promise<void>
}

interface MemberKeysOptions extends Pick<Infrastructure, 'db' | 'clock'> {
  keys: KeyStore
}

export function createMemberKeys({ db, clock, keys }: MemberKeysOptions): MemberKeys {
  /** The member whom a new key acts as. */
  async function ownerOf(caller: Caller, agentId: string | undefined, on: Kysely<Database>): Promise<string> {
    if (agentId === undefined) return caller.userId
    const agents = forOrg(on, caller.orgId).selectFrom('agents').where('id', '=', agentId)
    const agent = await agents.select('owner_id').executeTakeFirst()
    const unknown = () => new GatewayError('not_found', `There is no agent ${agentId}.`)
    if (agent === undefined) throw unknown()
    await requireOwn(forOrg(on, caller.orgId), caller, agent.owner_id, unknown)
    return agent.owner_id
  }

  async function requireRoom(orgId: string, userId: string, on: Kysely<Database>): Promise<void> {
    const usable = forOrg(on, orgId)
      .selectFrom('api_keys')
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .where(eb => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', new Date(clock.now()))]))
    const { count } = await usable.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
    if (count >= MAX_KEYS)
      throw new GatewayError(
        'invalid_request',
        `A member can have ${MAX_KEYS} keys. Revoke one that is no longer used.`,
      )
  }

  async function requireCreatable(caller: Caller, { name, agentId, expiresAt }: MemberKey, on = db) {
    if (name !== undefined) requireVisibleName(name)
    if (expiresAt !== undefined) requireFuture(expiresAt, new Date(clock.now()))
    const ownerId = await ownerOf(caller, agentId, on)
    if (agentId !== undefined) await requireOwnAgent(forOrg(on, caller.orgId), agentId, ownerId)
    await requireRoom(caller.orgId, ownerId, on)
    return { ownerId }
  }

  async function find(caller: Caller, id: string): Promise<ListedKey> {
    const key = await keys.find(caller.orgId, id)
    if (key === undefined || (key.userId !== caller.userId && !isAdmin(caller)))
      throw new GatewayError('not_found', `There is no key ${id}.`)
    return key
  }

  return {
    async page(caller, { agentId }, page) {
      if (agentId !== undefined) await ownerOf(caller, agentId, db)
      return keys.page({ orgId: caller.orgId, userId: isAdmin(caller) ? undefined : caller.userId, agentId }, page)
    },

    find,
    requireCreatable,

    // The limit is checked under the lock of the organization, so that concurrent requests do not pass it together.
    create: (caller, key, on = db) =>
      changeIn(on, { orgId: caller.orgId, by: caller }, async org => {
        const { ownerId } = await requireCreatable(caller, key, org.db)
        return keys.create({ ...key, orgId: org.orgId, userId: ownerId, by: caller }, org.db)
      }),

    async update(caller, id, update) {
      await keys.update(id, update, { by: caller })
      return find(caller, id)
    },

    rotate: (caller, id, { overlapSeconds }, on) => keys.rotate(id, { by: caller, overlapSeconds }, on),

    async revoke(caller, id) {
      await keys.revoke(id, { by: caller })
    },
  }
}

/** A key on the wire at a time. */
export function toKeyEntry(key: ListedKey, now: number): ApiKeyEntry {
  const { previousLast4, previousExpiresAt } = key
  const usable = statusOf(key, now) === 'active' && previousExpiresAt !== null && previousExpiresAt.getTime() > now
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    last4: key.last4,
    user_id: key.userId,
    agent_id: key.agentId,
    status: statusOf(key, now),
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    previous:
      usable && previousLast4 !== null ? { last4: previousLast4, expires_at: previousExpiresAt.toISOString() } : null,
    monthly_cap_micros: key.monthlyCapMicros,
    spent_this_month_micros: key.spentThisMonthMicros,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    policy: key.policy && policyOf(key.policy),
  }
}

function statusOf({ revokedAt, expiresAt }: ListedKey, now: number): KeyStatus {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt.getTime() <= now ? 'expired' : 'active'
}

interface NewKeyOnTheWire {
  name?: string
  agent_id?: string
  expires_at?: string
  monthly_cap_micros?: number
}

/** Reads a new key from the wire. */
export function toMemberKey({ name, agent_id, expires_at, monthly_cap_micros }: NewKeyOnTheWire): MemberKey {
  return {
    ...(name !== undefined && { name }),
    ...(agent_id !== undefined && { agentId: agent_id }),
    ...(expires_at !== undefined && { expiresAt: timeOf(expires_at) }),
    ...(monthly_cap_micros !== undefined && { monthlyCapMicros: monthly_cap_micros }),
  }
}

/** The fields that `toKeyUpdate` reads. A policy is checked first. */
interface KeyChangeOnTheWire {
  name?: string
  expires_at?: string | null
  monthly_cap_micros?: number | null
}

/** Reads a change of a key from the wire. */
export function toKeyUpdate({ name, expires_at, monthly_cap_micros }: KeyChangeOnTheWire): KeyUpdate {
  return {
    ...(name !== undefined && { name }),
    ...(expires_at !== undefined && { expiresAt: expires_at === null ? null : timeOf(expires_at) }),
    ...(monthly_cap_micros !== undefined && { monthlyCapMicros: monthly_cap_micros }),
  }
}

/** Reads a time of a request. Throws invalid_request for a day that does not exist, which Date takes for a later one. */
function timeOf(text: string): Date {
  const day = text.slice(0, 10)
  if (new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day)
    throw new GatewayError('invalid_request', `\`expires_at\` is on ${day}, a day that does not exist.`)
  return new Date(text)
}
