import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { AnyTool, ToolContext } from '../../tools/define-tool.ts'
import { GatewayError } from '../error-envelope/errors.ts'
import { toGatewayError } from '../error-envelope/to-gateway-error.ts'
import type { Idempotency } from '../idempotency/idempotency.ts'
import type { Identity } from '../identity/identity.ts'
import type { CalledTool } from '../mcp/contract.ts'
import { type Caller, isAdmin, noActiveOrg, type Principal } from '../org-resolution/caller.ts'
import { CallSignal } from './call-signal.ts'
import type { Surface } from './surfaces.ts'
import { invalidArguments, toolError, toolNotFound } from './tool-error.ts'

/** One `tools/call`. */
export interface ToolCall extends Principal {
  name: string
  arguments: unknown
  /** What makes a repeated call the same call: the `Idempotency-Key` header or the `_meta` field. */
  idempotencyKey: string | undefined
  /** Has a listener called when the client goes away, or at once where it has gone. */
  onDisconnect(listener: () => void): void
}

/** How a call ended: what usage rows and metrics are made of. */
export interface ToolOutcome extends Principal {
  tool: string
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
  /** How long a tool may take (decisions.md, deadlines). */
  deadlineMs?: number
}

/** Calls a tool of a surface; never throws: what goes wrong is the result's text (decisions.md, Tool calls, order). */
export type CallTool = (surface: Surface, call: ToolCall) => Promise<CalledTool>

export function createCallTool({ once, finished, failed, deadlineMs = 30_000 }: CallToolOptions): CallTool {
  async function guarded(tool: AnyTool, call: ToolCall): Promise<CallToolResult> {
    const closed = gate(tool, call)
    if (closed !== undefined) throw closed
    const args = call.arguments ?? {}
    const refused = tool.refuse(args)
    if (refused !== undefined) return invalidArguments(call.name, refused)

    const run = () => runTool(tool, args, call)
    const { caller, idempotencyKey: key } = call
    if (key === undefined || caller === null || tool.entry.annotations?.readOnlyHint === true) return run()
    return once({ orgId: caller.orgId, holder: holderOf(call.identity), tool: call.name, key, args }, run)
  }

  async function runTool(tool: AnyTool, args: unknown, call: ToolCall): Promise<CallToolResult> {
    const signal = new CallSignal(call.onDisconnect, deadlineMs)
    try {
      return await signal.within(tool.run(args, new CallContext(call, signal)))
    } finally {
      signal.done()
    }
  }

  async function ended(tool: AnyTool, call: ToolCall): Promise<CalledTool> {
    try {
      const result = await guarded(tool, call)
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
    const called = await ended(tool, call)
    finished({ tool: name, identity, caller, outcome: called.outcome, durationMs: performance.now() - started })
    return called
  }
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
  readonly #signal: CallSignal

  constructor({ identity, caller }: Principal, signal: CallSignal) {
    this.identity = identity
    this.caller = caller
    this.#signal = signal
  }

  get signal(): AbortSignal {
    return this.#signal.abortSignal
  }
}

/** Why a tool that is visible may still not be called. */
function gate(tool: AnyTool, { identity, caller }: ToolCall): GatewayError | undefined {
  if (tool.gate === 'session' && identity.via === 'api-key')
    return new GatewayError(
      'jwt_session_required',
      'This tool needs a signed-in user; an API key cannot call it. Connect without the key and sign in with the browser.',
    )
  if (caller === null) return tool.organization === 'required' ? noActiveOrg() : undefined
  if (tool.gate === 'admin' && !isAdmin(caller))
    return new GatewayError('admin_required', 'Only an owner or an admin of the organization may do this.')
  return undefined
}
