import type { CallToolResult, Tool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import { FormatRegistry, type Static, type TObject } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { portableSchema } from '../../lib/portable-schema/portable-schema.ts'
import { describeFaults, ownRules } from '../../lib/schema-faults/describe-faults.ts'
import { mend } from '../../lib/schema-faults/mend.ts'
import type { ToolClass } from '../../schemas/remotes/overrides.ts'
import type { Account } from '../accounts/account.ts'
import type { Caller } from '../identity/caller.ts'
import type { Identity } from '../identity/identity.ts'
import type { CallingClient, ToolResult } from '../mcp/mcp-types.ts'

/** The context of a tool call. */
export interface ToolContext<C = Caller> {
  identity: Identity
  caller: C
  /** The public origin that was called, for the URLs of an answer. */
  origin: string
  /** The account to act with; only for tools that need one. */
  account: Account | undefined
  /**
   * Identifies this call and its repetitions: a digest of the caller's idempotency key and its owner. Undefined for
   * calls without a key, and for read-only tools without a price.
   */
  idempotencyDigest: string | undefined
  /** What the calling client reports about itself. Proxied tools forward parts of it. */
  client: CallingClient
  /** Aborts at the tool's deadline and, unless the call has a hold or an idempotency key, when the client disconnects. */
  signal: AbortSignal
  /**
   * Reports what the call of a metered tool has cost, in micro-dollars: as soon as a provider has charged for something,
   * because a call that fails later is charged what it reported. The last report counts. Without one, a successful call
   * costs its estimate and a failed call nothing. A tool whose job charges (`heldBy`) also names the usage row of the charge
   * (usageIdOf), before it waits: the call ends in that row.
   */
  reportCost(costMicros: number, usageId?: string): void
}

/** The price of a metered tool. */
export interface Price<Args = unknown> {
  /** A job holds and charges it (JobHolds) if the work outlives its call; default: the call. */
  heldBy?: 'call' | 'job'
  /** Whether the estimate of some calls is zero. They run like calls of a tool without a price, also without a balance. */
  freeCalls?: true
  /**
   * What is held before the tool runs, and what it costs unless it says otherwise, in micro-dollars: an integer above
   * zero, or zero for arguments that cost nothing.
   */
  estimate(args: Args): number
}

/** Who may call a tool, beyond members: signed-in users, or owners and admins. */
export type Gate = 'session' | 'admin'

interface ToolBase<Input extends TObject> {
  /** Wire name, `<capability>__<operation>`. */
  name: `${string}__${string}`
  /** The name that people see. */
  title: string
  /** The text that the model reads. */
  description: string
  annotations: Required<Pick<ToolAnnotations, 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint'>>
  /** The arguments. One schema gives the type, the check and, in its portable form, the wire's `inputSchema`. */
  input: Input
  /** The shape of `structuredContent`, if the tool returns it. */
  output?: TObject
  gate?: Gate
  /** Makes the tool metered: it runs only if the wallet covers its price. */
  price?: Price<Static<Input>> | undefined
  /** How long a call may take, in milliseconds, if it differs from the default. */
  deadlineMs?: number
  /** With which credential a call acts, as a clause, and what an operator can add. For manage__explain_tool. */
  actsAs?: string
  /** Replaces the schema check of AnyTool.refuse, for checks or messages beyond the schema. */
  refuse?(args: unknown, check: (args: unknown) => string | undefined): string | undefined
}

/** What the gateway would offer if an operator configured its provider. */
export interface NotConfigured {
  /** What is missing, as the subject of a sentence: `Web search`. */
  readonly what: string
  /** The tools that are not listed without it. */
  readonly tools: readonly string[]
  /** The variables to set: `X_API_KEY or Y_API_KEY`. */
  readonly variables: string
}

/** A tool of a member in an organization. */
interface ToolDefinition<Input extends TObject> extends ToolBase<Input> {
  organization?: 'required'
  run(args: Static<Input>, context: ToolContext): Promise<CallToolResult>
}

/** A tool that also works without an active organization, because it leads to one. */
interface OrglessToolDefinition<Input extends TObject> extends ToolBase<Input> {
  organization: 'optional'
  run(args: Static<Input>, context: ToolContext<Caller | null>): Promise<CallToolResult>
}

/** A defined tool with its input type erased, so that a registry can hold many. */
export interface AnyTool {
  /** The entry of `tools/list`, ready to serialize. */
  readonly entry: Tool
  /** The capability of the tool: the part of its name before the double underscore. */
  readonly capability: string
  /** Whether a call changes nothing. Hints of upstreams do not count. */
  readonly readOnly: boolean
  /** What a call does, as policies see it. Of an upstream's tool only an admin can say it. */
  readonly effect: ToolClass | 'unconfirmed'
  /** How long a call may take, in milliseconds, if it differs from the default. */
  readonly deadlineMs?: number
  /** With which credential a call acts, as a clause. */
  readonly actsAs?: string
  /** Whether the tool acts with an account of the connector that its capability names. */
  readonly needsAccount: boolean
  /** Whether no argument chooses the account: the caller has at most one. */
  readonly onlyAccount?: true
  readonly gate: Gate | undefined
  /** Only for metered tools. */
  readonly price?: Price
  readonly organization: 'required' | 'optional'
  /** Returns why the arguments are rejected, in sentences that name each argument; undefined if they are valid. */
  refuse(args: unknown): string | undefined
  /**
   * Corrects arguments that `refuse` has rejected only because of the forms in which models often send them (`"5"` for 5).
   * Returns undefined if `refuse` would not accept the result.
   */
  mend(args: unknown): unknown
  /** Runs the tool with arguments that `refuse` has accepted. */
  run(args: unknown, context: ToolContext<Caller | null>): Promise<ToolResult>
}

/**
 * Defines a tool, whose validator is compiled at its first call. Throws a TypeError for an invalid wire name, and for a price without
 * a payer.
 */
export function defineTool<Input extends TObject>(
  definition: ToolDefinition<Input> | OrglessToolDefinition<Input>,
): AnyTool {
  const { name, title, description, annotations, input, output, gate, price, deadlineMs, actsAs, run } = definition
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) throw new TypeError(`Tool ${name} has an invalid wire name`)
  if (price !== undefined && definition.organization === 'optional')
    throw new TypeError(`Tool ${name} has a price but requires no organization to charge`)
  const inputSchema = wireSchema(input)
  const faultOf = argumentCheck(input, inputSchema)
  const refuse = (args: unknown) => (definition.refuse === undefined ? faultOf(args) : definition.refuse(args, faultOf))

  return {
    entry: {
      name,
      title,
      description,
      inputSchema: portableSchema(inputSchema).schema,
      ...(output !== undefined && { outputSchema: wireSchema(output) }),
      annotations: { title, ...annotations },
    },
    capability: name.slice(0, name.indexOf('__')),
    readOnly: annotations.readOnlyHint === true,
    effect: effectOf(annotations),
    ...(deadlineMs !== undefined && { deadlineMs }),
    ...(actsAs !== undefined && { actsAs }),
    needsAccount: false,
    gate,
    ...(price !== undefined && { price: price as Price }),
    organization: definition.organization ?? 'required',
    refuse,
    mend: args =>
      mend({
        schema: inputSchema,
        args,
        rules: ownRules(hasFormat),
        accepts: mended => refuse(mended) === undefined,
      }),
    run: run as AnyTool['run'],
  }
}

