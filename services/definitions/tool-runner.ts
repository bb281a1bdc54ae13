import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Account } from '../accounts/account.ts'
import type { Caller } from '../identity/caller.ts'
import type { ConnectorDefinition } from './define-connector.ts'
import type { HttpTool } from './http-tool.ts'

/** One call of a connector's tool; the arguments match its schema, `account` is not among them. */
export interface ConnectorCall {
  connector: ConnectorDefinition
  tool: HttpTool
  args: Readonly<Record<string, unknown>>
  account: Account
  caller: Caller
  /** The public origin that was called, for the URLs of artifacts. */
  origin: string
  /** The same for every repetition of a keyed call; handed on to providers that take one. */
  idempotencyDigest: string | undefined
  signal: AbortSignal
}

/** Makes the request of a connector's tool and selects from its answer. Throws GatewayErrors that say what to do. */
export interface ToolRunner {
  run(call: ConnectorCall): Promise<CallToolResult>
}
