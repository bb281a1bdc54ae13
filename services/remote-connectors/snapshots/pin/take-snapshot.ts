import { hash } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { canonicalJson } from '../../../../lib/canonical-json.ts'
import { hasHidden, sanitizeText, sanitizeTitle } from '../../../../lib/sanitize-text.ts'
import { roomOf } from '../../../../schemas/remotes/names.ts'
import type { PinnedTool, RejectedTool, RejectedTools, Snapshot } from '../../snapshot.ts'
import { pinMeta } from './pin-meta.ts'
import { pinSchema } from './pin-schema.ts'
import { isSchemaObject, type SchemaObject } from './schema-places.ts'
import { isDeeper } from './schema-rejections.ts'
import { wireNames } from './wire-names.ts'

const MAX_TOOLS = 500
const MAX_BYTES = 2 * 1024 * 1024
/** How many rejected tools a snapshot names. */
const MAX_REJECTED = 100

const NAMELESS = 'It has no name, or its name is too long or contains invisible characters.'
const SAME_NAME = 'An earlier tool has the same name.'
const TOO_MANY = `Only the first ${MAX_TOOLS} tools by name are published.`
const TOO_LARGE = `The tools of a connector may have at most ${MAX_BYTES / 1024 / 1024} MiB together.`
/** The maximum size of the tools that are validated, including faulty ones. */
const MAX_CHECKED_BYTES = 2 * MAX_BYTES
const TOO_MUCH = `It was not validated: the tools before it have ${MAX_CHECKED_BYTES / 1024 / 1024} MiB.`

/**
 * Makes a snapshot from the tools that an upstream sent. Rejects faulty tools one by one; never throws. Pauses after each tool
 * for as long as the tool took, which is up to 100 ms, so that other work can run.
 */
export async function takeSnapshot(
  tools: readonly unknown[],
  { capability }: { capability: string },
): Promise<Snapshot> {
  const rejected: RejectedTool[] = []
  const reject = (name: string, reason: string) =>
    rejected.push({ originalName: sanitizeTitle(name, 128) || '(no name)', reason })
  const named = new Map<string, SchemaObject>()
  for (const tool of tools) {
    const name = originalName(tool)
    if (name === undefined || !isSchemaObject(tool))
      reject(isSchemaObject(tool) && typeof tool.name === 'string' ? tool.name : '', NAMELESS)
    else if (named.has(name)) reject(name, SAME_NAME)
    else named.set(name, tool)
  }

  const wireNameOf = wireNames(named.keys(), roomOf(capability))
  const published: PinnedTool[] = []
  const canonical: string[] = []
  let bytes = 0
  let checked = 0
  for (const [original, tool] of [...named].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (published.length >= MAX_TOOLS) {
      reject(original, TOO_MANY)
      continue
    }
    const sentBytes = sizeOf(tool)
    // Check the size first, because compiling the schema is expensive.
    if (checked + sentBytes > MAX_CHECKED_BYTES) {
      reject(original, TOO_MUCH)
      continue
    }
    checked += sentBytes
    const begun = performance.now()
    const pinned = pinTool(tool)
    if ('reason' in pinned) reject(original, pinned.reason)
    else {
      const { canonical: sent, ...rest } = pinned
      const entry = { name: wireNameOf.get(original) ?? original, ...rest }
      const size = Buffer.byteLength(JSON.stringify(entry))
      if (bytes + size > MAX_BYTES) reject(original, TOO_LARGE)
      else {
        bytes += size
        published.push(entry)
        canonical.push(sent)
      }
    }
    const took = performance.now() - begun
    // Pause as long as the tool took, so that a list uses at most half of a core. A timer waits for at least 1 ms.
    await (took < 1 ? nextTurn() : pause(took))
  }
  return {
    v: 1,
    tools: published.sort((a, b) => (a.name < b.name ? -1 : 1)),
    rejected: bounded(rejected),
    // The canonical JSON of an array is that of its items.
    hash: hash('sha256', `[${canonical.join(',')}]`),
  }
}

/** The size of a tool in bytes; 0 if it is nested too deeply to serialize, because it is rejected for its depth. */
function sizeOf(tool: SchemaObject): number {
  try {
    return Buffer.byteLength(JSON.stringify(tool))
  } catch {
    return 0
  }
}

function bounded(rejected: readonly RejectedTool[]): RejectedTools {
  const key = ({ originalName, reason }: RejectedTool) => `${originalName}\n${reason}`
  const sorted = rejected.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
  return { tools: sorted.slice(0, MAX_REJECTED), count: sorted.length }
}

