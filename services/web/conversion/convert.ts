import { htmlToMarkdown } from '@mdream/js'
import { DefuddleClass } from 'defuddle/node'
import { parseHTML } from 'linkedom'
import { type PrunedPage, prune } from '../../../lib/html/prune-page.ts'
import { decode, mediaTypeOf } from './body.ts'
import type { Conversion, ConvertTask, PdfTask, PdfText, Unsupported } from './tasks.ts'

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

/** Reads the text of a PDF, or says why it has none. */
export async function readPdfText({ body }: PdfTask): Promise<PdfText> {
  try {
    const { markdown, hasText } = await readPdf(body)
    return hasText ? { text: bounded(markdown).markdown } : { fault: 'scanned' }
  } catch (error) {
    if (error instanceof TooManyPages) return { fault: 'long' }
    return { fault: error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'damaged' }
  }
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

/** What surrounds the content of a page. */
const SURROUNDINGS = ['nav', 'header', 'footer', 'aside', 'form', 'iframe', 'button', 'select', 'textarea', 'input']

/** Converts HTML to Markdown in linear time and without a DOM. */
function toMarkdown(html: string, { surroundings }: { surroundings: boolean }): string {
  const exclude = surroundings ? ['iframe', 'button', 'select', 'textarea', 'input'] : SURROUNDINGS
  return htmlToMarkdown(html, { plugins: { filter: { exclude } } }).trim()
}

/** The main content of a page. */
interface Article {
  html: string
  title: string | undefined
  byline: string | undefined
  published: string | undefined
}

/** The DOM's own type is not in the gateway's libraries. */
type DefuddleDocument = ConstructorParameters<typeof DefuddleClass>[0]

/** A larger page would take too long: the time of a DOM grows faster than its size. */
const MAX_ELEMENTS = 8_000
const MAX_LENGTH = 500_000

/** Finds the main content of a pruned page; undefined if the page is too large. */
export function findArticle(page: { html: string; elements: number }, url: string): Article | undefined {
  if (page.elements > MAX_ELEMENTS || page.html.length > MAX_LENGTH) return undefined
  const { document } = parseHTML(page.html)
  const styled = document as unknown as { styleSheets?: unknown[]; defaultView: { getComputedStyle?: unknown } | null }
  // Defuddle reads them, and linkedom does not have them.
  styled.styleSheets ??= []
  if (styled.defaultView !== null) styled.defaultView.getComputedStyle ??= () => ({ display: '' })
  // Otherwise its extractors send requests of their own, which do not go through egress.
  const options = { url, useAsync: false, fetch: () => Promise.reject(new Error('No requests here')) }
  const found = new DefuddleClass(document as unknown as DefuddleDocument, options).parse()
  return {
    html: found.content,
    title: found.title || undefined,
    byline: found.author || undefined,
    published: found.published || undefined,
  }
}

const MAX_PAGES = 500

/** A PDF has more pages than are read. */
export class TooManyPages extends Error {
  override readonly name = 'TooManyPages'
}

/** What is read of a PDF. */
interface PdfContent {
  /** With a rule between the pages. */
  markdown: string
  title: string | undefined
  /** False if its pages have no text, such as scanned pages. */
  hasText: boolean
}

/** The text of a PDF as Markdown; its library is loaded at the first PDF. Throws if it is not a PDF, is encrypted (PasswordException) or has too many pages. */
export async function readPdf(body: Uint8Array): Promise<PdfContent> {
  const { extractText, getDocumentProxy, getMeta } = await import('unpdf')
  const document = await getDocumentProxy(new Uint8Array(body), { disableFontFace: true, useSystemFonts: false })
  if (document.numPages > MAX_PAGES) throw new TooManyPages(`The PDF has ${document.numPages} pages`)
  const { text } = await extractText(document, { mergePages: false })
  const { info } = await getMeta(document).catch(() => ({ info: undefined }))
  const title: unknown = info?.Title
  return {
    markdown: text.map(page => page.trim()).join('\n\n---\n\n'),
    hasText: text.some(page => page.trim() !== ''),
    title: typeof title === 'string' && title.trim() !== '' ? title.trim() : undefined,
  }
}
