import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { type Static, Type } from '@sinclair/typebox'
import type { Account } from '../accounts/account.ts'
import type { Caller } from '../identity/caller.ts'
import type { ConnectorDefinition } from './connector-types.ts'
import { type AnyTool, defineTool } from './define-tool.ts'
import type { HttpTool } from './http-tool-types.ts'

const AccountArgument = Type.Optional(Type.String({ description: 'The account to use. Required if you have several.' }))

/** Defines the tools of a connector. Each gets an additional argument `account`. */
export function connectorTools(connector: ConnectorDefinition, runner: ToolRunner): AnyTool[] {
  return connector.tools.map(tool => connectorTool(connector, tool, runner))
}

function connectorTool(connector: ConnectorDefinition, tool: HttpTool, runner: ToolRunner): AnyTool {
  const { operation, title, description, annotations } = tool
  const input = Type.Object({ ...tool.input.properties, account: AccountArgument }, { additionalProperties: false })

  const defined = defineTool({
    name: `${connector.id}__${operation}`,
    title,
    description,
    annotations,
    input,
    run({ account: _alias, ...args }: Static<typeof input>, { account, caller, origin, idempotencyDigest, signal }) {
      if (account === undefined) throw new TypeError(`${connector.id}__${operation} was called without an account`)
      return runner.run({ connector, tool, args, account, caller, origin, idempotencyDigest, signal })
    },
  })
  return { ...defined, needsAccount: true }
}

/** One call of a connector's tool. The arguments match its schema, without `account`. */
export interface ConnectorCall {
  connector: ConnectorDefinition
  tool: HttpTool
  args: Readonly<Record<string, unknown>>
  account: Account
  caller: Caller
  /** The public origin that was called, for the URLs of artifacts. */
  origin: string
  /** The same for every repetition of a call with an idempotency key. Providers that accept such a key receive it. */
  idempotencyDigest: string | undefined
  signal: AbortSignal
}

/** Runs the tools of connectors. Throws GatewayErrors with advice. */
export interface ToolRunner {
  run(call: ConnectorCall): Promise<CallToolResult>
}