const MAX_NAME = 256
const MAX_TITLE = 128
const MAX_DESCRIPTION = 4_096
const MAX_SENT_DEPTH = 64
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']

/** A pinned tool without its wire name, and the canonical JSON of what the upstream sent. */
interface PinnableTool extends Omit<PinnedTool, 'name'> {
  readonly canonical: string
}

/** The upstream's name of a tool; undefined if it is missing or unusable. */
function originalName(tool: unknown): string | undefined {
  if (!isSchemaObject(tool) || typeof tool.name !== 'string') return undefined
  return tool.name !== '' && tool.name.length <= MAX_NAME && !hasHidden(tool.name) ? tool.name : undefined
}

/**
 * Pins a tool that has an `originalName`, or returns why it is rejected, as a sentence. Omits a faulty output schema: this
 * gateway does not validate results, and clients reject a list with an invalid one.
 */
function pinTool(tool: SchemaObject): PinnableTool | { reason: string } {
  const { name, title, description, inputSchema, outputSchema, annotations, execution, _meta } = withoutNulls(tool)
  if (title !== undefined && typeof title !== 'string') return { reason: 'Its title is not a string.' }
  if (description !== undefined && typeof description !== 'string')
    return { reason: 'Its description is not a string.' }
  if (annotations !== undefined && !isSchemaObject(annotations)) return { reason: 'Its annotations are not an object.' }
  if (isSchemaObject(execution) && execution.taskSupport === 'required')
    return { reason: 'It can only be called as a task, which this gateway does not support.' }
  // Hashing visits every level.
  if (isDeeper([outputSchema, annotations], MAX_SENT_DEPTH))
    return { reason: 'Its output schema or its annotations are nested too deeply.' }
  const { schema, correction } = objectSchema(inputSchema)
  const input = pinSchema(schema)
  if ('reason' in input) return { reason: `Its input schema ${input.reason}.` }
  const output = outputSchema === undefined ? undefined : pinSchema(outputSchema)
  const unusable =
    output !== undefined && 'reason' in output
      ? `Its output schema ${output.reason}. The gateway lists the tool without it.`
      : ''
  const corrections = [correction, unusable].filter(text => text !== '')

  const canonical = canonicalJson({ name, title, description, inputSchema, outputSchema, annotations })
  const shown = sanitizeTitle(title ?? '', MAX_TITLE)
  const described = sanitizeText(description ?? '', MAX_DESCRIPTION)
  const hints = knownAnnotations(annotations ?? {})
  const meta = pinMeta(_meta)
  return {
    originalName: String(name),
    ...(shown !== '' && { title: shown }),
    ...(described !== '' && { description: described }),
    inputSchema: input.pinned,
    ...(output !== undefined && 'pinned' in output && { outputSchema: output.pinned }),
    ...(Object.keys(hints).length > 0 && { annotations: hints }),
    ...(meta !== undefined && { meta }),
    ...(corrections.length > 0 && { corrections }),
    hash: hash('sha256', canonical),
    canonical,
  }
}

/** An input schema of type "object", and what was corrected in what was sent. Published servers leave out the type or all of it. */
function objectSchema(sent: unknown): { schema: unknown; correction: string } {
  if (sent === undefined)
    return { schema: { type: 'object' }, correction: 'It has no input schema. The gateway accepts any arguments.' }
  if (!isSchemaObject(sent) || sent.type === 'object') return { schema: sent, correction: '' }
  if (sent.type === undefined)
    return {
      schema: { type: 'object', ...sent },
      correction: 'Its input schema has no type. The gateway uses type "object".',
    }
  if (!Array.isArray(sent.type) || !sent.type.includes('object')) return { schema: sent, correction: '' }
  const types = sent.type.filter(type => type !== 'object').join(', ')
  return {
    schema: { ...sent, type: 'object' },
    correction: `Its input schema also allows ${types}. The gateway uses only type "object".`,
  }
}

/** Some servers send null for absent members. */
function withoutNulls(tool: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(tool).filter(([, value]) => value !== null))
}

function knownAnnotations(annotations: SchemaObject): Record<string, unknown> {
  const title = typeof annotations.title === 'string' ? sanitizeTitle(annotations.title, MAX_TITLE) : ''
  const hints = HINTS.filter(hint => typeof annotations[hint] === 'boolean').map(hint => [hint, annotations[hint]])
  return { ...(title !== '' && { title }), ...Object.fromEntries(hints) }
}
