import type { PageLink } from '../../../lib/html/prune-page.ts'

/** How the text of a page was found. `whole` is the whole page: no main content was requested, or none was found. */
type Extraction = 'article' | 'whole' | 'raw' | 'markdown' | 'text' | 'pdf'

export type View = 'article' | 'whole' | 'raw'

/** A fetched body. */
interface Body {
  body: Uint8Array
  contentType: string | undefined
  /** Where it was found, after redirects. */
  url: string
}

export interface ConvertTask extends Body {
  kind: 'convert'
  view: View
}

/** A page as text. */
export interface Conversion {
  type: string
  extraction: Extraction
  markdown: string
  /** Whether the end of the text is missing. */
  truncated: boolean
  title?: string | undefined
  byline?: string | undefined
  published?: string | undefined
  language?: string | undefined
  links: PageLink[]
  /** Whether the page has nearly no text without its scripts. */
  needsJavascript: boolean
}

/** The media type of a body that cannot be read. */
export interface Unsupported {
  unsupported: string
}

/** What to read of a page: the text or an attribute of the first, or of all elements that a selector matches. */
export interface Selection {
  css: string
  attr?: string | undefined
  all?: boolean | undefined
}

export type MetadataKind = 'jsonld' | 'opengraph' | 'microdata' | 'meta' | 'tables'

export interface ExtractTask extends Body {
  kind: 'extract'
  select: Readonly<Record<string, Selection>>
  metadata: readonly MetadataKind[]
}

export interface Extracted {
  title: string | undefined
  /** By name: the value, which is null if nothing matches, and the number of matching elements. */
  values: Record<string, { value: string | string[] | null; count: number }>
  metadata: Partial<Record<MetadataKind, unknown>>
  /** What is wrong with invalid selectors, by name. */
  invalid: Record<string, string>
  /** Whether values are missing because there are too many. */
  truncated: boolean
}

export interface PdfTask {
  kind: 'pdf'
  body: Uint8Array
}

/** Why a PDF has no text for the reader. `scanned`: its pages have no text layer; `long`: it has too many pages. */
export type PdfFault = 'encrypted' | 'damaged' | 'scanned' | 'long'

export type PdfText = { text: string } | { fault: PdfFault }

export interface RobotsTask {
  kind: 'robots'
  robotsUrl: string
  text: string
  url: string
  agent: string
}

export interface RobotsAnswer {
  allowed: boolean
  /** The sitemaps that it names. */
  sitemaps: string[]
}

export interface SitemapTask {
  kind: 'sitemap'
  body: Uint8Array
  contentType: string | undefined
  /** Other URLs are left out: a sitemap has many, and they would pass through the gateway. */
  wanted: WantedUrls
  /** The maximum number of URLs. */
  limit: number
}

export interface SitemapEntry {
  url: string
  lastmod?: string
}

export interface SitemapFile {
  /** The sitemaps of an index. */
  sitemaps: string[]
  urls: SitemapEntry[]
  /** False if it has more, or if its end could not be read. */
  complete: boolean
}

/** The tasks of a process, with their answers. */
export interface Tasks {
  convert: { task: ConvertTask; answer: Conversion | Unsupported }
  extract: { task: ExtractTask; answer: Extracted | Unsupported }
  pdf: { task: PdfTask; answer: PdfText }
  robots: { task: RobotsTask; answer: RobotsAnswer }
  sitemap: { task: SitemapTask; answer: SitemapFile }
}

export type Task = Tasks[keyof Tasks]['task']

/** Which URLs of a site are asked for. */
interface WantedUrls {
  /** The host of the site, without `www.`. */
  site: string
  includeSubdomains: boolean
  /** In lower case; a URL has all of them. */
  words: readonly string[]
}

/** The maximum length of all URLs of an answer, in characters. */
export const MAX_URL_CHARS = 1_000_000

/** Returns whether a URL is one of them; false if it is not valid. */
export function isWanted(text: string, { site, includeSubdomains, words }: WantedUrls): boolean {
  const lower = text.toLowerCase()
  if (!words.every(word => lower.includes(word))) return false
  const host = URL.parse(text)?.hostname.replace(/^www\./, '')
  return host !== undefined && (host === site || (includeSubdomains && host.endsWith(`.${site}`)))
}
