import { GatewayError } from '../../lib/errors/errors.ts'
import { describeFaults, ownRules } from '../../lib/schema-faults/describe-faults.ts'
import type { Account } from '../accounts/account.ts'
import { findByLabel } from '../accounts/aliases.ts'
import type { Payer } from '../billing/metered-hold.ts'
import type { AnyTool } from '../definitions/define-tool.ts'
import type { CallKey } from '../idempotency/claims.ts'
import { noActiveOrg, type Principal } from '../identity/caller.ts'
import { holderOf, keyIdOf } from '../identity/identity.ts'
import type { CallingClient } from '../mcp/mcp-types.ts'
import type { CallerAccounts } from './surfaces.ts'

/** One `tools/call`. */
export interface ToolCall extends Principal {
  name: string
  arguments: unknown
  /** Why no tool may get the arguments; null if they are as the client sent them. */
  argumentsFault: string | null
  /** The idempotency key as it was sent, in the `Idempotency-Key` header or the `_meta` field. */
  idempotencyKey: unknown
  /** The public origin of the request. */
  origin: string
  client: CallingClient
  /** What the client calls itself; undefined if it did not say. */
  clientName?: string | undefined
  /** Calls a listener when the client disconnects, or at once if it already has. */
  onDisconnect(listener: () => void): void
}

/** Who pays for a call of a metered tool. Throws no_active_org without an organization. */
export function payerOf({ caller, identity }: ToolCall): Payer {
  if (caller === null) throw noActiveOrg()
  const { orgId, userId } = caller
  return { orgId, userId, keyId: keyIdOf(identity) }
}

/**
 * What identifies a call with an idempotency key; undefined without a key, and for tools without a price that only read.
 * Throws invalid_request if the key is not a string, or if header and `_meta` differ.
 */
export function callKeyOf(
  tool: AnyTool,
  { name, identity, caller, idempotencyKey: key }: ToolCall,
): CallKey | undefined {
  if (key === undefined || caller === null || (tool.readOnly && tool.price === undefined)) return undefined
  if (typeof key !== 'string')
    throw new GatewayError(
      'invalid_request',
      'Invalid idempotency key. Send one string, with the same value in the header and in _meta if you send both.',
    )
  return { orgId: caller.orgId, holder: holderOf(identity), tool: name, key }
}

/** The account of a call, or why its `account` argument is invalid. */
type ChosenAccount = { account: Account | undefined } | { refused: string }

/**
 * Chooses the account of a connector's tool: the named one, or the only one, never the latest of several. Throws
 * account_required, with the names, if there are several and the call names none.
 */
export function chooseAccount(tool: AnyTool, args: unknown, accounts: CallerAccounts): ChosenAccount {
  if (!tool.needsAccount) return { account: undefined }
  const named = accounts.get(tool.capability) ?? new Map<string, Account>()
  // An upstream's tool may have an argument of this name, which is the upstream's.
  const label = tool.onlyAccount ? undefined : (args as { account?: string }).account
  // Models send an empty string for what they leave out.
  if (label !== undefined && label !== '') {
    const account = findByLabel(named, label)
    return account === undefined ? { refused: unknownAccount(label, [...named.keys()]) } : { account }
  }
  const [only, ...others] = named.values()
  if (only !== undefined && others.length === 0) return { account: only }
  const names = [...named.keys()].map(name => JSON.stringify(name)).join(', ')
  throw new GatewayError(
    'account_required',
    `This connector has several accounts. Set the argument "account" to one of ${names}.`,
  )
}

function unknownAccount(label: string, names: readonly string[]): string {
  const schema = { properties: { account: { enum: names } } }
  return describeFaults({
    schema,
    value: { account: label },
    rules: ownRules(),
    first: () => ({ pointer: '/account' }),
  })
}

/** What a call will cost. */
export interface Quote {
  /** Whether calls of the tool can cost anything. */
  metered: boolean
  /** What is held before the call, in micro-dollars; null if the tool refuses the arguments. */
  holdMicros: number | null
}

/** Quotes a call. A tool that the gateway does not define itself has no price. */
export function quote(tool: Pick<AnyTool, 'price' | 'refuse'> | undefined, args: unknown): Quote {
  if (tool?.price === undefined) return { metered: false, holdMicros: 0 }
  if (tool.refuse(args) !== undefined) return { metered: true, holdMicros: null }
  try {
    return { metered: true, holdMicros: tool.price.estimate(args) }
  } catch {
    // Some arguments are refused only while the call is priced. The call gives the reason.
    return { metered: true, holdMicros: null }
  }
}
