import { GatewayError } from '../../../lib/errors/errors.ts'
import { sanitizeText, sanitizeTitle } from '../../../lib/sanitize-text.ts'
import type { OverrideChanges, StoredOverride, ToolOverride } from '../../../schemas/remotes/overrides.ts'
import type { Registration } from '../registration.ts'
import type { PinnedTool, Snapshot } from '../snapshot.ts'
import { referencesIn } from '../snapshots/pin/references.ts'
import { placesOf } from '../snapshots/pin/schema-places.ts'
import type { PinnedValidators } from '../snapshots/pinned-validators.ts'

const MAX_TITLE = 128
const MAX_DESCRIPTION = 4_096
/** The maximum size of all overrides of a registration and of the fixed arguments of one tool, in bytes of JSON. */
const MAX_BYTES = 128 * 1024
const MAX_FIXED_BYTES = 8 * 1024

/** Keywords that connect an argument with others. A schema without the argument would say something else. */
const CONNECTING = [
  ...['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', '$ref', '$dynamicRef', 'minProperties', 'maxProperties'],
  ...['dependentRequired', 'dependentSchemas', 'dependencies', 'propertyNames', 'patternProperties'],
]

interface CheckOverridesOptions {
  registration: Pick<Registration, 'name' | 'overrides'>
  snapshot: Snapshot | undefined
  validators: PinnedValidators
  setBy: string
  /** In milliseconds since 1970. */
  setAt: number
}

/** The overrides of a registration after a change, sanitized and by name. Throws invalid_request. */
export function changedOverrides(
  changes: OverrideChanges,
  { registration: { name, overrides }, snapshot, validators, setBy, setAt }: CheckOverridesOptions,
): StoredOverride[] {
  const kept = new Map(overrides.map(override => [override.originalName, override]))
  for (const [originalName, change] of Object.entries(changes)) {
    if (change === null) {
      kept.delete(originalName)
      continue
    }
    const tool = snapshot?.tools.find(tool => tool.originalName === originalName)
    if (tool === undefined)
      throw invalid(
        `${name} has no pinned tool ${JSON.stringify(sanitizeTitle(originalName, MAX_TITLE))}. Use the original_name of a tool.`,
      )
    const checked = checkOverride(tool, change, validators)
    kept.set(originalName, { originalName, ...checked, hash: tool.hash, setBy, setAt })
  }
  const changed = [...kept.values()].sort((a, b) => (a.originalName < b.originalName ? -1 : 1))
  if (Buffer.byteLength(JSON.stringify(changed)) > MAX_BYTES)
    throw invalid(`The overrides of ${name} are larger than ${MAX_BYTES / 1024} KiB together. Remove or shorten some.`)
  return changed
}

function checkOverride(tool: PinnedTool, override: ToolOverride, validators: PinnedValidators): ToolOverride {
  const { fixed } = override
  const title = text(tool, 'title', override.title && sanitizeTitle(override.title, MAX_TITLE))
  const description = text(
    tool,
    'description',
    override.description && sanitizeText(override.description, MAX_DESCRIPTION),
  )
  if (fixed !== undefined) requireFixable(tool, fixed, validators)
  return {
    ...override,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
  }
}

function text({ originalName }: PinnedTool, member: string, sanitized: string | undefined): string | undefined {
  if (sanitized === '') throw invalid(`The ${member} for ${originalName} has no visible characters.`)
  return sanitized
}

function requireFixable(
  { originalName, hash, inputSchema }: PinnedTool,
  fixed: Readonly<Record<string, unknown>>,
  validators: PinnedValidators,
): void {
  const { properties = {} } = inputSchema as { properties?: object }
  const unknown = Object.keys(fixed).find(name => !Object.hasOwn(properties, name))
  if (unknown !== undefined)
    throw invalid(`${originalName} has no argument ${JSON.stringify(sanitizeTitle(unknown, MAX_TITLE))} to fix.`)
  const connecting = CONNECTING.find(keyword => Object.hasOwn(inputSchema, keyword))
  if (connecting !== undefined)
    throw invalid(`The arguments of ${originalName} cannot be fixed: its schema connects them with ${connecting}.`)
  if (isReferenced(inputSchema, Object.keys(fixed)))
    throw invalid(
      `The arguments of ${originalName} cannot be fixed: another part of its schema refers to one of them. Fix only other arguments.`,
    )
  if (Buffer.byteLength(JSON.stringify(fixed)) > MAX_FIXED_BYTES)
    throw invalid(`The fixed arguments of ${originalName} are larger than ${MAX_FIXED_BYTES / 1024} KiB.`)
  // The other arguments come from the caller.
  const partial = { hash: `${hash} fixed`, inputSchema: { ...inputSchema, required: [] } }
  const fault = validators.refuse(partial, fixed)
  if (fault !== undefined) throw invalid(`The fixed arguments of ${originalName} are not valid: ${fault}`)
}

/** Whether what is left of a schema without these arguments refers to one of them, or to the whole schema. */
function isReferenced(inputSchema: PinnedTool['inputSchema'], names: readonly string[]): boolean {
  const removed = names.map(name => `/properties/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  const isRemoved = (pointer: string) => removed.some(top => pointer === top || pointer.startsWith(`${top}/`))
  return referencesIn(placesOf(inputSchema)).some(({ from, to }) => !isRemoved(from) && (to === '' || isRemoved(to)))
}

function invalid(message: string): GatewayError {
  return new GatewayError('invalid_request', message)
}
