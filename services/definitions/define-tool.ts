import type { CallToolResult, Tool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { Static, TObject } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { Account } from '../accounts/account.ts'
import type { Caller } from '../identity/caller.ts'
import type { Identity } from '../identity/identity.ts'
import type { CallingClient, ToolResult } from '../mcp/contract.ts'

/** What a running tool is told about its call. */
export interface ToolContext<C = Caller> {
  identity: Identity
  caller: C
  /** The public origin that was called, for the URLs of an answer. */
  origin: string
  /** The account that acts; of connector tools alone. */
  account: Account | undefined
  /**
   * What tells this call from every other, the same when it is made again: a digest of the caller's idempotency key and
   * of whose it is. Undefined for calls without a key, and for tools without a price that only read.
   */
  idempotencyDigest: string | undefined
  /** What the calling client said of itself; a tool that is proxied hands parts of it on. */
  client: CallingClient
  /** Aborts at the tool's deadline and when the client goes away. */
  signal: AbortSignal
  /**
   * Of metered tools alone: what the call did cost, in micro-dollars, where that is known only afterwards. The last word
   * counts; a call that fails costs nothing whatever was said.
   */
  reportCost(costMicros: number): void
}

/** What a metered tool costs. */
export interface Price<Args = unknown> {
  /**
   * What is held before the tool runs, and what it costs unless it says otherwise, in micro-dollars: an integer above
   * zero, or zero for arguments that cost nothing.
   */
  estimate(args: Args): number
}

/** Who may call a tool beyond being a member: a user's sign-in, or an owner or admin. */
export type Gate = 'session' | 'admin'

interface ToolBase<Input extends TObject> {
  /** Wire name, `<capability>__<operation>`. */
  name: `${string}__${string}`
  /** What a person sees. */
  title: string
  /** What the model reads. */
  description: string
  annotations: Required<Pick<ToolAnnotations, 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint'>>
  /** The arguments: one schema gives the type, the check and the wire's `inputSchema`. */
  input: Input
  /** The shape of `structuredContent`, where the tool answers with one. */
  output?: TObject
  gate?: Gate
  /** Makes the tool metered: it runs only for what the wallet covers (decisions.md, Money). */
  price?: Price<Static<Input>>
  /** How long a call may take, where that is not what it is for most. */
  deadlineMs?: number
  /** In place of AnyTool.refuse, where the check by the schema is not all there is to it, or not in its words. */
  refuse?(args: unknown, check: (args: unknown) => string | undefined): string | undefined
}

/** A tool of a member in an organization. */
export interface ToolDefinition<Input extends TObject> extends ToolBase<Input> {
  organization?: 'required'
  run(args: Static<Input>, context: ToolContext): Promise<CallToolResult>
}

/** A tool that also works for a user without an active organization: it is what leads there. */
export interface OrglessToolDefinition<Input extends TObject> extends ToolBase<Input> {
  organization: 'optional'
  run(args: Static<Input>, context: ToolContext<Caller | null>): Promise<CallToolResult>
}

/** A defined tool with its input type erased, so that a registry can hold many. */
export interface AnyTool {
  /** The entry of `tools/list`, ready for the wire. */
  readonly entry: Tool
  /** The capability the tool belongs to: what stands before the double underscore. */
  readonly capability: string
  /** Whether a call changes nothing, on our own word: an upstream's hint does not count. */
  readonly readOnly: boolean
  /** How long a call may take, where that is not what it is for most (decisions.md, deadlines). */
  readonly deadlineMs?: number
  /** Whether it acts with an account of the connector that its capability names. */
  readonly needsAccount: boolean
  readonly gate: Gate | undefined
  /** Of a metered tool. */
  readonly price?: Price
  readonly organization: 'required' | 'optional'
  /** Why the arguments are refused, as `<path> <reason>`; undefined when they pass. */
  refuse(args: unknown): string | undefined
  /** Runs the tool on arguments that `refuse` has let through. */
  run(args: unknown, context: ToolContext<Caller | null>): Promise<ToolResult>
}

/** Makes a tool of its definition; its validator is compiled here, once. Throws a TypeError on a name the wire cannot carry, and on a price without a payer. */
export function defineTool<Input extends TObject>(
  definition: ToolDefinition<Input> | OrglessToolDefinition<Input>,
): AnyTool {
  const { name, title, description, annotations, input, output, gate, price, deadlineMs, run } = definition
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) throw new TypeError(`Tool ${name} has no wire name`)
  if (price !== undefined && definition.organization === 'optional')
    throw new TypeError(`Tool ${name} has a price, and nobody who pays it`)
  const check = TypeCompiler.Compile(input)

  function faultOf(args: unknown): string | undefined {
    if (check.Check(args)) return undefined
    const first = check.Errors(args).First()
    return first === undefined ? 'the arguments do not match the schema' : `${first.path || '/'} ${first.message}`
  }

  return {
    entry: {
      name,
      title,
      description,
      inputSchema: wireSchema(input),
      ...(output !== undefined && { outputSchema: wireSchema(output) }),
      annotations: { title, ...annotations },
    },
    capability: name.slice(0, name.indexOf('__')),
    readOnly: annotations.readOnlyHint === true,
    ...(deadlineMs !== undefined && { deadlineMs }),
    needsAccount: false,
    gate,
    ...(price !== undefined && { price: price as Price }),
    organization: definition.organization ?? 'required',
    refuse: args => (definition.refuse === undefined ? faultOf(args) : definition.refuse(args, faultOf)),
    run: run as AnyTool['run'],
  }
}

/** A JSON round trip drops TypeBox's symbol keys, so that the wire form is plain JSON Schema. */
function wireSchema(schema: TObject): { type: 'object'; [key: string]: unknown } {
  return JSON.parse(JSON.stringify(schema))
}

/** A result that says the same twice: as data, and as text for clients that read content blocks alone (MCP, structured content). */
export function structured(content: Record<string, unknown>, text = JSON.stringify(content)): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: content }
}
