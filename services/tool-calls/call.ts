import { hash } from 'node:crypto'
import { GatewayError } from '../../lib/errors/errors.ts'
import { toGatewayError } from '../../lib/errors/to-gateway-error.ts'
import { isJsonObject } from '../../lib/http/json.ts'
import type { Account } from '../accounts/account.ts'
import type { Metering } from '../billing/metering.ts'
import type { AnyTool } from '../definitions/define-tool.ts'
import type { Idempotency, KeepResult } from '../idempotency/idempotency.ts'
import { noActiveOrg, type Principal } from '../identity/caller.ts'
import type { CalledTool, ToolResult } from '../mcp/contract.ts'
import { gateRefusal, invalidArguments, toolError, toolNotFound } from './refusals.ts'
import { createRunTool } from './run-tool.ts'
import type { Surface } from './surfaces.ts'
import { callKeyOf, chooseAccount, payerOf, type ToolCall } from './tool-call.ts'

/** How a call ended: what usage rows and metrics are made of. */
export interface ToolOutcome extends Principal {
  tool: string
  /** The account that acted; null for built-in tools, and where a call did not come so far. */
  accountId: string | null
  /** `ok`, `error` for a tool's own refusal, or a code of the error table. */
  outcome: string
  durationMs: number
  /** What it did cost, in micro-dollars; 0 for what failed, and for a repeated call's kept answer. */
  costMicros: number
}

export interface CallToolOptions {
  /** Runs a writing call once per idempotency key. */
  once: Idempotency['once']
  /** Holds, and takes, what calls of metered tools cost. */
  metering: Pick<Metering, 'requireStanding' | 'run'>
  /** Told of every call of a tool that was found. */
  finished(outcome: ToolOutcome): void
  /** Told what a tool threw unasked. */
  failed(error: unknown, tool: string): void
  /** How long a tool may take that does not say so itself (decisions.md, deadlines). */
  deadlineMs?: number
}

/** Calls a tool of a surface; never throws: what goes wrong is the result's text (decisions.md, Tool calls, order). */
export type CallTool = (surface: Surface, call: ToolCall) => Promise<CalledTool>

export function createCallTool(options: CallToolOptions): CallTool {
  const { once, metering, finished, failed, deadlineMs = 30_000 } = options
  const runTool = createRunTool({ metering, deadlineMs })

  async function guarded(tool: AnyTool, call: ToolCall, acting: Acting): Promise<ToolResult> {
    const closed = gateRefusal(tool, call)
    if (closed !== undefined) throw new GatewayError(closed.code, closed.message)
    if (call.caller === null && tool.organization === 'required') throw noActiveOrg()
    const { arguments: args } = call
    const paid = tool.price === undefined ? undefined : await paidBefore(tool, call, args)
    if (paid !== undefined) return paid
    const refused = isJsonObject(args) ? (call.argumentsFault ?? tool.refuse(args)) : 'the arguments must be an object'
    if (refused !== undefined) return invalidArguments(call.name, refused)
    const chosen = chooseAccount(tool, args, acting.surface.accounts)
    if ('refused' in chosen) return invalidArguments(call.name, chosen.refused)
    acting.account = chosen.account

    const { account } = chosen
    const ran = async (idempotencyDigest?: string, keep?: KeepResult) => {
      const { result, costMicros } = await runTool(tool, args, call, { account, idempotencyDigest, keep })
      acting.costMicros = costMicros
      return result
    }
    const key = callKeyOf(tool, call)
    if (key === undefined) return ran()
    const idempotencyDigest = hash('sha256', JSON.stringify([key.orgId, key.holder, key.tool, key.key]))
    return once({ ...key, args }, keep => ran(idempotencyDigest, keep))
  }

  /**
   * The answer of a call that was paid with the last of the money, and is repeated: it is there, or comes. Undefined for
   * a call that may run; throws what stands against it otherwise.
   */
  async function paidBefore(tool: AnyTool, call: ToolCall, args: unknown): Promise<ToolResult | undefined> {
    try {
      await metering.requireStanding(payerOf(call))
      return undefined
    } catch (refused) {
      const key = isShortOfMoney(refused) ? callKeyOf(tool, call) : undefined
      if (key === undefined) throw refused
      return once({ ...key, args }, () => Promise.reject(refused))
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
    const acting: Acting = { surface, account: undefined, costMicros: 0 }
    const called = await ended(tool, call, acting)
    finished({
      tool: name,
      identity,
      caller,
      accountId: acting.account?.id ?? null,
      outcome: called.outcome,
      durationMs: performance.now() - started,
      costMicros: acting.costMicros,
    })
    return called
  }
}

/** Whether it is for money that a call does not run: a suspension stops what is paid, too. */
function isShortOfMoney(error: unknown): boolean {
  return (
    error instanceof GatewayError && (error.code === 'payment_required' || error.code === 'key_spend_limit_exceeded')
  )
}

/** Where a call stands, and, once that is known, with which account it acts and what it did cost. */
interface Acting {
  readonly surface: Surface
  account: Account | undefined
  costMicros: number
}
