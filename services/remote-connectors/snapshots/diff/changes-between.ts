import { isDeepStrictEqual } from 'node:util'
import { sanitizeTitle } from '../../../../lib/sanitize-text.ts'
import { slugOf, wireName } from '../../../../schemas/remotes/names.ts'
import type { SnapshotChanges, ToolChange } from '../../../../schemas/remotes/remote.ts'
import { toGatewayTemplate, toGatewayUri } from '../../resource-uri.ts'
import {
  claimsOf,
  NO_OFFERS,
  type Offers,
  type PinnedPrompt,
  type PinnedResource,
  type PinnedTemplate,
  type PinnedTool,
  type Snapshot,
  type StoredSnapshot,
} from '../../snapshot.ts'
import { predecessorsOf } from './renames.ts'
import { schemaChanges } from './schema-changes.ts'

type Change = ToolChange['changes'][number]

const MAX_CHANGES = 50
/** The values before and after a change are not cut: an admin approves all of a text. */
const MAX_DETAIL = 300

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
  addOfferChanges(changes, { before: before?.offers, after: after.offers, capability })
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
  const { name, originalName, title, description, inputSchema, outputSchema, annotations, meta, hash, ...rest } = tool
  // They follow from what was sent.
  const { corrections, ...others } = rest
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

interface Offer {
  /** Its name or URI at this gateway. */
  readonly name: string
  readonly what: 'resource' | 'resource_template' | 'prompt'
  readonly hash: string
  /** What it publishes besides its name or URI, in the order in which changes are reported. */
  readonly parts: ReadonlyMap<string, unknown>
}

/**
 * Adds the differences between what two snapshots offer besides tools. Every new or changed text is risky, because models may
 * read it, and the server's instructions, because people do.
 */
function addOfferChanges(
  changes: SnapshotChanges,
  { before, after, capability }: { before: Offers | undefined; after: Offers | undefined; capability: string },
): void {
  const slug = slugOf(capability) ?? ''
  const offersOf = ({ resources, templates, prompts }: Offers): Offer[] => [
    ...resources.map((offer): Offer => ({ ...of(offer, 'resource'), name: toGatewayUri(slug, offer.uri) })),
    ...templates.map(
      (offer): Offer => ({ ...of(offer, 'resource_template'), name: toGatewayTemplate(slug, offer.uriTemplate) }),
    ),
    ...prompts.map((offer): Offer => ({ ...of(offer, 'prompt'), name: wireName(capability, offer.name) })),
  ]
  const keyOf = ({ what, name }: Offer) => `${what} ${name}`
  const old = new Map(offersOf(before ?? NO_OFFERS).map(offer => [keyOf(offer), offer]))
  for (const offer of offersOf(after ?? NO_OFFERS)) {
    const was = old.get(keyOf(offer))
    old.delete(keyOf(offer))
    if (was === undefined) changes.added.push(toolChange(offer.name, [change(offer.what, true, introduction(offer))]))
    else {
      const changed = offerPartsChanged(was, offer)
      if (changed.length > 0) changes.changed.push(toolChange(offer.name, changed))
    }
  }
  for (const offer of old.values())
    changes.removed.push(toolChange(offer.name, [change(offer.what, false, 'It is no longer published.')]))
  if (before?.instructions !== after?.instructions)
    changes.changed.push(
      toolChange(capability, [
        change('instructions', true, `They are now: ${inWords(after?.instructions)}`, {
          before: before?.instructions,
          after: after?.instructions,
        }),
      ]),
    )
}

function of(offer: PinnedResource | PinnedTemplate | PinnedPrompt, what: Offer['what']): Omit<Offer, 'name'> {
  const { annotations, meta } = claimsOf(offer) ?? {}
  const parts: Record<string, unknown> = {
    name: offer.name,
    title: offer.title,
    description: offer.description,
    ...('originalName' in offer && { 'name at the server': offer.originalName }),
    ...('mimeType' in offer && { 'MIME type': offer.mimeType }),
    ...('arguments' in offer && { arguments: offer.arguments }),
    annotations,
    _meta: meta,
  }
  return { what, hash: offer.hash, parts: new Map(Object.entries(parts)) }
}

function offerPartsChanged(before: Offer, after: Offer): Change[] {
  const { what, hash } = after
  const changes = [...new Set([...before.parts.keys(), ...after.parts.keys()])].flatMap(part => {
    const [was, is] = [before.parts.get(part), after.parts.get(part)]
    if (isDeepStrictEqual(was, is)) return []
    return [change(what, true, `Changed: ${part}. It is now: ${inWords(is)}`, { before: was, after: is })]
  })
  if (changes.length > 0 || before.hash === hash) return changes
  return [change(what, true, 'It changed only in content that is not published.')]
}

function introduction({ what, parts }: Offer): string {
  const texts = `A new ${what.replace('_', ' ')}. Models may read its texts`
  const description = parts.get('description')
  return description === undefined ? `${texts}.` : `${texts}: ${description}`
}

/** A published value in a sentence. */
function inWords(value: unknown): string {
  if (value === undefined) return '(none)'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The changes of one tool or other offer, by its name at this gateway. */
function toolChange(name: string, changes: Change[]): ToolChange {
  return { name, changes, risky: changes.some(({ risky }) => risky) }
}

/** A change in words, with the published values before and after it; one that is absent is left out. */
function change(
  what: string,
  risky: boolean,
  detail: string,
  { before, after }: { before?: unknown; after?: unknown } = {},
): Change {
  return {
    what,
    risky,
    detail: sanitizeTitle(detail, MAX_DETAIL),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  }
}
