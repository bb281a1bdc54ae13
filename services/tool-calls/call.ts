import { hash } from 'node:crypto'
import { GatewayError } from '../../lib/errors/errors.ts'
import { toGatewayError } from '../../lib/errors/to-gateway-error.ts'
import { isJsonObject } from '../../lib/http/json.ts'
import type { Account } from '../accounts/account.ts'
import { type Metering, withCharge } from '../billing/metering.ts'
import type { AnyTool } from '../definitions/define-tool.ts'
import type { Idempotency, KeepAnswer } from '../idempotency/idempotency.ts'
import { noActiveOrg, type Principal } from '../identity/caller.ts'
import type { CalledTool, ToolResult } from '../mcp/contract.ts'
import { errorText, failureText } from './failure-text.ts'
import { quote } from './quote.ts'
import { gateRefusal, invalidArguments, toolError } from './refusals.ts'
import { createRunTool } from './run-tool.ts'
import type { Surface } from './surfaces.ts'
import { callKeyOf, chooseAccount, payerOf, type ToolCall } from './tool-call.ts'
import { toolNotFound } from './tool-not-found.ts'

/** How a call ended, for usage rows and metrics. */
export interface ToolOutcome extends Principal {
  tool: string
  /** What the client calls itself; undefined if it did not say. */
  clientName?: string | undefined
  /** The account that the call used; null for built-in tools and for calls that failed before. */
  accountId: string | null
  /** `ok`, `error` for a tool's own error, `invalid_request` for invalid arguments, or another code of the error table. */
  outcome: string
  durationMs: number
  /**
   * The charge in micro-dollars; 0 for the stored result of a repeated call, and for a failed call unless its provider
   * charged for it.
   */
  costMicros: number
  /** The usage row with the charge of the call's job; undefined for other calls. */
  usageId?: string | undefined
  /** What a failed call said, without its arguments. Credentials in it are not redacted yet. */
  failure?: string | undefined
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
    const paid = tool.price === undefined || isFree(tool, call) ? undefined : await paidBefore(tool, call, args)
    if (paid !== undefined) return paid
    const refused = isJsonObject(args) ? (call.argumentsFault ?? tool.refuse(args)) : NO_OBJECT
    if (refused !== undefined) return refuseArguments(refused)
    const chosen = chooseAccount(tool, args, acting.surface.accounts)
    if ('refused' in chosen) return refuseArguments(chosen.refused)
    acting.account = chosen.account

    const { account } = chosen
    const ran = async (idempotencyDigest?: string, keep?: KeepAnswer) => {
      const charged = (costMicros: number, usageId?: string) => {
        acting.costMicros = costMicros
        acting.usageId ??= usageId
      }
      return runTool(tool, args, call, { account, idempotencyDigest, keep, charged })
    }
    const key = callKeyOf(tool, call)
    if (key === undefined) return ran()
    const idempotencyDigest = hash('sha256', JSON.stringify([key.orgId, key.holder, key.tool, key.key]))
    return once({ ...key, args }, keep => ran(idempotencyDigest, keep))

    function refuseArguments(reason: string): ToolResult {
      acting.invalid = reason
      return invalidArguments(call.name, reason)
    }
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
      if (result.isError !== true) return { result, outcome: 'ok' }
      acting.failure = failureText(acting.invalid ?? errorText(result), call.arguments, tool.entry.inputSchema)
      return { result, outcome: acting.invalid === undefined ? 'error' : 'invalid_request' }
    } catch (thrown) {
      const error = toGatewayError(thrown)
      if (error.code === 'internal_error') failed(thrown, call.name)
      acting.failure = failureText(error.message, call.arguments, tool.entry.inputSchema)
      return { result: toolError(withCharge(error, acting.costMicros)), outcome: error.code }
    }
  }

  return async function callTool(surface, call) {
    const { name, identity, caller } = call
    const tool = surface.tools.get(name)
    if (tool === undefined) return { result: toolNotFound(name, surface.tools), outcome: 'not_found' }
    const started = performance.now()
    const acting: Acting = { surface, account: undefined, ...UNKNOWN }
    const called = await ended(tool, call, acting)
    finished({
      tool: name,
      identity,
      caller,
      clientName: call.clientName,
      accountId: acting.account?.id ?? null,
      outcome: called.outcome,
      durationMs: performance.now() - started,
      costMicros: acting.costMicros,
      usageId: acting.usageId,
      failure: acting.failure,
    })
    return called
  }
}

/** Whether this call of a metered tool costs nothing. A call with invalid arguments is not free. */
function isFree({ price, refuse }: AnyTool, { arguments: args, argumentsFault }: ToolCall): boolean {
  if (price?.freeCalls !== true || !isJsonObject(args) || argumentsFault !== null) return false
  return quote({ price, refuse }, args).holdMicros === 0
}

/** Whether a call does not run for lack of money. A suspension also stops calls that are already paid. */
function isShortOfMoney(error: unknown): boolean {
  return (
    error instanceof GatewayError && (error.code === 'payment_required' || error.code === 'key_spend_limit_exceeded')
  )
}

const NO_OBJECT = 'Send `arguments` as an object.'

/** The state of a running call: its surface and, once known, its account, its charge and why it failed. */
interface Acting {
  readonly surface: Surface
  account: Account | undefined
  costMicros: number
  usageId: string | undefined
  /** Why the arguments were rejected. */
  invalid: string | undefined
  failure: string | undefined
}

const UNKNOWN = { costMicros: 0, usageId: undefined, invalid: undefined, failure: undefined }
