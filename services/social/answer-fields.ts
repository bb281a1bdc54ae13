import { Parser } from 'htmlparser2'
import { isJsonObject } from '../../lib/http/json.ts'
import { sanitizeText, sanitizeTitle } from '../../lib/sanitize-text.ts'

/** What a network answered: JSON of any shape. */
export type Json = Readonly<Record<string, unknown>>

/** The maximum length of a post's text, in UTF-16 code units. */
const TEXT_LENGTH = 10_000
const NAME_LENGTH = 200
const URL_LENGTH = 2_000
const STRING_LENGTH = 4_096

export function objectOf(value: unknown): Json {
  return isJsonObject(value) ? value : {}
}

export function objectsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** A short text, such as an ID; null if it is empty or longer than any network's. */
export function stringOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= STRING_LENGTH ? value : null
}

/** A count; null if it is missing or not a safe integer from 0. Scores can be negative: pass the smallest one. */
export function countOf(value: unknown, smallest = 0): number | null {
  return Number.isSafeInteger(value) && (value as number) >= smallest ? (value as number) : null
}

/** A name on one line, without hidden characters. */
export function nameOf(value: unknown): string | null {
  return typeof value === 'string' ? sanitizeTitle(value, NAME_LENGTH) || null : null
}

/** A text without hidden characters, with line breaks. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? sanitizeText(value, TEXT_LENGTH) : ''
}

/** A web address; null for anything else, so that no answer has a `javascript:` link. */
export function urlOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > URL_LENGTH) return null
  const url = URL.parse(value)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null
}

/** A time as ISO 8601 in UTC, from a text or from milliseconds since the epoch. */
export function timeOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const time = new Date(value)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

/** A time from seconds since the epoch. */
export function timeOfSeconds(value: unknown): string | null {
  return typeof value === 'number' ? timeOf(value * 1_000) : null
}

/** The metrics of a network that reports none. */
export const NO_METRICS = { likes: null, reposts: null, replies: null, quotes: null, score: null }

/** The maximum length of the HTML that is read, in UTF-16 code units. */
const MAX_HTML = 16_384
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
