import { hash } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { sanitizeTitle } from '../../../lib/sanitize-text.ts'
import { roomOf } from '../../../schemas/remote-names.ts'
import type { PinnedTool, RejectedTool, RejectedTools, Snapshot } from '../snapshot.ts'
import { originalName, pinTool } from './pin-tool.ts'
import { isSchemaObject, type SchemaObject } from './schema-places.ts'
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
