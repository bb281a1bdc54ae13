import { hash } from 'node:crypto'
import type { AnyTool, ToolContext } from '../../tools/define-tool.ts'
import type { Account } from '../connectors/accounts/account.ts'
import { GatewayError } from '../error-envelope/errors.ts'
import { toGatewayError } from '../error-envelope/to-gateway-error.ts'
import type { Idempotency } from '../idempotency/idempotency.ts'
import type { Identity } from '../identity/identity.ts'
import type { CallingClient } from '../mcp/calling-client.ts'
import type { CalledTool, ToolResult } from '../mcp/contract.ts'
import { type Caller, noActiveOrg, type Principal } from '../org-resolution/caller.ts'
import { CallSignal } from './call-signal.ts'
import { chooseAccount } from './choose-account.ts'
import { gateRefusal } from './refusals.ts'
import type { Surface } from './surfaces.ts'
import { invalidArguments, toolError, toolNotFound } from './tool-error.ts'

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

/** How a call ended: what usage rows and metrics are made of. */
export interface ToolOutcome extends Principal {
  tool: string
  /** The account that acted; null for built-in tools, and where a call did not come so far. */
  accountId: string | null
  /** `ok`, `error` for a tool's own refusal, or a code of the error table. */
  outcome: string
  durationMs: number
}

export interface CallToolOptions {
  /** Runs a writing call once per idempotency key. */
  once: Idempotency['once']
  /** Told of every call of a tool that was found. */
  finished(outcome: ToolOutcome): void
  /** Told what a tool threw unasked. */
  failed(error: unknown, tool: string): void
  /** How long a tool may take that does not say so itself (decisions.md, deadlines). */
  deadlineMs?: number
}

/** Calls a tool of a surface; never throws: what goes wrong is the result's text (decisions.md, Tool calls, order). */
export type CallTool = (surface: Surface, call: ToolCall) => Promise<CalledTool>

export function createCallTool({ once, finished, failed, deadlineMs = 30_000 }: CallToolOptions): CallTool {
  async function guarded(tool: AnyTool, call: ToolCall, acting: Acting): Promise<ToolResult> {
    const closed = gateRefusal(tool, call)
    if (closed !== undefined) throw new GatewayError(closed.code, closed.message)
    if (call.caller === null && tool.organization === 'required') throw noActiveOrg()
    const args = call.arguments ?? {}
    const refused = tool.refuse(args)
    if (refused !== undefined) return invalidArguments(call.name, refused)
    const chosen = chooseAccount(tool, args, acting.surface.accounts)
    if ('refused' in chosen) return invalidArguments(call.name, chosen.refused)
    acting.account = chosen.account

    const { account } = chosen
    const { caller, idempotencyKey: key } = call
    if (key === undefined || caller === null || tool.readOnly)
      return runTool(tool, args, call, { account, onceKey: undefined })
    const keyed = { orgId: caller.orgId, holder: holderOf(call.identity), tool: call.name, key }
    const onceKey = hash('sha256', JSON.stringify(Object.values(keyed)))
    return once({ ...keyed, args }, () => runTool(tool, args, call, { account, onceKey }))
  }

  async function runTool(
    tool: AnyTool,
    args: unknown,
    call: ToolCall,
    acting: Pick<ToolContext, 'account' | 'onceKey'>,
  ): Promise<ToolResult> {
    const signal = new CallSignal(call.onDisconnect, tool.deadlineMs ?? deadlineMs)
    try {
      return await signal.within(tool.run(args, new CallContext(call, acting, signal)))
    } finally {
      signal.done()
    }
  }

  async function ended(tool: AnyTool, call: ToolCall, acting: Acting): Promise<CalledTool> {
    try {
      const result = await guarded(tool, call, acting)
      return { result, outcome: result.isError === true ? 'error' : 'ok' }
    } catch (thrown) {
      const error = toGatewayError(thrown)
      if (error.code === 'internal_error') failed(thrown, call.name)
      return { result: toolError(error), outcome: error.code }
    }
  }

  return async function callTool(surface, call) {
    const { name, identity, caller } = call
    const tool = surface.tools.get(name)
    if (tool === undefined) return { result: toolNotFound(name), outcome: 'not_found' }
    const started = performance.now()
    const acting: Acting = { surface, account: undefined }
    const called = await ended(tool, call, acting)
    finished({
      tool: name,
      identity,
      caller,
      accountId: acting.account?.id ?? null,
      outcome: called.outcome,
      durationMs: performance.now() - started,
    })
    return called
  }
}

/** Where a call stands, and with which account it acts once that is known. */
interface Acting {
  readonly surface: Surface
  account: Account | undefined
}

/** Whose idempotency keys a call's are: of a user, each OAuth client has its own, because it acts where it has chosen to. */
function holderOf(identity: Identity): string {
  if (identity.via === 'api-key') return identity.keyId
  return identity.clientId === '' ? identity.userId : `${identity.userId} ${identity.clientId}`
}

/**
 * What a tool is told. A class, because an object literal with a getter has a hidden class of its own each time it is
 * made, and that keeps the whole request alive until the next full collection.
 */
class CallContext implements ToolContext<Caller | null> {
  readonly identity: Identity
  readonly caller: Caller | null
  readonly origin: string
  readonly client: CallingClient
  readonly account: Account | undefined
  readonly onceKey: string | undefined
  readonly #signal: CallSignal

  constructor(
    { identity, caller, origin, client }: ToolCall,
    { account, onceKey }: Pick<ToolContext, 'account' | 'onceKey'>,
    signal: CallSignal,
  ) {
    this.identity = identity
    this.caller = caller
    this.origin = origin
    this.client = client
    this.account = account
    this.onceKey = onceKey
    this.#signal = signal
  }

  get signal(): AbortSignal {
    return this.#signal.abortSignal
  }

  charge(): void {
    throw new TypeError('Only a tool with a price costs something')
  }
}
