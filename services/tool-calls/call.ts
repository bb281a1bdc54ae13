import { hash } from 'node:crypto'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { GatewayError } from '../../lib/errors/errors.ts'
import { toGatewayError } from '../../lib/errors/to-gateway-error.ts'
import { isJsonObject } from '../../lib/http/json.ts'
import type { Account } from '../accounts/account.ts'
import { type Metering, withCharge } from '../billing/metering.ts'
import type { AnyTool, Price } from '../definitions/define-tool.ts'
import type { Idempotency, KeepAnswer } from '../idempotency/idempotency.ts'
import { type Caller, noActiveOrg, type Principal } from '../identity/caller.ts'
import type { CalledTool, ToolResult } from '../mcp/mcp-types.ts'
import { denialOf, denialSentence, subjectOf } from '../policies/policy.ts'
import { gateRefusal, invalidArguments, toolError, toolNotFound } from './refusals.ts'
import { createRunTool } from './run-tool.ts'
import type { Surface } from './surfaces.ts'
import { callKeyOf, chooseAccount, payerOf, quote, type ToolCall } from './tool-call.ts'

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
  /** Whether the tool got mended arguments. */
  mended?: boolean
}

export interface CallToolOptions {
  /** Runs a writing call once per idempotency key. */
  once: Idempotency['once']
  /** Charges for calls of metered tools. */
  metering: Pick<Metering, 'requireStanding' | 'run'>
  /** Whether MCP clients can sign in with the browser; true if absent. */
  browserSignIn?: boolean
  /** Whether the caller's organization has a tool of this name, although they cannot call it. */
  isTool(name: string, caller: Pick<Caller, 'orgId'>): boolean | Promise<boolean>
  /** Called after every call. */
  finished(outcome: ToolOutcome): void
  /** Called with every unexpected error of a tool. */
  failed(error: unknown, tool: string): void
  /** The deadline of tools without one of their own. */
  deadlineMs?: number
}

/** Calls a tool of a surface. Never throws: a failure is an error result. */
export type CallTool = (surface: Surface, call: ToolCall) => Promise<CalledTool>

export function createCallTool(options: CallToolOptions): CallTool {
  const { once, metering, isTool, finished, failed, browserSignIn = true, deadlineMs = 30_000 } = options
  const runTool = createRunTool({ metering, deadlineMs })

  async function guarded(tool: AnyTool, call: ToolCall, acting: Acting): Promise<ToolResult> {
    const closed = gateRefusal(tool, call, browserSignIn)
    if (closed !== undefined) throw new GatewayError(closed.code, closed.message)
    if (call.caller === null && tool.organization === 'required') throw noActiveOrg()
    const read = readArguments(tool, call)
    const paid = tool.price === undefined || isFree(tool.price, read) ? undefined : await paidBefore(tool, call)
    if (paid !== undefined) return paid
    if ('refused' in read) return refuseArguments(read.refused)
    const { args } = read
    acting.args = args
    const { conditional } = acting.surface
    const denial = conditional.length === 0 ? undefined : denialOf(conditional, subjectOf(tool), { args })
    if (denial !== undefined) throw new GatewayError('denied_by_policy', denialSentence(denial))
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
    // The arguments as they were sent, because mending may change between a call and its repetition.
    return once({ ...key, args: call.arguments }, keep => ran(idempotencyDigest, keep))

    function refuseArguments(reason: string): ToolResult {
      acting.invalid = reason
      return invalidArguments(call.name, reason)
    }
  }

  /**
   * The stored or pending result of a repeated call, for a payer who has no money left: they already paid for it. Undefined
   * if the call may run. Otherwise throws why it may not.
   */
  async function paidBefore(tool: AnyTool, call: ToolCall): Promise<ToolResult | undefined> {
    try {
      await metering.requireStanding(payerOf(call))
      return undefined
    } catch (refused) {
      const key = isShortOfMoney(refused) ? callKeyOf(tool, call) : undefined
      if (key === undefined) throw refused
      return once({ ...key, args: call.arguments }, () => Promise.reject(refused))
    }
  }

  async function ended(tool: AnyTool, call: ToolCall, acting: Acting): Promise<CalledTool> {
    try {
      const result = await guarded(tool, call, acting)
      if (result.isError !== true) return { result, outcome: 'ok' }
      acting.failure = failureText(acting.invalid ?? errorText(result), acting.args, tool.entry.inputSchema)
      return { result, outcome: acting.invalid === undefined ? 'error' : 'invalid_request' }
    } catch (thrown) {
      const error = toGatewayError(thrown)
      if (error.code === 'internal_error') failed(thrown, call.name)
      acting.failure = failureText(error.message, acting.args, tool.entry.inputSchema)
      return { result: toolError(withCharge(error, acting.costMicros)), outcome: error.code }
    }
  }

  /** Records a call of a tool that the caller does not have. Does not delay the answer, which does not depend on it. */
  async function missed({ name, identity, caller, clientName }: ToolCall): Promise<void> {
    if (caller === null) return
    const known = await isKnown(name, caller)
    finished({
      // Other names are not stored, because they may be any text of the caller.
      ...(known
        ? { tool: name, failure: `Tool ${name} is not in the list of the caller.` }
        : { tool: UNKNOWN_TOOL, failure: 'No tool has this name.' }),
      ...{ identity, caller, clientName, accountId: null, outcome: 'not_found', durationMs: 0, costMicros: 0 },
    })
  }

  async function isKnown(name: string, caller: Caller): Promise<boolean> {
    try {
      return await isTool(name, caller)
    } catch {
      return false
    }
  }

  return async function callTool(surface, call) {
    const { name, identity, caller } = call
    const tool = surface.tools.get(name)
    if (tool === undefined) {
      void missed(call)
      return { result: toolNotFound(name, surface.tools), outcome: 'not_found' }
    }
    const started = performance.now()
    const acting: Acting = { surface, account: undefined, args: call.arguments, ...UNKNOWN }
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
      mended: acting.args !== call.arguments,
    })
    return called
  }
}

