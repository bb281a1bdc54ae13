import type { Token } from 'markdown-it'
import { markdownParser } from './markdown.ts'

/** A node of the Atlassian Document Format (https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/). */
export interface AdfNode {
  readonly type: string
  readonly attrs?: Readonly<Record<string, unknown>>
  readonly content?: readonly AdfNode[]
  readonly marks?: readonly AdfMark[]
  readonly text?: string
}

interface AdfMark {
  readonly type: string
  readonly attrs?: Readonly<Record<string, unknown>>
}

/** The nodes that become other nodes with the same content. Table sections have no counterpart. */
const CONTAINERS: Readonly<Record<string, string>> = {
  paragraph: 'paragraph',
  heading: 'heading',
  blockquote: 'blockquote',
  bullet_list: 'bulletList',
  ordered_list: 'orderedList',
  list_item: 'listItem',
  table: 'table',
  tr: 'tableRow',
  th: 'tableHeader',
  td: 'tableCell',
}
const MARKS: Readonly<Record<string, string>> = { strong: 'strong', em: 'em', s: 'strike' }
/** The types of blocks that lists and quotes may contain. */
const IN_LIST = new Set(['paragraph', 'bulletList', 'orderedList', 'codeBlock'])

/** Converts Markdown (CommonMark with tables and strikethrough) to an ADF document. */
export function markdownToAdf(markdown: string): AdfNode & { readonly version: 1 } {
  const content = blocks(markdownParser().parse(markdown, {}))
  return { type: 'doc', version: 1, content: content.length > 0 ? content : [{ type: 'paragraph', content: [] }] }
}

/** Adds Markdown at the end of an ADF document, which may be absent, of JSON: `{ fields: { description }, markdown }`. */
export function appendToAdf(json: string): AdfNode {
  const { fields, markdown } = JSON.parse(json) as { fields: { description?: AdfNode | null }; markdown: string }
  const added = markdownToAdf(markdown)
  const { description } = fields
  return description ? { ...description, content: [...(description.content ?? []), ...(added.content ?? [])] } : added
}

interface OpenNode {
  readonly type: string
  readonly attrs?: Readonly<Record<string, unknown>>
  readonly content: AdfNode[]
}

/** Builds the tree of a flat list of tokens, in which `x_open` and `x_close` enclose the content of x. */
function blocks(tokens: readonly Token[]): readonly AdfNode[] {
  const root: OpenNode = { type: 'doc', content: [] }
  const open = [root]
  const current = () => open.at(-1) ?? root
  for (const token of tokens) {
    const name = token.type.replace(/_(open|close)$/, '')
    if (token.nesting === 1 && CONTAINERS[name] !== undefined) open.push(openNode(CONTAINERS[name], token))
    else if (token.nesting === -1 && CONTAINERS[name] !== undefined && open.length > 1) {
      const closed = allowed(open.pop() ?? root)
      if (closed !== undefined) current().content.push(closed)
    } else if (token.type === 'inline') current().content.push(...inlines(token.children ?? []))
    else if (token.type === 'hr') current().content.push({ type: 'rule' })
    else if (token.type === 'fence' || token.type === 'code_block') current().content.push(codeBlock(token))
  }
  return root.content
}

function openNode(type: string, token: Token): OpenNode {
  const attrs =
    type === 'heading'
      ? { level: Number(token.tag.slice(1)) }
      : type === 'orderedList'
        ? { order: Number(token.attrGet('start') ?? 1) }
        : undefined
  return { type, ...(attrs && { attrs }), content: [] }
}

/** Returns a node with a content that ADF allows in it; undefined for a node that ADF requires to have content. */
function allowed({ type, attrs, content }: OpenNode): AdfNode | undefined {
  const node = { type, ...(attrs && { attrs }) }
  if (type === 'listItem' || type === 'blockquote')
    return { ...node, content: startingWithParagraph(content.flatMap(child => inList(child))) }
  // The inline content of a cell is not a paragraph in Markdown.
  if (type === 'tableHeader' || type === 'tableCell') return { ...node, content: [{ type: 'paragraph', content }] }
  return content.length === 0 && type !== 'paragraph' ? undefined : { ...node, content }
}

