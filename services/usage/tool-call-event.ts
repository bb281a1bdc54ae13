import { channel } from 'node:diagnostics_channel'

/** One finished tool call of a member in an organization. */
export interface ToolCallEvent {
  orgId: string
  userId: string
  /** The API key it came with; null for a signed-in user. */
  keyId: string | null
  agentId: string | null
  tool: string
  /** The connected account that acted; null for built-in tools. */
  accountId: string | null
  /** `ok`, `error` for a tool's own refusal, or a code of the error table. */
  outcome: string
  durationMs: number
  /** Micro-dollars. */
  costMicros: number
  /** When it ended, in milliseconds since the epoch. */
  at: number
}

/** Where calls are told of, as `ToolCallEvent`: for metrics and traces; what is charged for is handed to usage itself. */
export const TOOL_CALL_CHANNEL = 'connector-gateway:tool-call'

const toolCalls = channel(TOOL_CALL_CHANNEL)

/** Tells the subscribers of a call; costs nothing when nobody listens. */
export function publishToolCall(event: ToolCallEvent): void {
  if (toolCalls.hasSubscribers) toolCalls.publish(event)
}