/** The tool in the usage row of a call whose tool does not exist. */
const UNKNOWN_TOOL = 'unknown tool'

/** The arguments that a tool gets, mended if need be, or why they are rejected. */
type ReadArguments = { args: unknown } | { refused: string }

function readArguments(tool: AnyTool, { arguments: args, argumentsFault }: ToolCall): ReadArguments {
  if (!isJsonObject(args)) return { refused: NO_OBJECT }
  if (argumentsFault !== null) return { refused: argumentsFault }
  const refused = tool.refuse(args)
  if (refused === undefined) return { args }
  const mended = tool.mend(args)
  return mended === undefined ? { refused } : { args: mended }
}

/** Whether this call of a metered tool costs nothing. A call with invalid arguments is not free. */
function isFree(price: Price, read: ReadArguments): boolean {
  if (price.freeCalls !== true || 'refused' in read) return false
  return quote({ price, refuse: () => undefined }, read.args).holdMicros === 0
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
  /** What the tool gets once it is known, and what was sent before. */
  args: unknown
  account: Account | undefined
  costMicros: number
  usageId: string | undefined
  /** Why the arguments were rejected. */
  invalid: string | undefined
  failure: string | undefined
}

const UNKNOWN = { costMicros: 0, usageId: undefined, invalid: undefined, failure: undefined }

/** How much of a text is read. Its first sentences say what failed. */
const MAX_TEXT = 2_000
/** Longer values are found by their beginning, because a text may quote only that. */
const MAX_QUOTE = 60
/** Shorter values are parts of ordinary words. */
const MIN_QUOTE = 3
/** Arguments with more values than this cannot be compared with a text in a short time. */
const MAX_VALUES = 200
const GAP = '…'

/** The text of a tool's own error. */
function errorText(result: ToolResult): string {
  const [first] = (result as CallToolResult).content
  return first?.type === 'text' ? first.text : ''
}

/**
 * Returns what a failed call said, without the values of its arguments and the names that its schema does not have: no table
 * keeps arguments. Undefined if there are too many of them to look for.
 */
export function failureText(text: string, args: unknown, schema: object): string | undefined {
  const values = quotable(args, JSON.stringify(schema))
  if (values === undefined) return undefined
  let said = text.slice(0, MAX_TEXT)
  // The longest first: a short value can be a part of a long one.
  for (const value of values.toSorted((a, b) => b.length - a.length)) {
    const quote = value.slice(0, MAX_QUOTE)
    // Where a long value begins, its end is unknown: the rest of the text goes with it.
    const at = quote.length < value.length ? said.search(patternOf(quote)) : -1
    said = at === -1 ? said.replace(patternOf(quote), GAP) : said.slice(0, at) + GAP
  }
  return said
}

/** The values and unknown names of arguments as a text can quote them; undefined if they are too many. */
function quotable(args: unknown, schema: string): string[] | undefined {
  const found = new Set<string>()
  const waiting: unknown[] = [args]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (found.size + waiting.length > MAX_VALUES) return undefined
    if (Array.isArray(value)) waiting.push(...value)
    else if (isJsonObject(value)) {
      const unknown = Object.keys(value).filter(name => !schema.includes(JSON.stringify(name)))
      waiting.push(...Object.values(value), ...unknown)
    } else if (typeof value === 'string' || typeof value === 'number')
      for (const form of [String(value).trim(), JSON.stringify(String(value).trim()).slice(1, -1)])
        if (form.length >= MIN_QUOTE) found.add(form)
  }
  return [...found]
}

/** Matches a quote in any case. */
function patternOf(quote: string): RegExp {
  return new RegExp(quote.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'), 'gi')
}
