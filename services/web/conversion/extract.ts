import { selectAll } from 'css-select'
import { type AnyNode, type Document, type Element, isTag } from 'domhandler'
import { DomUtils, parseDocument } from 'htmlparser2'
import { type PrunedPage, prune } from '../../../lib/html/prune-page.ts'
import { decode, mediaTypeOf } from './body.ts'
import type { Extracted, ExtractTask, MetadataKind, Selection, Unsupported } from './tasks.ts'

/** The maximum length of a value and of all values of an answer, and the maximum number of values of a selector. */
const MAX_VALUE = 10_000
const MAX_TOTAL = 150_000
const MAX_VALUES = 1_000

/** Reads values of an HTML page by selectors, and its metadata. */
export function extract({ body, contentType, url, select, metadata }: ExtractTask): Extracted | Unsupported {
  const { type, kind } = mediaTypeOf(contentType, body)
  if (kind !== 'html') return { unsupported: type }
  const page = prune(decode(body, contentType, true), { url, allAttributes: true })
  const document = parseDocument(page.html)
  const invalid: Record<string, string> = {}
  const values: Extracted['values'] = {}
  let left = MAX_TOTAL
  let truncated = false

  /** Keeps a value within the size of the answer. */
  function within<T>(value: T, empty: T): T {
    const { length } = JSON.stringify(value)
    if (length <= left) {
      left -= length
      return value
    }
    truncated = true
    return empty
  }

  for (const [name, selection] of Object.entries(select)) {
    try {
      const found = selectAll<AnyNode, Element>(selection.css, document)
      if (selection.all === true && found.length > MAX_VALUES) truncated = true
      values[name] = { value: within(read(found, selection), null), count: found.length }
    } catch (error) {
      invalid[name] = error instanceof Error ? error.message.slice(0, 200) : 'is not a CSS selector'
    }
  }
  const sections = metadata.map(kind => [kind, within(metadataOf(kind, page, document), null)] as const)
  return { title: page.title, values, metadata: Object.fromEntries(sections), invalid, truncated }
}

function read(found: readonly Element[], { attr, all = false }: Selection): string | string[] | null {
  const readOne = (element: Element) =>
    attr === undefined ? textOf(element) : element.attribs[attr.toLowerCase()]?.slice(0, MAX_VALUE)
  if (!all) return (found[0] && readOne(found[0])) ?? null
  return found.slice(0, MAX_VALUES).flatMap(element => readOne(element) ?? [])
}

function textOf(element: Element): string {
  return singleSpaced(DomUtils.textContent(element).slice(0, MAX_VALUE))
}

function metadataOf(kind: MetadataKind, page: PrunedPage, document: Document): unknown {
  switch (kind) {
    case 'jsonld':
      return page.jsonLd.flatMap(parsed)
    case 'opengraph':
      return Object.fromEntries([...page.meta].filter(([name]) => /^(?:og|article|product|twitter):/.test(name)))
    case 'meta':
      return Object.fromEntries(page.meta)
    case 'microdata':
      return readMicrodata(document)
    case 'tables':
      return readTables(document)
  }
}

function parsed(json: string): unknown[] {
  try {
    return [JSON.parse(json)]
  } catch {
    return []
  }
}

const MAX_TABLES = 50
const MAX_ROWS = 1_000

/** The text of all cells, by table and row. Tables within tables are tables of their own too. */
function readTables(document: Document): { caption: string | null; rows: string[][] }[] {
  return DomUtils.getElementsByTagName('table', document, true, MAX_TABLES).map(table => ({
    caption: cellText(DomUtils.getElementsByTagName('caption', table, true, 1)[0]),
    rows: DomUtils.getElementsByTagName('tr', table, true, MAX_ROWS).map(row =>
      DomUtils.getChildren(row)
        .filter((cell): cell is Element => isTag(cell) && /^t[dh]$/.test(cell.name))
        .map(cell => cellText(cell) ?? ''),
    ),
  }))
}

function cellText(element: Element | undefined): string | null {
  return element === undefined ? null : singleSpaced(DomUtils.textContent(element))
}

/** An item of microdata: its type, and its values by property. */
interface MicrodataItem {
  type: string | null
  properties: Record<string, unknown[]>
}

const MAX_ITEMS = 200

/** The top-level items of a page (HTML, section 5). References by `itemref` are not followed. */
function readMicrodata(document: Document): MicrodataItem[] {
  return DomUtils.findAll(isTopLevel, document.children).slice(0, MAX_ITEMS).map(itemOf)
}

function isTopLevel({ attribs }: Element): boolean {
  return attribs.itemscope !== undefined && attribs.itemprop === undefined
}

function itemOf(element: Element): MicrodataItem {
  const properties: Record<string, unknown[]> = Object.create(null)
  collect(element.children, properties)
  return { type: element.attribs.itemtype ?? null, properties }
}

function collect(nodes: readonly AnyNode[], properties: Record<string, unknown[]>): void {
  for (const node of nodes) {
    if (!isTag(node)) continue
    const { itemprop, itemscope } = node.attribs
    if (itemprop !== undefined)
      for (const name of itemprop
        .split(/\s+/)
        .filter(name => name !== '')
        .slice(0, 10)) {
        properties[name] ??= []
        properties[name].push(itemscope === undefined ? textValue(node) : itemOf(node))
      }
    if (itemscope === undefined) collect(node.children, properties)
  }
}

function textValue(element: Element): string {
  const { content, href, src, datetime, value } = element.attribs
  return content ?? href ?? src ?? datetime ?? value ?? singleSpaced(DomUtils.textContent(element))
}

function singleSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
