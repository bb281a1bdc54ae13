import { isCost } from '../../schemas/billing/money.ts'
import type { Account } from '../accounts/account.ts'
import type { Metering } from '../billing/metering.ts'
import type { AnyTool, ToolContext } from '../definitions/define-tool.ts'
import type { KeepAnswer } from '../idempotency/idempotency.ts'
import type { Caller } from '../identity/caller.ts'
import type { Identity } from '../identity/identity.ts'
import type { CallingClient, ToolResult } from '../mcp/mcp-types.ts'
import { CallSignal } from './call-signal.ts'
import { payerOf, type ToolCall } from './tool-call.ts'

interface RunToolOptions {
  metering: Pick<Metering, 'run'>
  /** The deadline of tools without one of their own. */
  deadlineMs: number
}

/** The parameters of a run in addition to its call. */
interface RunTerms {
  account: Account | undefined
  idempotencyDigest: string | undefined
  /** Stores the answer of a call with an idempotency key. */
  keep: KeepAnswer | undefined
  /**
   * Called with what was charged, before the call ends or fails, and with the usage row that has the charge if a job made it.
   */
  charged(costMicros: number, usageId?: string): void
}

/** Runs a tool with valid arguments: within its deadline, and on a hold if it has a price. */
type RunTool = (tool: AnyTool, args: unknown, call: ToolCall, terms: RunTerms) => Promise<ToolResult>

export function createRunTool({ metering, deadlineMs }: RunToolOptions): RunTool {
  async function inTime(
    tool: AnyTool,
    args: unknown,
    context: (signal: CallSignal) => CallContext,
    onDisconnect: ToolCall['onDisconnect'],
  ): Promise<ToolResult> {
    const signal = new CallSignal(onDisconnect, tool.deadlineMs ?? deadlineMs)
    try {
      return await signal.withTimeout(tool.run(args, context(signal)))
    } finally {
      signal.done()
    }
  }

  return async function runTool(tool, args, call, terms) {
    const { price } = tool
    const run = (reportCost: ToolContext['reportCost'], onDisconnect: ToolCall['onDisconnect']) =>
      inTime(tool, args, signal => new CallContext(call, terms, reportCost, signal), onDisconnect)
    if (price === undefined) return run(withoutPrice, call.onDisconnect)
    // The caller can fetch the result of a call with an idempotency key later, so a disconnect does not abort it.
    const unlessKept = terms.keep === undefined ? call.onDisconnect : neverGone
    if (price.heldBy === 'job') return run(terms.charged, unlessKept)
    const estimateMicros = price.estimate(args)
    if (!isCost(estimateMicros)) throw new TypeError(`${call.name} estimates an invalid cost`)
    if (estimateMicros === 0) return run(ignoreCost, unlessKept)
    const metered = { ...payerOf(call), tool: call.name, estimateMicros }
    // A disconnect does not stop what the provider of a metered call does and charges for.
    return metering.run(metered, reportCost => run(reportCost, neverGone), terms)
  }
}

function neverGone(): void {}

function ignoreCost(): void {}

/**
 * The context of a tool. A class, because each object literal with a getter gets its own hidden class, which keeps the
 * whole request alive until the next full garbage collection.
 */
class CallContext implements ToolContext<Caller | null> {
  readonly identity: Identity
  readonly caller: Caller | null
  readonly origin: string
  readonly client: CallingClient
  readonly account: Account | undefined
  readonly idempotencyDigest: string | undefined
  readonly reportCost: ToolContext['reportCost']
  readonly #signal: CallSignal

  constructor(
    { identity, caller, origin, client }: ToolCall,
    { account, idempotencyDigest }: Omit<RunTerms, 'charged'>,
    reportCost: ToolContext['reportCost'],
    signal: CallSignal,
  ) {
    this.identity = identity
    this.caller = caller
    this.origin = origin
    this.client = client
    this.account = account
    this.idempotencyDigest = idempotencyDigest
    this.reportCost = reportCost
    this.#signal = signal
  }

  get signal(): AbortSignal {
    return this.#signal.abortSignal
  }
}

function withoutPrice(): void {
  throw new TypeError('A tool without a price must not report a cost')
}
