import { type Channel, channel } from 'node:diagnostics_channel'

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

/** Where calls are told of, as `ToolCallEvent`: usage writes them down; metrics and traces may listen too. */
export const TOOL_CALL_CHANNEL = 'connector-gateway:tool-call'

/** The channel, which `node:diagnostics_channel` keeps one of per process. */
export const toolCalls: Channel = channel(TOOL_CALL_CHANNEL)

/** Tells the subscribers of a call; costs nothing when nobody listens. */
export function publishToolCall(event: ToolCallEvent): void {
  if (toolCalls.hasSubscribers) toolCalls.publish(event)
}
