import { isDeepStrictEqual } from 'node:util'
import type { SnapshotChanges } from '../../../schemas/remote.ts'
import { wireName } from '../../../schemas/remote-names.ts'
import type { PinnedTool, Snapshot, StoredSnapshot } from '../snapshot.ts'
import { type Change, change, inWords, offerChanges, toolChange } from './offer-changes.ts'
import { predecessorsOf } from './renames.ts'
import { schemaChanges } from './schema-changes.ts'

const MAX_CHANGES = 50

/** A snapshot, with or without what the upstream offers besides tools. */
type Compared = Snapshot & Partial<Pick<StoredSnapshot, 'offers'>>

/**
 * The differences between two snapshots of a registration. Tools are matched by original name, or as renames. A change is risky
 * if it may make a model do, or a call mean, something that no one has approved. Every text that models read and every
 * claim that clients act on is approved only as it is, so a new one is risky whatever it says.
 */
export function changesBetween(before: Compared | undefined, after: Compared, capability: string): SnapshotChanges {
  const nameOf = ({ name }: PinnedTool) => wireName(capability, name)
  const holderOf = new Map(before?.tools.map(tool => [tool.name, tool]))
  const predecessors = predecessorsOf(before, after)
  const kept = new Set(predecessors.values())
  const changes: SnapshotChanges = { added: [], removed: [], changed: [], renamed: [] }
  for (const tool of after.tools) {
    const was = predecessors.get(tool)
    const name = nameOf(tool)
    if (was === undefined) changes.added.push(toolChange(name, [newTool(tool, holderOf.get(tool.name))]))
    else {
      if (was.name !== tool.name) changes.renamed.push({ from: nameOf(was), to: name, risky: true })
      if (was.hash !== tool.hash || !isDeepStrictEqual([was.meta, othersOf(was)], [tool.meta, othersOf(tool)]))
        changes.changed.push(toolChange(name, changesOf(was, tool)))
    }
  }
  for (const tool of before?.tools ?? [])
    if (!kept.has(tool))
      changes.removed.push(
        toolChange(nameOf(tool), [change('tool', false, 'It is no longer published. Calls of it fail.')]),
      )
  const offers = offerChanges(before?.offers, after.offers, capability)
  changes.added.push(...offers.added)
  changes.removed.push(...offers.removed)
  changes.changed.push(...offers.changed)
  return changes
}

/** Whether any of the changes is risky. */
export function isRisky(changes: SnapshotChanges): boolean {
  return riskyOf(changes) > 0
}

/** The number of risky changes. */
export function riskyOf({ added, removed, changed, renamed }: SnapshotChanges): number {
  return [added, removed, changed, renamed].flat().filter(({ risky }) => risky).length
}

function newTool({ description }: PinnedTool, holder: PinnedTool | undefined): Change {
  return holder === undefined
    ? change('tool', true, `A new tool. Models read its description: ${inWords(description)}`)
    : change('name', true, `A new tool with the former name of ${holder.originalName}.`)
}

function changesOf(before: PinnedTool, after: PinnedTool): Change[] {
  const changes = [...partsChanged(before, after)]
  // Content that is truncated, sanitized or omitted affects only the hash.
  if (changes.length === 0) changes.push(change('unpublished', false, 'Content that is not published changed.'))
  if (changes.length <= MAX_CHANGES) return changes
  const shown = changes.toSorted((one, other) => Number(other.risky) - Number(one.risky))
  const left = shown.splice(MAX_CHANGES - 1)
  const risky = left.some(({ risky }) => risky)
  return [...shown, change('arguments', risky, `${left.length} more changes.`)]
}

function* partsChanged(before: PinnedTool, after: PinnedTool): Generator<Change> {
  if (before.originalName !== after.originalName)
    yield change('name', true, `The upstream's name was ${before.originalName} and is now ${after.originalName}.`, {
      before: before.originalName,
      after: after.originalName,
    })
  if (before.description !== after.description)
    yield change('description', true, `It can steer models. It is now: ${inWords(after.description)}`, {
      before: before.description,
      after: after.description,
    })
  if (before.title !== after.title)
    yield change('title', true, `It is now: ${inWords(after.title)}`, { before: before.title, after: after.title })
  yield* annotationChanges(before, after)
  if (!isDeepStrictEqual(before.meta, after.meta))
    yield change('meta', true, 'Its _meta changed, which can name an interface that clients show.', {
      before: before.meta,
      after: after.meta,
    })
  for (const { risky, detail, ...values } of schemaChanges(before.inputSchema, after.inputSchema))
    yield change('arguments', risky, detail, values)
  if (!isDeepStrictEqual(before.outputSchema, after.outputSchema))
    yield change('output_schema', true, 'Models read the output schema. It changed.', {
      before: before.outputSchema,
      after: after.outputSchema,
    })
  const others = { before: othersOf(before), after: othersOf(after) }
  if (!isDeepStrictEqual(others.before, others.after))
    yield change('other', true, 'Other published content changed.', others)
}

/** The parts of a tool that have no comparison of their own. */
function othersOf(tool: PinnedTool): object {
  const { name, originalName, title, description, inputSchema, outputSchema, annotations, meta, hash, ...others } = tool
  return others
}

/** Both directions are risky: a client may call a tool without asking because it claims to be read-only. */
function* annotationChanges(before: PinnedTool, after: PinnedTool): Generator<Change> {
  if (isDeepStrictEqual(before.annotations, after.annotations)) return
  const changes = [...hintChanges(before, after)]
  if (changes.length > 0) yield* changes
  else
    yield change('annotations', true, `They are now: ${JSON.stringify(after.annotations ?? {})}`, {
      before: before.annotations,
      after: after.annotations,
    })
}

/** The hints of a tool's annotations: the safe value, and the words for both values. */
const HINTS = [
  { hint: 'readOnlyHint', safe: true, good: 'read-only', bad: 'not read-only' },
  { hint: 'destructiveHint', safe: false, good: 'not destructive', bad: 'destructive' },
  { hint: 'idempotentHint', safe: true, good: 'idempotent', bad: 'not idempotent' },
  { hint: 'openWorldHint', safe: false, good: 'in a closed world', bad: 'in an open world' },
] as const

/** Whether a tool claims the safe value of a hint. MCP implies some hints from `readOnlyHint`. */
function isSafe({ annotations = {} }: PinnedTool, { hint, safe }: (typeof HINTS)[number]): boolean {
  return annotations[hint] === safe || (hint !== 'openWorldHint' && annotations.readOnlyHint === true)
}

function* hintChanges(before: PinnedTool, after: PinnedTool): Generator<Change> {
  for (const row of HINTS) {
    const { hint, safe, good, bad } = row
    const [said, says] = [before.annotations?.[hint], after.annotations?.[hint]]
    const now = isSafe(after, row)
    if (isSafe(before, row) === now) continue
    // Report only the hints that the tool declares itself, not those that `readOnlyHint` implies.
    if (now && says === safe) yield change('annotations', true, `It now says it is ${good}.`)
    else if (!now && said === safe) yield change('annotations', true, `It no longer says it is ${good}.`)
    else if (!now && says === !safe) yield change('annotations', true, `It now says it is ${bad}.`)
  }
  const titles = { before: before.annotations?.title, after: after.annotations?.title }
  if (titles.before !== titles.after)
    yield change('annotations', true, `Its title there is now: ${inWords(titles.after)}`, titles)
}
