import { GatewayError } from '../../lib/errors/errors.ts'
import type { ApiKeyEntry, KeyStatus } from '../../schemas/api-key.ts'
import type { KeyUpdate, ListedKey } from './key-rows.ts'
import type { MemberKey } from './member-keys.ts'

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
