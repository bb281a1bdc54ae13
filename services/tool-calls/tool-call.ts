import { GatewayError } from '../../lib/errors/errors.ts'
import type { Payer } from '../billing/metered-hold.ts'
import type { AnyTool } from '../definitions/define-tool.ts'
import type { CallKey } from '../idempotency/claims.ts'
import { noActiveOrg, type Principal } from '../identity/caller.ts'
import type { Identity } from '../identity/identity.ts'
import type { CallingClient } from '../mcp/calling-client.ts'

/** One `tools/call`. */
export interface ToolCall extends Principal {
  name: string
  arguments: unknown
  /** Why no tool may get the arguments; null if they are as the client sent them. */
  argumentsFault: string | null
  /** What makes a repeated call the same call, as it came: the `Idempotency-Key` header or the `_meta` field. */
  idempotencyKey: unknown
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

/**
 * What a call with an idempotency key is known by; undefined for one without, and for a tool without a price that only
 * reads. Throws invalid_request on a key that is no text, or not the same in its two places.
 */
export function callKeyOf(
  tool: AnyTool,
  { name, identity, caller, idempotencyKey: key }: ToolCall,
): CallKey | undefined {
  if (key === undefined || caller === null || (tool.readOnly && tool.price === undefined)) return undefined
  if (typeof key !== 'string')
    throw new GatewayError(
      'invalid_request',
      'Send one idempotency key: a text, and the same one in the header and in _meta if both are sent.',
    )
  return { orgId: caller.orgId, holder: holderOf(identity), tool: name, key }
}

/** Whose idempotency keys a call's are: of a user, each OAuth client has its own, because it acts where it has chosen to. */
function holderOf(identity: Identity): string {
  if (identity.via === 'api-key') return identity.keyId
  return identity.clientId === '' ? identity.userId : `${identity.userId} ${identity.clientId}`
}
