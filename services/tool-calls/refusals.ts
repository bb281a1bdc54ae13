import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { type GatewayError, nested } from '../../lib/errors/errors.ts'
import type { AnyTool } from '../definitions/define-tool.ts'
import { isAdmin, type Principal } from '../identity/caller.ts'
import { isSignedIn } from '../identity/identity.ts'
import type { DisabledCapabilities } from './capabilities.ts'

/** Why a caller may not call a visible tool. */
interface GateRefusal {
  readonly code: 'jwt_session_required' | 'admin_required'
  readonly message: string
}

/** Why the gate of a tool rejects the caller; undefined if it does not. Without an organization, the admin gate is open. */
export function gateRefusal({ gate }: Pick<AnyTool, 'gate'>, { identity, caller }: Principal): GateRefusal | undefined {
  if (gate === 'session' && !isSignedIn(identity))
    return {
      code: 'jwt_session_required',
      message:
        `This tool needs a signed-in user; ${identity.via === 'api-key' ? 'an API key' : 'an agent'} cannot call it. Connect ` +
        'without it and sign in with the browser. If that is not possible, ask the operator to configure MCP_ISSUER.',
    }
  if (gate === 'admin' && caller !== null && !isAdmin(caller))
    return { code: 'admin_required', message: 'Only an owner or an admin of the organization may do this.' }
  return undefined
}

/** The setting that disables a tool: its own name or its capability; undefined if it is enabled. */
export function offBy(
  { capability, entry }: Pick<AnyTool, 'capability' | 'entry'>,
  disabled: DisabledCapabilities,
): string | undefined {
  if (disabled.has(entry.name)) return entry.name
  return disabled.has(capability) ? capability : undefined
}

/** The result of a failed tool: the nested error envelope as JSON text, for the model to read. */
export function toolError(error: GatewayError): CallToolResult {
  return refusal(JSON.stringify({ ...nested(error), ...error.details }))
}

/** The result for arguments that do not match the tool's schema. */
export function invalidArguments(name: string, reason: string): CallToolResult {
  return refusal(`Input validation error: Invalid arguments for tool ${name}: ${reason}`)
}

function refusal(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}
