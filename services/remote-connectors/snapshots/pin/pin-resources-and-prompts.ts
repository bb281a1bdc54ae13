import { hash } from 'node:crypto'
import { canonicalJson } from '../../../../lib/canonical-json.ts'
import { hasHidden, sanitizeText, sanitizeTitle } from '../../../../lib/sanitize-text.ts'
import { roomOf } from '../../../../schemas/remotes/names.ts'
import { MAX_URI } from '../../resource-uri.ts'
import {
  DECLARED_CAPABILITIES,
  type Offers,
  type PinnedPrompt,
  type PinnedResource,
  type PinnedTemplate,
  type PromptArgument,
  type RejectedOffer,
} from '../../snapshot.ts'
import type { Listed, ListedOffers } from '../../upstream/upstream.ts'
import { pinMeta } from './pin-meta.ts'
import { isSchemaObject, type SchemaObject } from './schema-places.ts'
import { isDeeper } from './schema-rejections.ts'
import { wireNames } from './wire-names.ts'

const MAX_RESOURCES = 500
const MAX_TEMPLATES = 100
const MAX_PROMPTS = 100
const MAX_ARGUMENTS = 50
/** For all resources, templates and prompts of a server together. */
const MAX_BYTES = 1024 * 1024
const MAX_REJECTED = 100
const MAX_NAME = 256
const MAX_TITLE = 128
const MAX_DESCRIPTION = 4_096
const MAX_INSTRUCTIONS = 8_192
const MAX_MIME_TYPE = 128
const MAX_SENT_DEPTH = 64

/** A kind of offer: how its items are named, pinned and limited. */
interface Kind<Pinned> {
  readonly what: string
  /** The member that identifies an item at the upstream. */
  readonly key: 'uri' | 'uriTemplate' | 'name'
  readonly maxKey: number
  readonly max: number
  /** The pinned item, without a hash, or why it is rejected. */
  pin(item: SchemaObject, key: string): Omit<Pinned, 'hash'> | { readonly reason: string }
}

/**
 * Pins what an upstream offers besides tools. Rejects faulty items one by one; never throws. Blocks for up to a few
 * milliseconds per hundred items.
 */
export function pinOffers(listed: ListedOffers, { capability }: { capability: string }): Offers {
  const rejected: RejectedOffer[] = []
  let left = MAX_BYTES

  function pinAll<Pinned extends { readonly hash: string }>(list: Listed, kind: Kind<Pinned>): Pinned[] {
    const { what, key, maxKey, max } = kind
    const reject = (name: string, reason: string) =>
      rejected.push({ originalName: sanitizeTitle(name, MAX_TITLE) || '(no name)', reason })
    if ('fault' in list) {
      reject(`(${what}s)`, `The list is not available: ${sanitizeTitle(list.fault, 300)}`)
      return []
    }
    const named = new Map<string, SchemaObject>()
    for (const item of list.items) {
      const name = isSchemaObject(item) ? item[key] : undefined
      if (!isSchemaObject(item) || typeof name !== 'string') reject('', `A ${what} without ${key}.`)
      else if (name === '' || name.length > maxKey || hasHidden(name))
        reject(name, `The ${key} of this ${what} is empty, too long or contains invisible characters.`)
      else if (named.has(name)) reject(name, `An earlier ${what} has the same ${key}.`)
      else named.set(name, item)
    }
    const pinned: Pinned[] = []
    for (const [name, item] of [...named].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (pinned.length >= max) {
        reject(name, `Only the first ${max} ${what}s are published.`)
        continue
      }
      const one = pinOne(kind, item, name)
      const size = 'reason' in one ? 0 : Buffer.byteLength(JSON.stringify(one))
      if ('reason' in one) reject(name, one.reason)
      else if (size > left)
        reject(name, `The resources and prompts of a server may have at most ${MAX_BYTES / 1024} KiB.`)
      else {
        left -= size
        pinned.push(one)
      }
    }
    return pinned
  }

  const resources = pinAll(listed.resources, RESOURCE)
  const templates = pinAll(listed.resourceTemplates, TEMPLATE)
  const prompts = withWireNames(pinAll(listed.prompts, PROMPT), capability)
  const instructions = sanitizeText(listed.instructions ?? '', MAX_INSTRUCTIONS)
  const hashes = [resources, templates, prompts].map(items => items.map(item => item.hash))
  return {
    v: 1,
    declared: DECLARED_CAPABILITIES,
    announced: listed.announced,
    ...(instructions !== '' && { instructions }),
    resources,
    templates,
    prompts,
    rejected: rejected.slice(0, MAX_REJECTED),
    hash: hash('sha256', JSON.stringify(hashes)),
  }
}

