import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { type GatewayError, nested } from '../../lib/errors/errors.ts'

/** A tool's failure for the model to read: the nested envelope as JSON text (spec.md, MCP tool errors). */
export function toolError(error: GatewayError): CallToolResult {
  return refusal(JSON.stringify({ ...nested(error), ...error.details }))
}

/** The answer to an unknown or disabled name: the same for both, with nothing before it. */
export function toolNotFound(name: string): CallToolResult {
  return refusal(`Tool ${name} not found`)
}

/** The answer to arguments that do not match the tool's schema. */
export function invalidArguments(name: string, reason: string): CallToolResult {
  return refusal(`Input validation error: Invalid arguments for tool ${name}: ${reason}`)
}

function refusal(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}
