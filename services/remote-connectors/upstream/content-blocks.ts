import type { ContentBlock } from '@modelcontextprotocol/sdk/types.js'
import { isJsonObject } from '../../../lib/http/json.ts'
import { sanitizeLine } from '../../../lib/sanitize-text.ts'
import type { ResourceContents } from './upstream.ts'

/** A part of an answer with its valid members, or what is wrong with it, for a list. */
export type Mended<T> = { readonly value: T } | { readonly fault: string }

type Predicate = (value: unknown) => boolean
type Members = Readonly<Record<string, Predicate>>

/** The members that a part must have, and those that it may have. Members with other names are not checked. */
interface Shape {
  readonly required: Members
  readonly optional: Members
}

const isText: Predicate = value => typeof value === 'string'

const EXTRAS: Members = { annotations: areAnnotations, _meta: isJsonObject }
const MEDIA: Shape = { required: { data: isBase64, mimeType: isText }, optional: EXTRAS }

/** The types of content blocks. Strict clients discard a whole result with one member that its type does not allow. */
const BLOCKS: Readonly<Record<ContentBlock['type'], Shape>> = {
  text: { required: { text: isText }, optional: EXTRAS },
  image: MEDIA,
  audio: MEDIA,
  resource_link: {
    required: { uri: isText, name: isText },
    optional: {
      ...EXTRAS,
      title: isText,
      description: isText,
      mimeType: isText,
      size: value => typeof value === 'number',
      icons: areIcons,
    },
  },
  // The resource itself is checked separately.
  resource: { required: { resource: isJsonObject }, optional: EXTRAS },
}

const CONTENTS: Members = { mimeType: isText, _meta: isJsonObject }
const TEXT_CONTENTS: Shape = { required: { uri: isText, text: isText }, optional: CONTENTS }
const BLOB_CONTENTS: Shape = { required: { uri: isText, blob: isBase64 }, optional: CONTENTS }

/** A content block without invalid optional members. A string becomes a text block. */
export function mendBlock(block: unknown): Mended<ContentBlock> {
  if (typeof block === 'string') return { value: { type: 'text', text: block } }
  if (!isJsonObject(block)) return { fault: 'is not an object' }
  const { type } = block
  if (typeof type !== 'string') return { fault: 'has no type' }
  if (!Object.hasOwn(BLOCKS, type)) return { fault: `has the unknown type “${sanitizeLine(type, 60)}”` }
  const mended = mend(block, BLOCKS[type as ContentBlock['type']])
  if ('fault' in mended) return { fault: `of type ${type} ${mended.fault}` }
  if (type !== 'resource') return mended as Mended<ContentBlock>
  const resource = mendContents(mended.value.resource)
  if ('fault' in resource) return { fault: `of type resource ${resource.fault}` }
  const { value } = mended
  return { value: (resource.value === value.resource ? value : { ...value, resource: resource.value }) as ContentBlock }
}

/** The contents of a resource without invalid optional members. Contents without a URI get that of the request. */
export function mendContents(contents: unknown, requested?: string): Mended<ResourceContents> {
  if (!isJsonObject(contents)) return { fault: 'is not an object' }
  const named =
    (contents.uri === undefined || contents.uri === null) && requested !== undefined
      ? { ...contents, uri: requested }
      : contents
  return mend(named, isText(named.text) ? TEXT_CONTENTS : BLOB_CONTENTS) as Mended<ResourceContents>
}

/** The list of the parts that are missing in an answer, as a sentence. */
export function leftOut(faults: readonly string[]): string {
  const shown = faults.slice(0, MAX_SHOWN).join('; ')
  const more = faults.length > MAX_SHOWN ? `; and ${faults.length - MAX_SHOWN} more` : ''
  return `[The gateway left out what is not valid MCP in this answer: ${shown}${more}.]`
}

const MAX_SHOWN = 5

/** The same object if all of its members are valid. */
function mend(part: Readonly<Record<string, unknown>>, { required, optional }: Shape): Mended<typeof part> {
  const missing = Object.keys(required).find(name => required[name]?.(part[name]) !== true)
  if (missing !== undefined) return { fault: `has ${part[missing] === undefined ? 'no' : 'an invalid'} \`${missing}\`` }
  const invalid = Object.keys(optional).filter(
    name => part[name] !== undefined && optional[name]?.(part[name]) !== true,
  )
  if (invalid.length === 0) return { value: part }
  return { value: Object.fromEntries(Object.entries(part).filter(([name]) => !invalid.includes(name))) }
}

function isBase64(value: unknown): boolean {
  if (typeof value !== 'string') return false
  try {
    atob(value)
    return true
  } catch {
    return false
  }
}

const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

function areAnnotations(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { audience, priority, lastModified } = value
  return (
    (audience === undefined || (Array.isArray(audience) && audience.every(isRole))) &&
    (priority === undefined || (typeof priority === 'number' && priority >= 0 && priority <= 1)) &&
    (lastModified === undefined || (typeof lastModified === 'string' && isDateTime(lastModified)))
  )
}

/** Whether a value is a role of MCP. */
export function isRole(value: unknown): value is 'user' | 'assistant' {
  return value === 'user' || value === 'assistant'
}

function isDateTime(text: string): boolean {
  const [, date] = DATE_TIME.exec(text) ?? []
  // Date moves a 30 February into March.
  return date !== undefined && !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date)
}

function areIcons(value: unknown): boolean {
  return Array.isArray(value) && value.every(isIcon)
}

function isIcon(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { src, mimeType, sizes, theme } = value
  return (
    isText(src) &&
    (mimeType === undefined || isText(mimeType)) &&
    (sizes === undefined || (Array.isArray(sizes) && sizes.every(isText))) &&
    (theme === undefined || theme === 'light' || theme === 'dark')
  )
}
