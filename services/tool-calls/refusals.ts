import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { type GatewayError, nested } from '../../lib/errors/errors.ts'
import { similarNames } from '../../lib/similar-names.ts'
import type { AnyTool } from '../definitions/define-tool.ts'
import { isAdmin, type Principal } from '../identity/caller.ts'
import { isSignedIn } from '../identity/identity.ts'
import type { DisabledCapabilities } from './capabilities.ts'

/** Why a caller may not call a visible tool. */
interface GateRefusal {
  readonly code: 'jwt_session_required' | 'admin_required'
  readonly message: string
}

/**
 * Why the gate of a tool rejects the caller; undefined if it does not. Without an organization, the admin gate is open.
 * `browserSignIn` says whether MCP clients can sign in with the browser.
 */
export function gateRefusal(
  { gate }: Pick<AnyTool, 'gate'>,
  { identity, caller }: Principal,
  browserSignIn: boolean,
): GateRefusal | undefined {
  if (gate === 'session' && !isSignedIn(identity)) {
    const credential = identity.via === 'api-key' ? 'an API key' : 'an agent'
    const advice = browserSignIn
      ? 'Connect without this credential and sign in with the browser.'
      : 'MCP clients cannot sign in with the browser here. Ask the operator to configure MCP_ISSUER.'
    return {
      code: 'jwt_session_required',
      message: `This tool needs a signed-in user; ${credential} cannot call it. ${advice}`,
    }
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

/** How many names of the caller's list the answer suggests. */
const MAX_NAMES = 3
const EXPLAIN = 'manage__explain_tool'

/**
 * The result for an unknown or disabled tool. It depends only on the name and on the caller's own list, so that it does
 * not reveal which other tools exist.
 */
export function toolNotFound(name: string, tools: ReadonlyMap<string, unknown>): CallToolResult {
  const similar = namesLike(name, [...tools.keys()])
  const hints = [
    ...(similar.length === 0 ? [] : [`Similar names in your list: ${similar.join(', ')}.`]),
    'tools/list returns all tools that you can call.',
    ...(tools.has(EXPLAIN) ? [`${EXPLAIN} says why a tool cannot be called.`] : []),
  ]
  return {
    content: [
      { type: 'text', text: `Tool ${name} not found` },
      { type: 'text', text: hints.join(' ') },
    ],
    isError: true,
  }
}

/** Longer names are no mistakes of a name, and would make the search slow. */
const MAX_LENGTH = 128

/** The names of a list that a wrong name may mean: first those that differ only in their capability. */
function namesLike(wrong: string, names: readonly string[]): string[] {
  const operation = wrong.length > MAX_LENGTH ? '' : operationOf(wrong)
  if (operation === '') return []
  const ending = `__${operation}`.toLowerCase()
  const found = new Set(names.filter(name => name.toLowerCase().endsWith(ending)))
  const searches = operation === wrong ? [byOperation, byName] : [byName, byOperation]
  for (const search of searches) if (found.size < MAX_NAMES) for (const name of search()) found.add(name)
  return [...found].slice(0, MAX_NAMES)

  function byName(): string[] {
    return similarNames(wrong, names, MAX_NAMES)
  }

  function byOperation(): string[] {
    const withOperation = Map.groupBy(names, operationOf)
    return similarNames(operation, withOperation.keys(), MAX_NAMES).flatMap(found => withOperation.get(found) ?? [])
  }
}

/** The part of a name after its capability (`memory`, `org__<slug>`); the whole name if it has none. */
function operationOf(name: string): string {
  const parts = name.split('__')
  return parts.slice(Math.min(parts[0] === 'org' ? 2 : 1, parts.length - 1)).join('__')
}
