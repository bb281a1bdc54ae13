import { gunzipSync } from 'node:zlib'
import { SaxesParser } from 'saxes'
import { decode } from './body.ts'
import { isWanted, MAX_URL_CHARS, type SitemapEntry, type SitemapFile, type SitemapTask } from './tasks.ts'

/** The maximum number of entries of a sitemap (https://www.sitemaps.org/protocol.html), and of its decoded bytes. */
const MAX_ENTRIES = 50_000
const MAX_BYTES = 50 * 1024 ** 2
/** A longer URL is left out. */
const MAX_URL = 2_048
/** Of an index, no more sitemaps are read. */
const MAX_SITEMAPS = 100
/** How much of the text is parsed at a time. */
const CHUNK = 64 * 1024

/** Reads the wanted URLs of a sitemap, a sitemap index, or a list as text. What is not well-formed ends the file. */
export function readSitemap({ body, contentType, wanted, limit }: SitemapTask): SitemapFile {
  const bytes = body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body, { maxOutputLength: MAX_BYTES }) : body
  const text = decode(bytes, contentType, false)
  const found = new Map<string, SitemapEntry>()
  let read = 0
  let chars = 0
  let isComplete = true

  function add(url: string, lastmod = ''): void {
    if (++read > MAX_ENTRIES) isComplete = false
    if (!isComplete || found.has(url) || !isWanted(url, wanted)) return
    chars += url.length
    isComplete = found.size < limit && chars <= MAX_URL_CHARS
    if (isComplete) found.set(url, { url, ...(lastmod !== '' && { lastmod: lastmod.slice(0, 40) }) })
  }

  if (!text.trimStart().startsWith('<')) {
    for (const line of text.split(/\r\n|\r|\n/, MAX_ENTRIES + 1)) {
      const url = line.trim()
      if (/^https?:\/\/\S+$/i.test(url) && url.length <= MAX_URL) add(url)
    }
    return { sitemaps: [], urls: [...found.values()], complete: isComplete }
  }

  const sitemaps = new Set<string>()
  let entry: { in: 'url' | 'sitemap'; loc: string; lastmod: string } | undefined
  let field: 'loc' | 'lastmod' | undefined

  // A document type is skipped, so its entities are unknown: an error, like everything that is not well-formed.
  const parser = new SaxesParser({ fragment: false })
  parser.on('error', error => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    const local = localName(name)
    if (local === 'url' || local === 'sitemap') entry = { in: local, loc: '', lastmod: '' }
    else if (entry !== undefined && (local === 'loc' || local === 'lastmod') && !name.includes(':')) field = local
  })
  parser.on('text', take)
  parser.on('cdata', take)
  parser.on('closetag', ({ name }) => {
    field = undefined
    if (entry === undefined || localName(name) !== entry.in) return
    const loc = entry.loc.trim()
    if (/^https?:\/\//i.test(loc) && loc.length <= MAX_URL) {
      if (entry.in === 'url') add(loc, entry.lastmod.trim())
      else if (sitemaps.size < MAX_SITEMAPS) sitemaps.add(loc)
    }
    entry = undefined
  })

  function take(text: string): void {
    if (entry !== undefined && field !== undefined && entry[field].length <= MAX_URL) entry[field] += text
  }

  try {
    for (let at = 0; at < text.length && isComplete; at += CHUNK) parser.write(text.slice(at, at + CHUNK))
    if (isComplete) parser.close()
  } catch {
    isComplete = false
  }
  return { sitemaps: [...sitemaps], urls: [...found.values()], complete: isComplete }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
