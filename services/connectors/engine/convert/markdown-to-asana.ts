import type { Token } from 'markdown-it'
import { markdownParser } from './markdown.ts'

const MARKS: Readonly<Record<string, string>> = { strong: 'strong', em: 'em', s: 's' }
const LISTS: Readonly<Record<string, string>> = { bullet_list_open: 'ul', ordered_list_open: 'ol' }
/** Characters that XML 1.0 forbids. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids exactly these.
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

/** Where a block is. Asana allows neither lists in quotes, nor quotes and code blocks in lists. */
interface Place {
  readonly listed: boolean
  readonly quoted: boolean
  /** The text is bold as a whole. */
  readonly bold: boolean
  /** What separates two texts. */
  readonly gap: string
}

/**
 * Converts Markdown to Asana's rich text (https://developers.asana.com/docs/rich-text): XML with few elements, and line
 * breaks in place of paragraphs. It uses only the elements that comments allow too, because Asana shows a text with
 * others as it is. Headings become bold lines, rows of tables lines with bars, and `[Ada](asana:123)` mentions an object.
 */
export function markdownToAsana(markdown: string): string {
  const tokens = markdownParser().parse(markdown.toWellFormed(), {}).values()
  return `<body>${blocks(tokens, { listed: false, quoted: false, bold: false, gap: '\n\n' })}</body>`
}

/** Reads blocks until the one around them closes. */
function blocks(tokens: Iterator<Token>, place: Place): string {
  let [output, afterText] = ['', false]
  function text(added: string): void {
    if (added === '') return
    output += afterText ? place.gap + added : added
    afterText = true
  }
  function element(name: string, content: string): void {
    output += `<${name}>${content}</${name}>`
    afterText = false
  }
  for (const token of untilClosed(tokens)) {
    const { type, content } = token
    const list = LISTS[type]
    if (type === 'inline') text(inlines(token.children ?? [], place.bold))
    else if (type === 'hr') text('———')
    else if (type === 'fence' || type === 'code_block') {
      const code = escaped(content.replace(/\n$/, ''))
      if (place.listed || place.quoted) text(`<code>${code}</code>`)
      else element('pre', code)
    } else if (type === 'heading_open') {
      const heading = blocks(tokens, { ...place, bold: true })
      text(heading === '' ? '' : `<strong>${heading}</strong>`)
    } else if (list !== undefined && !place.quoted) element(list, items(tokens, place).map(inItem).join(''))
    else if (list !== undefined) text(items(tokens, place).map(markerOf(token)).join('\n'))
    else if (type === 'blockquote_open' && !place.listed && !place.quoted)
      element('blockquote', blocks(tokens, { ...place, quoted: true }))
    else if (type === 'tr_open') text(items(tokens, place).join(' | '))
    else text(blocks(tokens, type === 'table_open' || place.gap === '\n' ? { ...place, gap: '\n' } : place))
  }
  return output
}

/** Yields tokens until one closes what was open before. The caller reads what each of them opens. */
function* untilClosed(tokens: Iterator<Token>): Generator<Token> {
  for (let next = tokens.next(); !next.done && next.value.nesting !== -1; next = tokens.next()) yield next.value
}

/** Reads the items of a list, or the cells of a row. */
function items(tokens: Iterator<Token>, place: Place): string[] {
  return Array.from(untilClosed(tokens), () => blocks(tokens, { ...place, listed: true, gap: '\n' }))
}

function inItem(content: string): string {
  return `<li>${content}</li>`
}

function markerOf(list: Token): (item: string, index: number) => string {
  if (list.type === 'bullet_list_open') return item => `• ${item}`
  const first = Number(list.attrGet('start') ?? 1)
  return (item, index) => `${first + index}. ${item}`
}

function inlines(tokens: readonly Token[], bold: boolean): string {
  // An element within the same element means nothing.
  const open: Record<string, number> = { strong: bold ? 1 : 0, em: 0, s: 0 }
  let [output, ends, mentioned] = ['', '', false]
  for (const token of tokens) {
    const mark = MARKS[token.type.replace(/_(open|close)$/, '')]
    if (token.type === 'link_close') {
      output += ends
      ends = ''
      mentioned = false
    } else if (mentioned) continue
    else if (mark !== undefined) {
      if (token.nesting === -1) open[mark] = (open[mark] ?? 0) - 1
      if (open[mark] === 0) output += token.nesting === 1 ? `<${mark}>` : `</${mark}>`
      if (token.nesting === 1) open[mark] = (open[mark] ?? 0) + 1
    } else if (token.type === 'link_open') {
      const target = String(token.attrGet('href') ?? '')
      const [, id] = /^asana:(\d+)$/.exec(target) ?? []
      mentioned = id !== undefined
      if (mentioned) output += `<a data-asana-gid="${id}"/>`
      else if (isLink(target)) {
        output += `<a href="${escaped(target)}">`
        ends = '</a>'
      }
    } else output += inline(token, ends !== '')
  }
  return output
}

function inline(token: Token, linked: boolean): string {
  if (token.type === 'softbreak' || token.type === 'hardbreak') return '\n'
  if (token.type === 'code_inline') return `<code>${escaped(token.content)}</code>`
  if (token.type !== 'image') return escaped(token.content)
  const target = String(token.attrGet('src') ?? '')
  const label = escaped(token.content || 'image')
  return linked || !isLink(target) ? label : `<a href="${escaped(target)}">${label}</a>`
}

function isLink(target: string): boolean {
  return /^(https?:\/\/|mailto:)/i.test(target)
}

function escaped(text: string): string {
  return text
    .replace(FORBIDDEN, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
