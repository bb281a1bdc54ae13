import { type PrunedPage, prune } from '../../../lib/html/prune.ts'
import { findArticle } from './article.ts'
import { decode } from './decode.ts'
import { toMarkdown } from './markdown.ts'
import { mediaTypeOf } from './media-type.ts'
import type { Conversion, ConvertTask, Unsupported } from './tasks.ts'

/** The maximum length of a text, in characters. */
const MAX_TEXT = 1_000_000
/** A page with less text that loads scripts shows its content only to browsers. */
const MIN_TEXT = 200
/** Shorter main content than this, in characters or as a part of the whole page, is a wrong guess. */
const MIN_ARTICLE = 200
const MIN_SHARE = 0.1

/**
 * Converts a body to text. For an article it yields two answers: the whole page, which takes linear time, and then its
 * main content, if that is found. Whatever happens in between, there is an answer.
 */
export async function* convert(task: ConvertTask): AsyncGenerator<Conversion | Unsupported> {
  const { body, contentType, view } = task
  const { type, kind } = mediaTypeOf(contentType, body)
  if (kind === undefined) {
    yield { unsupported: type }
    return
  }
  const base = { type, links: [], needsJavascript: false }
  if (kind === 'pdf') {
    const { readPdf } = await import('./pdf.ts')
    const { markdown, title } = await readPdf(body)
    yield { ...base, extraction: 'pdf', ...bounded(markdown), title }
    return
  }
  const text = decode(body, contentType, kind === 'html')
  if (kind !== 'html' || view === 'raw') {
    yield { ...base, extraction: kind === 'html' ? 'raw' : kind, ...bounded(text) }
    return
  }
  yield* convertHtml(text, task, type)
}

function* convertHtml(html: string, { url, view }: ConvertTask, type: string): Generator<Conversion> {
  const page = prune(html, { url })
  const whole: Conversion = {
    type,
    extraction: 'whole',
    ...bounded(toMarkdown(page.html, { surroundings: view === 'whole' })),
    ...metadataOf(page),
    links: [...page.links],
    needsJavascript: page.textLength < MIN_TEXT && page.hasScripts,
  }
  yield whole
  if (view === 'whole') return
  const article = findArticle(page, url)
  if (article === undefined) return
  const markdown = toMarkdown(article.html, { surroundings: true })
  const { title = whole.title, byline = whole.byline, published = whole.published } = article
  const isFound = markdown.length >= Math.max(MIN_ARTICLE, MIN_SHARE * whole.markdown.length)
  yield {
    ...whole,
    title,
    byline,
    published,
    ...(isFound && { extraction: 'article', ...bounded(markdown) }),
  }
}

function metadataOf({ title, language, meta }: PrunedPage) {
  return {
    title: meta.get('og:title') ?? title,
    byline: meta.get('author') ?? meta.get('article:author'),
    published: meta.get('article:published_time') ?? meta.get('date'),
    language: language ?? meta.get('og:locale')?.replace('_', '-'),
  }
}

/** Cuts a text at its maximum length, not within a character. Unpaired surrogates cannot be stored. */
function bounded(text: string): { markdown: string; truncated: boolean } {
  const clean = text.replaceAll('\0', '').toWellFormed()
  if (clean.length <= MAX_TEXT) return { markdown: clean, truncated: false }
  return { markdown: clean.slice(0, MAX_TEXT).replace(/[\uD800-\uDBFF]$/, ''), truncated: true }
}
