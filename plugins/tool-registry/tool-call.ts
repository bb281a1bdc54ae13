import type { Payer } from '../billing/metered-hold.ts'
import type { Identity } from '../identity/identity.ts'
import type { CallingClient } from '../mcp/calling-client.ts'
import { noActiveOrg, type Principal } from '../org-resolution/caller.ts'

/** One `tools/call`. */
export interface ToolCall extends Principal {
  name: string
  arguments: unknown
  /** What makes a repeated call the same call: the `Idempotency-Key` header or the `_meta` field. */
  idempotencyKey: string | undefined
  /** The public origin that was called. */
  origin: string
  client: CallingClient
  /** Has a listener called when the client goes away, or at once where it has gone. */
  onDisconnect(listener: () => void): void
}

/** Who pays for a call of a metered tool: those are called in organizations alone. */
export function payerOf({ caller, identity }: ToolCall): Payer {
  if (caller === null) throw noActiveOrg()
  const { orgId, userId } = caller
  return { orgId, userId, keyId: identity.via === 'api-key' ? identity.keyId : null }
}

/** Whose idempotency keys a call's are: of a user, each OAuth client has its own, because it acts where it has chosen to. */
export function holderOf(identity: Identity): string {
  if (identity.via === 'api-key') return identity.keyId
  return identity.clientId === '' ? identity.userId : `${identity.userId} ${identity.clientId}`
}
