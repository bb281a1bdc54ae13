import { EgressError } from '../../lib/egress/egress.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import {
  type Conversion,
  isWanted,
  MAX_URL_CHARS,
  type SitemapEntry,
  type SitemapFile,
  type Unsupported,
} from './conversion/tasks.ts'
import type { Converter } from './converter.ts'
import type { PageSource } from './page-source.ts'
import { PoolError } from './pool.ts'
import type { RequestedBy } from './requested-by.ts'
import type { Robots } from './robots.ts'
import { toWebError } from './web-errors.ts'

interface MapRequest {
  url: string
  /** Only URLs that contain all of these words. */
  search: string | undefined
  sitemap: 'include' | 'skip' | 'only'
  limit: number
  includeSubdomains: boolean
}

/** The URLs of a site. */
interface SiteMap {
  urls: SitemapEntry[]
  /** Where they were found. */
  sources: string[]
  /** Whether there are more. */
  truncated: boolean
  /** The URL of the site's llms.txt, if it has one. */
  llmsTxt: string | undefined
}

interface SiteMapperOptions {
  source: PageSource
  converter: Converter
  /** Reads the sitemaps that a robots.txt names. */
  robotsFiles: Robots
  /** Undefined if robots.txt is ignored. */
  robots: Robots | undefined
}

const MAX_FILES = 20
const MAX_TOTAL_BYTES = 50 * 1024 ** 2
/** The levels of sitemaps: an index, its indexes, and their sitemaps. */
const MAX_DEPTH = 3
const MAX_PAGE_BYTES = 8 * 1024 ** 2
/** The sitemaps of one site are read two at a time. */
const AT_ONCE = 2
/** After this time, what was found so far is the answer. */
const BUDGET_MS = 20_000

/** Lists the URLs of a site: of its sitemaps, and the links of the page itself. */
export function createSiteMapper({ source, converter, robotsFiles, robots }: SiteMapperOptions) {
  return async function mapSite(request: MapRequest, by: RequestedBy): Promise<SiteMap> {
    const page = URL.parse(request.url)
    if (page === null) throw new GatewayError('invalid_request', 'The URL is not valid.')
    const found = createFound(request, page)
    try {
      const [llmsTxt] = await Promise.all([
        findLlmsTxt(page, by),
        request.sitemap !== 'skip' && readSitemaps(page, found, by),
        request.sitemap !== 'only' && readLinks(request.url, found, by),
      ])
      return { ...found.result(), llmsTxt }
    } catch (error) {
      throw toWebError(error, page.host)
    }
  }

  async function readSitemaps(page: URL, found: Found, by: RequestedBy): Promise<void> {
    const ends = performance.now() + BUDGET_MS
    const named = await robotsFiles.sitemapsOf(page.origin, by)
    let level = named.length > 0 ? [...named] : [`${page.origin}/sitemap.xml`]
    const seen = new Set<string>()
    let files = 0
    let bytes = 0
    for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
      const next: string[] = []
      const queue = level.filter(url => !seen.has(url) && seen.add(url))
      while (queue.length > 0 && !found.isFull()) {
        if (files >= MAX_FILES || bytes >= MAX_TOTAL_BYTES || performance.now() > ends) return found.cut()
        const batch = queue.splice(0, Math.min(AT_ONCE, MAX_FILES - files))
        files += batch.length
        const read = await Promise.all(batch.map(url => readSitemap(url, MAX_TOTAL_BYTES - bytes, found, by)))
        for (const [i, file] of read.entries()) {
          if (file === undefined) continue
          bytes += file.bytes
          if (!file.complete) found.cut()
          found.add(file.urls, batch[i] ?? '')
          next.push(...file.sitemaps)
        }
      }
      level = next
    }
    if (level.some(url => !seen.has(url))) found.cut()
  }

  /** Returns undefined if it cannot be read: a missing sitemap is not an error. */
  async function readSitemap(url: string, maxBytes: number, found: Found, by: RequestedBy) {
    try {
      const accept = 'application/xml, text/xml, */*;q=0.5'
      return await source.fetch({ url, accept, maxBytes, ...by }, async ({ body, contentType }) => {
        const task = { kind: 'sitemap', body, contentType, wanted: found.wanted, limit: found.limit } as const
        const file: SitemapFile = await converter.run(task, by)
        return { ...file, bytes: body.length }
      })
    } catch (error) {
      if (!isUnreadable(error)) throw error
      // It is there, but was not read: too many pages are being read, or it is too complex.
      if (error instanceof PoolError || (error instanceof GatewayError && error.code === 'overloaded')) found.cut()
      return undefined
    }
  }

  async function readLinks(url: string, found: Found, by: RequestedBy): Promise<void> {
    const accept = 'text/html, */*;q=0.5'
    const request = { url, accept, maxBytes: MAX_PAGE_BYTES, robots, ...by }
    await source.fetch(request, async ({ body, contentType, url }) => {
      const task = { kind: 'convert', body, contentType, url, view: 'whole' } as const
      const converted: Conversion | Unsupported = await converter.run(task, by)
      if ('links' in converted)
        found.add(
          converted.links.map(link => ({ url: withoutHash(link.url) })),
          url,
        )
    })
  }

  /** Returns its URL; undefined if the site has none. */
  async function findLlmsTxt(page: URL, by: RequestedBy): Promise<string | undefined> {
    const url = `${page.origin}/llms.txt`
    try {
      const request = { url, accept: 'text/markdown, text/plain', maxBytes: 4_096, cut: true, robots, ...by }
      return await source.fetch(request, ({ contentType }) => (/html/.test(contentType ?? '') ? undefined : url))
    } catch (error) {
      if (isUnreadable(error)) return undefined
      throw error
    }
  }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof GatewayError || error instanceof EgressError || error instanceof PoolError
}

function withoutHash(url: string): string {
  return url.replace(/#.*$/, '')
}

type Found = ReturnType<typeof createFound>

/** Collects the URLs of a site that match a request, each once. */
function createFound({ search, limit, includeSubdomains }: MapRequest, page: URL) {
  const words = (search ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
  const wanted = { site: page.hostname.replace(/^www\./, ''), includeSubdomains, words }
  const entries = new Map<string, SitemapEntry>()
  const sources = new Set<string>()
  let chars = 0
  let isFull = false
  let truncated = false

  return {
    wanted,
    limit,
    add(urls: readonly SitemapEntry[], from: string) {
      sources.add(from)
      for (const entry of urls) {
        if (entries.has(entry.url) || !isWanted(entry.url, wanted)) continue
        chars += entry.url.length
        if (entries.size >= limit || chars > MAX_URL_CHARS) {
          isFull = truncated = true
          return
        }
        entries.set(entry.url, entry)
      }
    },
    isFull: () => isFull,
    cut() {
      truncated = true
    },
    result: () => ({ urls: [...entries.values()], sources: [...sources], truncated }),
  }
}
