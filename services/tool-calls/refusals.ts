import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { type GatewayError, nested } from '../../lib/errors/errors.ts'
import type { AnyTool } from '../definitions/define-tool.ts'
import { isAdmin, type Principal } from '../identity/caller.ts'
import type { DisabledCapabilities } from './capabilities.ts'

/** Why a tool that is visible may still not be called. */
interface GateRefusal {
  readonly code: 'jwt_session_required' | 'admin_required'
  readonly message: string
}

/** What a tool's gate has against who calls; undefined where it is open, and for an admin's tool where there is no organization. */
export function gateRefusal({ gate }: Pick<AnyTool, 'gate'>, { identity, caller }: Principal): GateRefusal | undefined {
  if (gate === 'session' && identity.via === 'api-key')
    return {
      code: 'jwt_session_required',
      message:
        'This tool needs a signed-in user; an API key cannot call it. Connect without the key and sign in with the ' +
        'browser; where that is not possible yet, the operator configures MCP_ISSUER.',
    }
  if (gate === 'admin' && caller !== null && !isAdmin(caller))
    return { code: 'admin_required', message: 'Only an owner or an admin of the organization may do this.' }
  return undefined
}

/** The name by which a tool is switched off, its own or its capability's; undefined while it is on. */
export function offBy(
  { capability, entry }: Pick<AnyTool, 'capability' | 'entry'>,
  disabled: DisabledCapabilities,
): string | undefined {
  if (disabled.has(entry.name)) return entry.name
  return disabled.has(capability) ? capability : undefined
}

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
