import { hash } from 'node:crypto'
import { canonicalJson } from '../../../lib/canonical-json.ts'
import { hasHidden, sanitizeText, sanitizeTitle } from '../../../lib/sanitize-text.ts'
import type { PinnedTool } from '../snapshot.ts'
import { pinMeta } from './pin-meta.ts'
import { pinSchema } from './pin-schema.ts'
import { isDeeper } from './schema-faults.ts'
import { isSchemaObject, type SchemaObject } from './schema-places.ts'

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
export function originalName(tool: unknown): string | undefined {
  if (!isSchemaObject(tool) || typeof tool.name !== 'string') return undefined
  return tool.name !== '' && tool.name.length <= MAX_NAME && !hasHidden(tool.name) ? tool.name : undefined
}

/**
 * Pins a tool that has an `originalName`, or returns why it is rejected, as a sentence. Omits a faulty output schema: this
 * gateway does not validate results, and clients reject a list with an invalid one.
 */
export function pinTool(tool: SchemaObject): PinnableTool | { reason: string } {
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
  const input = pinSchema(inputSchema)
  if ('fault' in input) return { reason: `Its input schema ${input.fault}.` }
  const output = outputSchema === undefined ? undefined : pinSchema(outputSchema)

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
    hash: hash('sha256', canonical),
    canonical,
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
