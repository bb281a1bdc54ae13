import { isDeepStrictEqual } from 'node:util'
import { sanitizeTitle } from '../../../lib/sanitize-text.ts'
import type { SnapshotChanges, ToolChange } from '../../../schemas/remote.ts'
import { slugOf, wireName } from '../../../schemas/remote-names.ts'
import {
  claimsOf,
  NO_OFFERS,
  type Offers,
  type PinnedPrompt,
  type PinnedResource,
  type PinnedTemplate,
} from '../offers.ts'
import { toGatewayTemplate, toGatewayUri } from '../resource-uri.ts'

export type Change = ToolChange['changes'][number]

/** The values before and after a change are not cut: an admin approves all of a text. */
const MAX_DETAIL = 300

interface Offer {
  /** Its name or URI at this gateway. */
  readonly name: string
  readonly what: 'resource' | 'resource_template' | 'prompt'
  readonly hash: string
  /** What it publishes besides its name or URI, in the order in which changes are reported. */
  readonly parts: ReadonlyMap<string, unknown>
}

/**
 * The differences between what two snapshots offer besides tools. Every new or changed text is risky, because models may read
 * it, and the server's instructions, because people do.
 */
export function offerChanges(
  before: Offers | undefined,
  after: Offers | undefined,
  capability: string,
): Pick<SnapshotChanges, 'added' | 'removed' | 'changed'> {
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
  const changes: Pick<SnapshotChanges, 'added' | 'removed' | 'changed'> = { added: [], removed: [], changed: [] }
  for (const offer of offersOf(after ?? NO_OFFERS)) {
    const was = old.get(keyOf(offer))
    old.delete(keyOf(offer))
    if (was === undefined) changes.added.push(toolChange(offer.name, [change(offer.what, true, introduction(offer))]))
    else {
      const changed = partsChanged(was, offer)
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
  return changes
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

function partsChanged(before: Offer, after: Offer): Change[] {
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
export function inWords(value: unknown): string {
  if (value === undefined) return '(none)'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The changes of one tool or other offer, by its name at this gateway. */
export function toolChange(name: string, changes: Change[]): ToolChange {
  return { name, changes, risky: changes.some(({ risky }) => risky) }
}

/** A change in words, with the published values before and after it; one that is absent is left out. */
export function change(
  what: string,
  risky: boolean,
  detail: string,
  { before, after }: { before?: unknown; after?: unknown } = {},
): Change {
  return {
    ...{ what, risky, detail: sanitizeTitle(detail, MAX_DETAIL) },
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  }
}
