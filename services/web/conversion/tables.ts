import { type Document, type Element, isTag } from 'domhandler'
import { DomUtils } from 'htmlparser2'

const MAX_TABLES = 50
const MAX_ROWS = 1_000

/** The text of all cells, by table and row. Tables within tables are tables of their own too. */
export function readTables(document: Document): { caption: string | null; rows: string[][] }[] {
  return DomUtils.getElementsByTagName('table', document, true, MAX_TABLES).map(table => ({
    caption: textOf(DomUtils.getElementsByTagName('caption', table, true, 1)[0]),
    rows: DomUtils.getElementsByTagName('tr', table, true, MAX_ROWS).map(row =>
      DomUtils.getChildren(row)
        .filter((cell): cell is Element => isTag(cell) && /^t[dh]$/.test(cell.name))
        .map(cell => textOf(cell) ?? ''),
    ),
  }))
}

function textOf(element: Element | undefined): string | null {
  return element === undefined ? null : DomUtils.textContent(element).replace(/\s+/g, ' ').trim()
}