/** Replaces the blocks that ADF forbids in lists and quotes: a heading becomes bold text, a nested quote its content. */
function inList(node: AdfNode): readonly AdfNode[] {
  if (IN_LIST.has(node.type)) return [node]
  if (node.type === 'heading') return [{ type: 'paragraph', content: (node.content ?? []).map(strong) }]
  if (node.type === 'blockquote') return node.content ?? []
  if (node.type !== 'table') return []
  const rows = node.content ?? []
  return rows.map(row => ({ type: 'paragraph', content: inRow(row.content ?? []) }))
}

function inRow(cells: readonly AdfNode[]): AdfNode[] {
  return cells.flatMap((cell, index) => [
    ...(index === 0 ? [] : [{ type: 'text', text: ' | ' }]),
    ...(cell.content?.[0]?.content ?? []),
  ])
}

function startingWithParagraph(content: readonly AdfNode[]): readonly AdfNode[] {
  return content[0]?.type === 'paragraph' ? content : [{ type: 'paragraph', content: [] }, ...content]
}

function strong(node: AdfNode): AdfNode {
  const marks = node.marks ?? []
  // ADF combines code only with links.
  const plain = node.type !== 'text' || marks.some(({ type }) => type === 'strong' || type === 'code')
  return plain ? node : { ...node, marks: [...marks, { type: 'strong' }] }
}

function codeBlock({ info, content }: Token): AdfNode {
  const language = info.trim().split(/\s+/)[0] ?? ''
  const text = content.replace(/\n$/, '')
  return {
    type: 'codeBlock',
    ...(language !== '' && { attrs: { language } }),
    content: text === '' ? [] : [{ type: 'text', text }],
  }
}

function inlines(tokens: readonly Token[]): AdfNode[] {
  const nodes: AdfNode[] = []
  const marks: AdfMark[] = []
  let card = false
  const add = (text: string, own: readonly AdfMark[] = marks) => {
    if (text !== '') nodes.push({ type: 'text', text, ...(own.length > 0 && { marks: distinct(own) }) })
  }
  for (const token of tokens) {
    const name = token.type.replace(/_(open|close)$/, '')
    if (token.markup === 'autolink') {
      // Jira and Confluence show the title of what an address leads to.
      if (token.nesting === 1) nodes.push(cardOf(String(token.attrGet('href'))))
      card = token.nesting === 1
    } else if (card) continue
    else if (token.type === 'hardbreak') nodes.push({ type: 'hardBreak' })
    // A line break of Markdown is a space; people who write text mean a line break.
    else if (token.type === 'softbreak') nodes.push({ type: 'hardBreak' })
    else if (token.type === 'code_inline')
      add(token.content, [...marks.filter(({ type }) => type === 'link'), { type: 'code' }])
    else if (token.type === 'image') add(token.content || 'image', linked(marks, token.attrGet('src')))
    else if (name === 'link' && token.nesting === 1) marks.push(...linked([], token.attrGet('href')))
    else if (name === 'link') removeLast(marks, 'link')
    else if (MARKS[name] !== undefined && token.nesting === 1) marks.push({ type: MARKS[name] })
    else if (MARKS[name] !== undefined) removeLast(marks, MARKS[name])
    else add(token.content)
  }
  return nodes
}

function cardOf(href: string): AdfNode {
  if (/^https?:/i.test(href)) return { type: 'inlineCard', attrs: { url: href } }
  return { type: 'text', text: href.replace(/^mailto:/, ''), marks: [{ type: 'link', attrs: { href } }] }
}

function linked(marks: readonly AdfMark[], href: string | number | null): readonly AdfMark[] {
  return href === null || href === '' ? marks : [...marks, { type: 'link', attrs: { href } }]
}

function removeLast(marks: AdfMark[], type: string): void {
  const index = marks.findLastIndex(mark => mark.type === type)
  if (index >= 0) marks.splice(index, 1)
}

/** ADF forbids the same mark twice. */
function distinct(marks: readonly AdfMark[]): readonly AdfMark[] {
  return marks.filter(({ type }, index) => marks.findIndex(mark => mark.type === type) === index)
}
