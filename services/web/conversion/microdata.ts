import { type AnyNode, type Document, type Element, isTag } from 'domhandler'
import { DomUtils } from 'htmlparser2'

/** An item of microdata: its type, and its values by property. */
interface MicrodataItem {
  type: string | null
  properties: Record<string, unknown[]>
}

const MAX_ITEMS = 200

/** The top-level items of a page (HTML, section 5). References by `itemref` are not followed. */
export function readMicrodata(document: Document): MicrodataItem[] {
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
  return content ?? href ?? src ?? datetime ?? value ?? DomUtils.textContent(element).replace(/\s+/g, ' ').trim()
}
