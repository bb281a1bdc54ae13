import { isCost } from '../../schemas/money.ts'
import type { Account } from '../accounts/account.ts'
import type { MeteredResult, MeteredRun, Metering } from '../billing/metering.ts'
import type { AnyTool, ToolContext } from '../definitions/define-tool.ts'
import type { KeepResult } from '../idempotency/idempotency.ts'
import type { Caller } from '../identity/caller.ts'
import type { Identity } from '../identity/identity.ts'
import type { CallingClient, ToolResult } from '../mcp/contract.ts'
import { CallSignal } from './call-signal.ts'
import { payerOf, type ToolCall } from './tool-call.ts'

interface RunToolOptions {
  metering: Pick<Metering, 'run'>
  /** How long a tool may take that does not say so itself. */
  deadlineMs: number
}

/** What a run is told beside its call. */
interface RunTerms {
  account: Account | undefined
  idempotencyDigest: string | undefined
  /** Of a call with an idempotency key. */
  keep: KeepResult | undefined
}

/** Runs a tool on arguments that were checked: within its deadline, and where it has a price, on a hold. */
type RunTool = (tool: AnyTool, args: unknown, call: ToolCall, terms: RunTerms) => Promise<MeteredResult>

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
    const estimateMicros = price === undefined ? 0 : price.estimate(args)
    if (!isCost(estimateMicros)) throw new TypeError(`${call.name} estimates a cost that is none`)
    // Who sends a key with a call that he pays for comes back for its answer.
    const onDisconnect = price !== undefined && terms.keep !== undefined ? neverGone : call.onDisconnect
    const run: MeteredRun = reportCost =>
      inTime(tool, args, signal => new CallContext(call, terms, reportCost, signal), onDisconnect)
    if (estimateMicros === 0)
      return { result: await run(price === undefined ? withoutPrice : ignoreCost), costMicros: 0 }
    return metering.run({ ...payerOf(call), tool: call.name, estimateMicros }, run, terms.keep)
  }
}

function neverGone(): void {}

function ignoreCost(): void {}

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
  readonly idempotencyDigest: string | undefined
  readonly reportCost: ToolContext['reportCost']
  readonly #signal: CallSignal

  constructor(
    { identity, caller, origin, client }: ToolCall,
    { account, idempotencyDigest }: RunTerms,
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
  throw new TypeError('Only a tool with a price costs something')
}
