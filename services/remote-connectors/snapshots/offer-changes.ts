import { sanitizeTitle } from '../../../lib/sanitize-text.ts'
import type { SnapshotChanges, ToolChange } from '../../../schemas/remote.ts'
import { slugOf, wireName } from '../../../schemas/remote-names.ts'
import { NO_OFFERS, type Offers } from '../offers.ts'
import { toGatewayTemplate, toGatewayUri } from '../resource-uri.ts'

export type Change = ToolChange['changes'][number]

const MAX_DETAIL = 300

interface Offer {
  /** Its name or URI at this gateway. */
  readonly name: string
  readonly what: 'resource' | 'resource_template' | 'prompt'
  readonly hash: string
  readonly description: string | undefined
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
    if (was === undefined) changes.added.push(entry(offer, true, `A new ${inWords(offer)}. Models may read its texts.`))
    else if (was.hash !== offer.hash)
      changes.changed.push(entry(offer, true, `It changed. Its description is now: ${offer.description ?? '(none)'}`))
  }
  for (const offer of old.values()) changes.removed.push(entry(offer, false, 'It is no longer published.'))
  if (before?.instructions !== after?.instructions)
    changes.changed.push(
      toolChange(capability, [change('instructions', true, `They are now: ${after?.instructions ?? '(none)'}`)]),
    )
  return changes
}

function of({ hash, description }: { hash: string; description?: string }, what: Offer['what']) {
  return { what, hash, description }
}

function entry({ name, what }: Offer, risky: boolean, detail: string): ToolChange {
  return toolChange(name, [change(what, risky, detail)])
}

function inWords({ what }: Offer): string {
  return what.replace('_', ' ')
}

/** The changes of one tool or other offer, by its name at this gateway. */
export function toolChange(name: string, changes: Change[]): ToolChange {
  return { name, changes, risky: changes.some(({ risky }) => risky) }
}

export function change(what: string, risky: boolean, detail: string): Change {
  return { what, risky, detail: sanitizeTitle(detail, MAX_DETAIL) }
}
