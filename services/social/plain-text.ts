import { Parser } from 'htmlparser2'
import { sanitizeText } from '../../lib/sanitize-text.ts'

/** The maximum length of the HTML that is read, in UTF-16 code units. */
const MAX_HTML = 16_384
const TEXT_LENGTH = 10_000
const UNREAD = new Set(['script', 'style', 'template', 'noscript'])
const BLOCKS = new Set(['p', 'div', 'pre', 'blockquote', 'ul', 'ol', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/**
 * The text of a post's HTML, in linear time. Paragraphs are separated by an empty line. A link that is shown shortened
 * (Hacker News) has its whole address.
 */
export function plainText(html: unknown): string {
  if (typeof html !== 'string') return ''
  const text: string[] = []
  let unread = 0
  let link: { href: string; from: number } | undefined
  const parser = new Parser({
    onopentag(name, { href }) {
      if (UNREAD.has(name)) unread++
      else if (name === 'br') text.push('\n')
      else if (name === 'li') text.push('\n- ')
      else if (BLOCKS.has(name)) text.push('\n\n')
      else if (name === 'a' && href !== undefined) link = { href, from: text.length }
    },
    ontext(data) {
      if (unread === 0) text.push(data)
    },
    onclosetag(name) {
      if (UNREAD.has(name)) unread = Math.max(0, unread - 1)
      else if (BLOCKS.has(name)) text.push('\n\n')
      else if (name === 'a' && link !== undefined) {
        const { href, from } = link
        const shown = text.slice(from).join('')
        if (shown.endsWith('...') && href.startsWith(shown.slice(0, -3))) text.splice(from, text.length, href)
        link = undefined
      }
    },
  })
  parser.end(html.slice(0, MAX_HTML))
  return sanitizeText(text.join(''), TEXT_LENGTH)
}
