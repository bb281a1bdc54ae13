import type { AdfNode } from './markdown-to-adf.ts'

/** Deeper content is left out: each level copies the text inside, and a hostile document could exhaust the stack. */
const MAX_DEPTH = 24

/**
 * Converts an ADF document to Markdown. Nodes without a counterpart become their text: a mention becomes its name. Returns
 * undefined for a value that is not a document.
 */
export function adfToMarkdown(document: unknown): string | undefined {
  if (typeof document !== 'object' || document === null || !('content' in document)) return undefined
  return blocks(childrenOf(document as AdfNode), 0)
    .join('\n\n')
    .trim()
}

function childrenOf({ content }: AdfNode): readonly AdfNode[] {
  return Array.isArray(content) ? content.filter(node => typeof node === 'object' && node !== null) : []
}

function blocks(nodes: readonly AdfNode[], depth: number): string[] {
  if (depth > MAX_DEPTH) return []
  return nodes.map(node => block(node, depth)).filter(text => text !== '')
}

function block(node: AdfNode, depth: number): string {
  const inner = () => blocks(childrenOf(node), depth + 1)
  switch (node.type) {
    case 'paragraph':
      return inline(node, depth)
    case 'heading':
      return `${'#'.repeat(within(node.attrs?.level, 1, 6))} ${inline(node, depth)}`
    case 'bulletList':
    case 'taskList':
    case 'decisionList':
      return listOf(node, depth, item => (item.type === 'taskItem' ? `- [${checked(item)}]` : '-'))
    case 'orderedList': {
      const first = within(node.attrs?.order, 0, 999_999_999)
      return listOf(node, depth, (_, index) => `${first + index}.`)
    }
    case 'blockquote':
    case 'panel':
      return prefixed(inner().join('\n\n'), '> ', '> ')
    case 'codeBlock':
      return fenced(textOf(node), String(node.attrs?.language ?? ''))
    case 'rule':
      return '---'
    case 'table':
      return table(node, depth)
    case 'expand':
    case 'nestedExpand':
      return [`**${String(node.attrs?.title ?? '')}**`, ...inner()].join('\n\n')
    default:
      return childrenOf(node).some(isBlock) ? inner().join('\n\n') : inline({ type: '', content: [node] }, depth)
  }
}

/** Whether a node of unknown parents contains blocks. Inline nodes have no content. */
function isBlock({ content }: AdfNode): boolean {
  return Array.isArray(content)
}

function listOf(node: AdfNode, depth: number, bullet: (item: AdfNode, index: number) => string): string {
  if (depth > MAX_DEPTH) return ''
  return childrenOf(node)
    .map((item, index) => {
      const mark = `${bullet(item, index)} `
      const nested = childrenOf(item).some(isBlock) || item.type === 'listItem'
      const text = nested ? blocks(childrenOf(item), depth + 1).join('\n') : inline(item, depth)
      return prefixed(text, mark, ' '.repeat(mark.length))
    })
    .join('\n')
}

function checked({ attrs }: AdfNode): string {
  return attrs?.state === 'DONE' ? 'x' : ' '
}

function within(value: unknown, least: number, most: number): number {
  const number = Number(value)
  return Number.isInteger(number) && number >= least && number <= most ? number : 1
}

function prefixed(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, index) => (index === 0 ? first + line : line === '' ? others.trimEnd() : others + line))
    .join('\n')
}

/** A fence is longer than any in its content. */
function fenced(code: string, language: string): string {
  const longest = code.matchAll(/^`{3,}/gm).reduce((most, [ticks]) => Math.max(most, ticks.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language.replace(/[`\s]/g, '')}\n${code}\n${fence}`
}

function table(node: AdfNode, depth: number): string {
  const rows = childrenOf(node).map(row =>
    childrenOf(row).map(cell =>
      blocks(childrenOf(cell), depth + 2)
        .join(' ')
        .replaceAll('\n', ' ')
        .replaceAll('|', '\\|'),
    ),
  )
  const [head = [], ...body] = rows
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n')
}

function inline(node: AdfNode, depth: number): string {
  if (depth > MAX_DEPTH) return ''
  return childrenOf(node)
    .map(child => inlineNode(child, depth))
    .join('')
}

function inlineNode(node: AdfNode, depth: number): string {
  const { type, attrs = {} } = node
  if (type === 'text') return marked(String(node.text ?? ''), node)
  if (type === 'hardBreak') return '\n'
  if (type === 'inlineCard' && isAutolink(attrs.url)) return `<${attrs.url}>`
  if (type === 'inlineCard' || type === 'blockCard' || type === 'embedCard') return String(attrs.url ?? '')
  if (type === 'date') return dateOf(attrs.timestamp)
  if (type === 'mention' || type === 'emoji' || type === 'status')
    return String(attrs.text ?? attrs.shortName ?? attrs.id ?? '')
  if (type === 'media' || type === 'mediaInline') return `[${String(attrs.alt ?? 'attachment')}]`
  return childrenOf(node).length > 0 ? inline(node, depth + 1) : ''
}

/** Whether an address may be written as `<https://…>` (CommonMark, autolinks). */
export function isAutolink(url: unknown): url is string {
  return typeof url === 'string' && /^https?:[^\s<>]+$/i.test(url)
}

function dateOf(timestamp: unknown): string {
  const date = new Date(Number(timestamp))
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10)
}

function textOf(node: AdfNode): string {
  return childrenOf(node)
    .map(({ text }) => String(text ?? ''))
    .join('')
}

const WRAPPED: Readonly<Record<string, string>> = { strong: '**', em: '*', strike: '~~', code: '`' }

/** Wraps a text in its marks. Spaces stay outside, where Markdown needs them. */
function marked(text: string, { marks }: AdfNode): string {
  const core = text.trim()
  const before = text.slice(0, text.length - text.trimStart().length)
  const after = text.slice(text.trimEnd().length)
  if (core === '' || !Array.isArray(marks)) return text
  let wrapped = core
  for (const mark of ['code', 'strike', 'em', 'strong'])
    if (marks.some(({ type }) => type === mark)) wrapped = WRAPPED[mark] + wrapped + WRAPPED[mark]
  const href = marks.find(({ type }) => type === 'link')?.attrs?.href
  if (typeof href === 'string' && href !== text) wrapped = `[${wrapped}](${href})`
  return before + wrapped + after
}