function pinOne<Pinned>(kind: Kind<Pinned>, sent: SchemaObject, key: string): Pinned | { reason: string } {
  // Some servers send null for absent members.
  const item = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null))
  if (typeof item.name !== 'string') return { reason: `It has no name.` }
  if (isDeeper([item.annotations, item.arguments], MAX_SENT_DEPTH)) return { reason: 'It is nested too deeply.' }
  const pinned = kind.pin(item, key)
  if ('reason' in pinned) return pinned
  // Sizes and times change with every edit of a resource, and no one approves them.
  const { name, title, description, mimeType, arguments: args } = item
  const canonical = canonicalJson({ [kind.key]: key, name, title, description, mimeType, arguments: args })
  return { ...pinned, hash: hash('sha256', canonical) } as Pinned
}

function described({ name, title, description, _meta }: SchemaObject) {
  const shown = typeof title === 'string' ? sanitizeTitle(title, MAX_TITLE) : ''
  const words = typeof description === 'string' ? sanitizeText(description, MAX_DESCRIPTION) : ''
  const meta = pinMeta(_meta)
  return {
    name: sanitizeTitle(String(name), MAX_NAME) || '(no name)',
    ...(shown !== '' && { title: shown }),
    ...(words !== '' && { description: words }),
    ...(meta !== undefined && { meta }),
  }
}

function resourceFields(item: SchemaObject) {
  const { mimeType, annotations } = item
  const isPlain = typeof mimeType === 'string' && mimeType.length <= MAX_MIME_TYPE && !hasHidden(mimeType)
  const known = isSchemaObject(annotations) ? knownAnnotations(annotations) : {}
  return {
    ...described(item),
    ...(isPlain && { mimeType }),
    ...(Object.keys(known).length > 0 && { annotations: known }),
  }
}

const DATE_TIME = /^[0-9T:.+Z-]{10,40}$/

/** The annotations that MCP defines, with valid values: clients reject a list with others. */
function knownAnnotations({ audience, priority, lastModified }: SchemaObject): Record<string, unknown> {
  const isRole = (role: unknown) => role === 'user' || role === 'assistant'
  return {
    ...(Array.isArray(audience) && audience.length <= 2 && audience.every(isRole) && { audience }),
    ...(typeof priority === 'number' && priority >= 0 && priority <= 1 && { priority }),
    ...(typeof lastModified === 'string' && DATE_TIME.test(lastModified) && { lastModified }),
  }
}

const RESOURCE: Kind<PinnedResource> = {
  what: 'resource',
  key: 'uri',
  maxKey: MAX_URI,
  max: MAX_RESOURCES,
  pin(item, uri) {
    const { size } = item
    const isSize = typeof size === 'number' && Number.isSafeInteger(size) && size >= 0
    return { uri, ...resourceFields(item), ...(isSize && { size }) }
  },
}

const TEMPLATE: Kind<PinnedTemplate> = {
  what: 'resource template',
  key: 'uriTemplate',
  maxKey: MAX_URI,
  max: MAX_TEMPLATES,
  pin: (item, uriTemplate) => ({ uriTemplate, ...resourceFields(item) }),
}

const PROMPT: Kind<PinnedPrompt> = {
  what: 'prompt',
  key: 'name',
  maxKey: MAX_NAME,
  max: MAX_PROMPTS,
  pin(item, originalName) {
    const { arguments: args = [] } = item
    if (!Array.isArray(args) || args.length > MAX_ARGUMENTS)
      return { reason: `Its arguments are not a list of at most ${MAX_ARGUMENTS}.` }
    const pinned: PromptArgument[] = []
    for (const arg of args) {
      if (!isSchemaObject(arg) || typeof arg.name !== 'string' || arg.name.length > MAX_NAME || hasHidden(arg.name))
        return { reason: 'An argument has no name, or its name is too long or contains invisible characters.' }
      const { name: _, meta: _meta, ...texts } = described(arg)
      pinned.push({ name: arg.name, ...texts, ...(arg.required === true && { required: true }) })
    }
    return { originalName, ...described(item), arguments: pinned }
  },
}

function withWireNames(prompts: readonly PinnedPrompt[], capability: string): PinnedPrompt[] {
  const names = wireNames(
    prompts.map(({ originalName }) => originalName),
    roomOf(capability),
  )
  return prompts
    .map(prompt => ({ ...prompt, name: names.get(prompt.originalName) ?? prompt.originalName }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
