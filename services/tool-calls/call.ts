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
import { gateRefusal, invalidArguments, toolError } from './refusals.ts'
import { createRunTool } from './run-tool.ts'
import type { Surface } from './surfaces.ts'
import { callKeyOf, chooseAccount, payerOf, type ToolCall } from './tool-call.ts'
import { toolNotFound } from './tool-not-found.ts'

/** How a call ended, for usage rows and metrics. */
export interface ToolOutcome extends Principal {
  tool: string
  /** The account that the call used; null for built-in tools and for calls that failed before. */
  accountId: string | null
  /** `ok`, `error` for a tool's own error, or a code of the error table. */
  outcome: string
  durationMs: number
  /** The charge in micro-dollars; 0 for a failed call and for the stored result of a repeated call. */
  costMicros: number
}

export interface CallToolOptions {
  /** Runs a writing call once per idempotency key. */
  once: Idempotency['once']
  /** Charges for calls of metered tools. */
  metering: Pick<Metering, 'requireStanding' | 'run'>
  /** Called after every call of an existing tool. */
  finished(outcome: ToolOutcome): void
  /** Called with every unexpected error of a tool. */
  failed(error: unknown, tool: string): void
  /** The deadline of tools without one of their own. */
  deadlineMs?: number
}

/** Calls a tool of a surface. Never throws: a failure is an error result. */
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
    const refused = isJsonObject(args) ? (call.argumentsFault ?? tool.refuse(args)) : NO_OBJECT
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
   * The stored or pending result of a repeated call, for a payer who has no money left: they already paid for it. Undefined
   * if the call may run. Otherwise throws why it may not.
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
    if (tool === undefined) return { result: toolNotFound(name, surface.tools), outcome: 'not_found' }
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

/** Whether a call does not run for lack of money. A suspension also stops calls that are already paid. */
function isShortOfMoney(error: unknown): boolean {
  return (
    error instanceof GatewayError && (error.code === 'payment_required' || error.code === 'key_spend_limit_exceeded')
  )
}

const NO_OBJECT = 'Send `arguments` as an object.'

/** The state of a running call: its surface and, once known, its account and charge. */
interface Acting {
  readonly surface: Surface
  account: Account | undefined
  costMicros: number
}
