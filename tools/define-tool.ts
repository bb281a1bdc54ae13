import type { CallToolResult, Tool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { Static, TObject } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { Identity } from '../plugins/identity/identity.ts'
import type { Caller } from '../plugins/org-resolution/caller.ts'

/** What a running tool is told about its call. */
export interface ToolContext<C = Caller> {
  identity: Identity
  caller: C
  /** Aborts at the tool's deadline and when the client goes away. */
  signal: AbortSignal
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
  readonly gate: Gate | undefined
  readonly organization: 'required' | 'optional'
  /** Why the arguments are refused, as `<path> <reason>`; undefined when they pass. */
  refuse(args: unknown): string | undefined
  /** Runs the tool on arguments that `refuse` has let through. */
  run(args: unknown, context: ToolContext<Caller | null>): Promise<CallToolResult>
}

/** Makes a tool of its definition; its validator is compiled here, once. Throws a TypeError on a name the wire cannot carry. */
export function defineTool<Input extends TObject>(
  definition: ToolDefinition<Input> | OrglessToolDefinition<Input>,
): AnyTool {
  const { name, title, description, annotations, input, output, gate, run } = definition
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) throw new TypeError(`Tool ${name} has no wire name`)
  const check = TypeCompiler.Compile(input)

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
    gate,
    organization: definition.organization ?? 'required',
    refuse(args) {
      if (check.Check(args)) return undefined
      const first = check.Errors(args).First()
      return first === undefined ? 'the arguments do not match the schema' : `${first.path || '/'} ${first.message}`
    },
    run: run as AnyTool['run'],
  }
}

/** A JSON round trip drops TypeBox's symbol keys, so that the wire form is plain JSON Schema. */
function wireSchema(schema: TObject): { type: 'object'; [key: string]: unknown } {
  return JSON.parse(JSON.stringify(schema))
}
