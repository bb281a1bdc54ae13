import { GatewayError } from '../../lib/errors/errors.ts'
import { isId } from '../../schemas/primitives/ids.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { Conversion, Extracted, MetadataKind, Selection, Unsupported, View } from './conversion/tasks.ts'
import type { Converter } from './converter.ts'
import type { PageSource } from './page-source.ts'
import type { RequestedBy } from './requested-by.ts'
import type { Robots } from './robots.ts'
import { PAGE_KEPT_MS, type StoredPage, type StoredPages } from './stored-pages.ts'
import { toWebError, unsupportedType } from './web-errors.ts'

/** A part of a page. */
interface PagePart {
  page: StoredPage
  text: string
  nextCursor: string | undefined
}

/** What to read: a URL, or the next part of a page that was read before. */
interface ReadRequest {
  url: string
  cursor?: string | undefined
  maxChars: number
  view: View
  /** A copy that was fetched at most this many milliseconds ago will do. */
  maxAgeMs: number
}

/** Reads pages as text. */
interface PageReader {
  /** Throws the errors of the web tools; not_found for a cursor that the organization does not have. */
  read(request: ReadRequest, by: RequestedBy): Promise<PagePart>
  /** Reads values of a page. Throws the errors of the web tools; invalid_request for an invalid selector. */
  extract(
    request: { url: string; select: Record<string, Selection>; metadata: readonly MetadataKind[] },
    by: RequestedBy,
  ): Promise<Extracted & { finalUrl: string; status: number }>
}

interface PageReaderOptions extends Pick<Infrastructure, 'clock'> {
  source: PageSource
  converter: Converter
  /** Undefined if robots.txt is ignored. */
  robots: Robots | undefined
  pages: StoredPages
}

const MAX_PAGE_BYTES = 16 * 1024 ** 2

/** Sites that have Markdown send it, which needs no conversion. */
const ACCEPT = 'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, */*;q=0.5'
const ACCEPT_HTML = 'text/html, application/xhtml+xml;q=0.9, */*;q=0.5'

export function createPageReader({ source, converter, robots, pages, clock }: PageReaderOptions): PageReader {
  async function pageOf({ url, view }: ReadRequest, by: RequestedBy): Promise<StoredPage> {
    const accept = view === 'raw' ? ACCEPT_HTML : ACCEPT
    const request = { url, accept, maxBytes: MAX_PAGE_BYTES, robots, ...by }
    const [converted, finalUrl, status] = await source.fetch(request, async ({ body, contentType, url, status }) => {
      const task = { kind: 'convert', body, contentType, url, view } as const
      const converted: Conversion | Unsupported = await converter.run(task, by)
      return [converted, url, status] as const
    })
    if ('unsupported' in converted) throw unsupportedType(converted.unsupported)
    const { needsJavascript, ...conversion } = converted
    if (needsJavascript) throw needsJavascriptError(new URL(finalUrl).host)
    const fetchedAt = new Date(clock.now())
    return pages.store(by.orgId, { ...conversion, url, finalUrl, status, fetchedAt }, view)
  }

  async function stored(cursor: string, url: string, orgId: string): Promise<{ page: StoredPage; from: number }> {
    const [id = '', position = ''] = cursor.split('.', 2)
    const page = isId('pag', id) && /^\d{1,7}$/.test(position) ? await pages.find(orgId, id) : undefined
    const from = Number(position)
    if (page === undefined || page.url !== url || from >= page.markdown.length) throw unknownCursor()
    return { page, from }
  }

  return {
    async read(request, by) {
      const { url, cursor, maxChars, view, maxAgeMs } = request
      try {
        const { page, from } =
          cursor !== undefined
            ? await stored(cursor, url, by.orgId)
            : { page: (await kept(url, view, maxAgeMs, by.orgId)) ?? (await pageOf(request, by)), from: 0 }
        const end = endOfPart(page.markdown, from, maxChars)
        const nextCursor = end < page.markdown.length ? `${page.id}.${end}` : undefined
        return { page, text: page.markdown.slice(from, end), nextCursor }
      } catch (error) {
        throw toWebError(error, hostOf(url))
      }
    },

    async extract({ url, select, metadata }, by) {
      try {
        const request = { url, accept: ACCEPT_HTML, maxBytes: MAX_PAGE_BYTES, robots, ...by }
        return await source.fetch(request, async ({ body, contentType, status, url: finalUrl }) => {
          const task = { kind: 'extract', body, contentType, url: finalUrl, select, metadata } as const
          const extracted: Extracted | Unsupported = await converter.run(task, by)
          if ('unsupported' in extracted) throw unsupportedType(extracted.unsupported)
          const [fault] = Object.entries(extracted.invalid)
          if (fault !== undefined)
            throw new GatewayError('invalid_request', `The selector "${fault[0]}" is not valid CSS: ${fault[1]}`)
          return { ...extracted, finalUrl, status }
        })
      } catch (error) {
        throw toWebError(error, hostOf(url))
      }
    },
  }

  async function kept(url: string, view: View, maxAgeMs: number, orgId: string): Promise<StoredPage | undefined> {
    return maxAgeMs === 0 ? undefined : pages.latest(orgId, { url, view, maxAgeMs })
  }
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'the host'
}

function unknownCursor(): GatewayError {
  return new GatewayError(
    'not_found',
    `This cursor is unknown, belongs to another URL, or is older than ${PAGE_KEPT_MS / 60_000} minutes. Call web__fetch without a cursor to read the page again.`,
  )
}

function needsJavascriptError(host: string): GatewayError {
  return new GatewayError(
    'needs_javascript',
    `The page of ${host} has nearly no text without its scripts, which this gateway does not run. Use another page or an API of the site.`,
  )
}

/** The least part of a page that a cut at the end of a block, of a line or of a word leaves. */
const MIN_PART = 0.5

/**
 * The end of the part of a text that begins at `from` and has at most `maxChars` characters: at the end of a block if
 * possible, else of a line, else of a word, never within a character.
 */
export function endOfPart(text: string, from: number, maxChars: number): number {
  const furthest = from + maxChars
  if (furthest >= text.length) return text.length
  const earliest = from + Math.ceil(maxChars * MIN_PART)
  for (const separator of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(separator, furthest - separator.length)
    if (at >= earliest) return at + separator.length
  }
  return isWithinCharacter(text, furthest) ? furthest - 1 : furthest
}

function isWithinCharacter(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF]$/.test(text.charAt(at - 1)) && /^[\uDC00-\uDFFF]$/.test(text.charAt(at))
}
