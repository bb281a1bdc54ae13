import { GatewayError } from '../../lib/errors/errors.ts'
import type { Account } from '../accounts/account.ts'
import { findByLabel } from '../accounts/aliases.ts'
import type { Payer } from '../billing/metered-hold.ts'
import type { AnyTool } from '../definitions/define-tool.ts'
import type { CallKey } from '../idempotency/claims.ts'
import { noActiveOrg, type Principal } from '../identity/caller.ts'
import type { Identity } from '../identity/identity.ts'
import type { CallingClient } from '../mcp/contract.ts'
import type { CallerAccounts } from './surfaces.ts'

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

/** The account a call acts with, or why its `account` argument names none. */
type ChosenAccount = { account: Account | undefined } | { refused: string }

/**
 * Chooses the account of a connector's tool: the one that is named, or the only one, never "the latest" (decisions.md,
 * Connectors and accounts). Throws account_required, with the names, where there are several and none is named.
 */
export function chooseAccount(tool: AnyTool, args: unknown, accounts: CallerAccounts): ChosenAccount {
  if (!tool.needsAccount) return { account: undefined }
  const named = accounts.get(tool.capability) ?? new Map<string, Account>()
  const label = (args as { account?: string }).account
  const names = [...named.keys()].map(name => JSON.stringify(name)).join(', ')
  if (label !== undefined) {
    const account = findByLabel(named, label)
    return account === undefined ? { refused: `/account must be one of ${names}` } : { account }
  }
  const [only, ...others] = named.values()
  if (only !== undefined && others.length === 0) return { account: only }
  throw new GatewayError('account_required', `Say which account acts, as the argument "account": ${names}.`)
}