/** What a call of a tool does by its hints. As in MCP, a tool that does not say otherwise is destructive. */
export function effectOf({ readOnlyHint, destructiveHint }: ToolAnnotations): ToolClass {
  if (readOnlyHint === true) return 'read'
  return destructiveHint === false ? 'write' : 'destructive'
}

/**
 * Returns a function that says why arguments are rejected; undefined if they are valid. The schema is compiled at the first
 * call, because most of the many tools are not called in a process.
 */
export function argumentCheck(
  input: TObject,
  schema: object = wireSchema(input),
): (args: unknown) => string | undefined {
  let compiled: TypeCheck<TObject> | undefined
  return args => {
    compiled ??= TypeCompiler.Compile(input)
    const check = compiled
    if (check.Check(args)) return undefined
    return describeFaults({
      schema,
      value: args,
      rules: ownRules(hasFormat),
      first: () => ({ pointer: check.Errors(args).First()?.path ?? '' }),
    })
  }
}

function hasFormat(format: string, text: string): boolean {
  return FormatRegistry.Get(format)?.(text) ?? true
}

/** A JSON round trip drops TypeBox's symbol keys, so that the wire form is plain JSON Schema. */
function wireSchema(schema: TObject): { type: 'object'; [key: string]: unknown } {
  return JSON.parse(JSON.stringify(schema))
}

/** Returns a result as data and as text, for clients that read only content blocks (MCP, structured content). */
export function structured(content: Record<string, unknown>, text = JSON.stringify(content)): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: content }
}
