import { selectAll } from 'css-select'
import type { AnyNode, Document, Element } from 'domhandler'
import { DomUtils, parseDocument } from 'htmlparser2'
import { type PrunedPage, prune } from '../../../lib/html/prune.ts'
import { decode } from './decode.ts'
import { mediaTypeOf } from './media-type.ts'
import { readMicrodata } from './microdata.ts'
import { readTables } from './tables.ts'
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
  return DomUtils.textContent(element).slice(0, MAX_VALUE).replace(/\s+/g, ' ').trim()
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
