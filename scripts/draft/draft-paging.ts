import type { Pagination } from '../../services/definitions/http-tool-types.ts'
import { type Description, type Operation, type Parameter, record, type Schema } from './description.ts'
import { isList, itemOf, propertiesOf } from './draft-fields.ts'

/** How an operation pages, as far as its description makes it obvious. */
export interface Paging {
  readonly pagination: Pagination
  /** The query parameters that carry the page size and the position. */
  readonly limit: Parameter | undefined
  readonly cursor: Parameter
}

const LIMITS = /^(limit|per_?page|page_?size|max_?results|first|top|\$top|size|count|page\[(limit|size)\])$/i
const CURSORS =
  /^(cursor|after|page_?token|next_?token|next_?cursor|start_?cursor|continuation_?token|page_?cursor|bookmark|page\[(after|cursor)\])$/i
const NEXT =
  /^(next_?page_?token|next_?cursor|next_?token|next|after|cursor|end_?cursor|continuation_?token|bookmark)$/i
const AFTER_ID = /^starting_after$/i
const PAGES = /^(page|page_?number|page\[number\])$/i
const OFFSETS = /^(offset|skip|\$skip|start|start_?at|start_?index)$/i
const ITEMS = /^(items|data|results|values|entries|records)$/i
const MORE = /^(has_?more)$/i

type Resolve = Description['resolve']

/** Returns how a list pages; undefined if that is not obvious. */
export function pagingOf(
  { method, parameters, answer, answerHeaders }: Operation,
  resolve: Resolve,
): Paging | undefined {
  if (method !== 'GET' || answer === undefined) return undefined
  const items = itemsPointer(answer.schema, resolve)
  if (items === undefined) return undefined
  const find = (pattern: RegExp) =>
    parameters.find(one => one.in === 'query' && !one.required && pattern.test(one.name))
  const limit = find(LIMITS)
  const found = (pagination: Pagination, cursor: Parameter) => ({ pagination, limit, cursor })
  const more = pointerOf(answer.schema, MORE, resolve)

  const after = find(AFTER_ID)
  if (after !== undefined && more !== undefined) return found({ style: 'last-id', items, id: '/id', more }, after)
  const cursor = find(CURSORS)
  const next = pointerOf(answer.schema, NEXT, resolve)
  if (cursor !== undefined && next !== undefined) return found({ style: 'cursor', items, next }, cursor)
  const page = find(PAGES)
  if (page !== undefined && answerHeaders.includes('link'))
    return found({ style: 'link', items, ...(page.name !== 'page' && { parameter: page.name }) }, page)
  if (page !== undefined && ['integer', 'number'].includes(String(page.schema.type)))
    return found({ style: 'page', items, ...(page.schema.minimum === 0 && { first: 0 }) }, page)
  const offset = find(OFFSETS)
  // A text is the provider's own cursor.
  if (offset !== undefined && limit !== undefined && offset.schema.type !== 'string')
    return found({ style: 'offset', items }, offset)
  return undefined
}

/** The list of an answer: the answer itself, its only list, or the one with a usual name. */
function itemsPointer(schema: Schema, resolve: Resolve): string | undefined {
  if (isList(schema)) return ''
  const lists = Object.entries(propertiesOf(schema, resolve))
    .filter(([, member]) => isList(resolve(member)))
    .map(([name]) => name)
  const usual = lists.find(name => ITEMS.test(name))
  const chosen = usual ?? (lists.length === 1 ? lists[0] : undefined)
  return chosen === undefined ? undefined : `/${escaped(chosen)}`
}

/** The first text or flag with such a name, in the answer or in an object of it. */
function pointerOf(schema: Schema, pattern: RegExp, resolve: Resolve, depth = 0): string | undefined {
  if (depth > 2 || isList(schema)) return undefined
  const members = Object.entries(propertiesOf(schema, resolve)).map(([name, given]) => ({
    name,
    member: resolve(given),
  }))
  const isScalar = (member: Schema) =>
    !isList(member) && member.type !== 'object' && Object.keys(record(member.properties)).length === 0
  const here = members.find(({ name, member }) => pattern.test(name) && isScalar(member))
  if (here !== undefined) return `/${escaped(here.name)}`
  for (const { name, member } of members) {
    const below = pointerOf(member, pattern, resolve, depth + 1)
    if (below !== undefined) return `/${escaped(name)}${below}`
  }
  return undefined
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The schema of the items of a page. */
export function pageItem({ pagination: { items } }: Paging, answer: Schema, resolve: Resolve): Schema {
  if (items === '') return itemOf(answer, resolve)
  const name = items.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')
  return itemOf(resolve(propertiesOf(answer, resolve)[name]), resolve)
}
