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
  /** The deadline of tools without one of their own. */
  deadlineMs: number
}

/** The parameters of a run in addition to its call. */
interface RunTerms {
  account: Account | undefined
  idempotencyDigest: string | undefined
  /** Stores the result of a call with an idempotency key. */
  keep: KeepResult | undefined
  /** Called with the usage row that the charge of a job is in, even if the call fails later. */
  charged(usageId: string): void
}

/** Runs a tool with valid arguments: within its deadline, and on a hold if it has a price. */
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
    // A caller who pays for a call with an idempotency key can fetch its result later, so a disconnect does not abort it.
    const onDisconnect = price !== undefined && terms.keep !== undefined ? neverGone : call.onDisconnect
    const run: MeteredRun = reportCost =>
      inTime(tool, args, signal => new CallContext(call, terms, reportCost, signal), onDisconnect)
    if (price === undefined) return { result: await run(withoutPrice), costMicros: 0 }
    if (price.heldBy === 'job') return heldByJob(run, terms)
    const estimateMicros = price.estimate(args)
    if (!isCost(estimateMicros)) throw new TypeError(`${call.name} estimates an invalid cost`)
    if (estimateMicros === 0) return { result: await run(ignoreCost), costMicros: 0 }
    return metering.run({ ...payerOf(call), tool: call.name, estimateMicros }, run, terms.keep)
  }
}

/** Runs a tool whose job charges for it. The tool reports what was charged before its call ended. */
async function heldByJob(run: MeteredRun, terms: RunTerms): Promise<MeteredResult> {
  let costMicros = 0
  const result = await run((cost, usageId) => {
    costMicros = cost
    if (usageId !== undefined) terms.charged(usageId)
  })
  return { result, costMicros }
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
