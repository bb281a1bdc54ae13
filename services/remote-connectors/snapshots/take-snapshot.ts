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
/** Tools set aside that are named. */
const MAX_REJECTED = 100

const NAMELESS = 'It has no name, or one that is too long or has invisible characters.'
const SAME_NAME = 'Another tool has the same name, and came first.'
const TOO_MANY = `Only the first ${MAX_TOOLS} tools, by name, are published.`
const TOO_LARGE = `The tools of a connector take at most ${MAX_BYTES / 1024 / 1024} MiB together.`
/** Bytes of tools that are looked into, those with them that turn out to be faulty. */
const MAX_JUDGED_BYTES = 2 * MAX_BYTES
const TOO_MUCH = `It was not looked into: the tools before it came to ${MAX_JUDGED_BYTES / 1024 / 1024} MiB.`

/**
 * What is published of the tools of an upstream, as it sent them; one that is faulty is set aside, and the others
 * stay. Never rejects. Lets others run between two tools, as long as the tool took: a large one takes up to 100 ms.
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
  let judged = 0
  for (const [original, tool] of [...named].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (published.length >= MAX_TOOLS) {
      reject(original, TOO_MANY)
      continue
    }
    const sentBytes = sizeOf(tool)
    // Before anything of it is compiled: that is what costs.
    if (judged + sentBytes > MAX_JUDGED_BYTES) {
      reject(original, TOO_MUCH)
      continue
    }
    judged += sentBytes
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
    // As long again for everybody else, so that no list takes more than half of a core; a timer waits for 1 ms at least.
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

/** What is nested too deep to be written costs nothing: it is refused by its depth. */
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
