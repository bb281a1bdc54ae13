import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { sentences, siteMap, siteMapIndex } from '../../fixtures/web-fixture.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A file of a site that was made to exhaust the time or the memory of a reader. */
interface HostileFile {
  /** What reads it: a page, or what a site has for robots. */
  at: '/' | '/robots.txt' | '/sitemap.xml'
  tool: 'fetch' | 'extract' | 'map'
  /** Arguments besides the URL of the page. */
  args?: object
  serve: Handler
  /** The codes of the errors that may be the answer. A result always may. */
  errors: readonly string[]
}

const MB = 1024 ** 2
const HTML = 'text/html; charset=utf-8'

const page = (body: string | Buffer, headers = {}, errors: readonly string[] = ['too_large']): HostileFile => ({
  at: '/',
  tool: 'fetch',
  serve: answer(body, headers),
  errors,
})
const damaged = (body: string | Buffer): HostileFile =>
  page(body, { 'content-type': 'application/pdf' }, ['too_large', 'unsupported_type'])
const extracted = (args: object, body: string): HostileFile => ({
  ...page(body, {}, ['invalid_request', 'too_large']),
  tool: 'extract',
  args,
})
const robots = (body: string | Buffer): HostileFile => ({
  ...page(body, { 'content-type': 'text/plain' }, ['blocked_by_robots']),
  at: '/robots.txt',
})
const sitemap = (body: string | Buffer): HostileFile => ({
  at: '/sitemap.xml',
  tool: 'map',
  args: { sitemap: 'only' },
  serve: answer(body, { 'content-type': 'application/xml' }),
  errors: [],
})

/** HTML that was made to exhaust a reader, by what it is. Each is at least 500 KB. */
export function hostileHtml(): Record<string, string> {
  const text = sentences(3).join(' ')
  const long = sentences(1_000)
    .map(sentence => `<p>${sentence}</p>`)
    .join('')
  return {
    'an article of 8 MB': `<article>${long.repeat(90).slice(0, 8 * MB)}</article>`,
    '10,000 nested div': '<div>'.repeat(10_000) + text,
    '200,000 nested div': '<div>'.repeat(200_000) + text,
    '200,000 nested b': '<b>'.repeat(200_000) + text,
    '200,000 nested blockquote': '<blockquote>'.repeat(200_000) + text,
    '100,000 nested lists': '<ul><li>'.repeat(100_000) + text,
    '100,000 nested tables': '<table><tr><td>'.repeat(100_000) + text,
    'an attribute of 5 MB': `<p title="${'x'.repeat(5 * MB)}">${text}</p>`,
    'a million attributes': `<p ${Array.from({ length: 1_000_000 }, (_, i) => `a${i}`).join(' ')}>${text}</p>`,
    '5 MB of <': '<'.repeat(5 * MB),
    '5 MB of open comments': '<!--'.repeat((5 * MB) / 4),
    '5 MB of open CDATA sections': '<![CDATA['.repeat((5 * MB) / 9),
    '5 MB of end tags': '</p>'.repeat((5 * MB) / 4),
    '200,000 br': '<br>'.repeat(200_000),
    'a table of 200,000 cells': `<table>${CELLS}</table>`,
    '200,000 unclosed rows': `<table>${'<tr><td>1'.repeat(200_000)}`,
    '100,000 links': '<a href="/x">Link</a> '.repeat(100_000),
    '600,000 entities': '&amp;&NotEqualTilde;&#x10ffff;'.repeat(200_000),
    '5 MB of the marks of Markdown': `<p>${'*_[`](~'.repeat((5 * MB) / 7)}</p>`,
    'deep JSON-LD': `<script type="application/ld+json">${'['.repeat(MB)}</script><p>${text}</p>`,
  }
}

const CELLS = `<tr>${'<td>1</td>'.repeat(20)}</tr>`.repeat(10_000)

/** Everything by what it is. Each file belongs on a site of its own. */
export function hostileFiles(): Record<string, HostileFile> {
  const spaces = Buffer.alloc(1024 * MB, ' ')
  const gzip = gzipSync(spaces, { level: 1 })
  const brotli = brotliCompressSync(spaces, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
  const layers = Array.from({ length: 8 }).reduce<Buffer>(body => gzipSync(body), Buffer.alloc(100 * MB))
  const drawing = deflateSync('BT /F1 9 Tf (All work and no play) Tj ET '.repeat(2 * MB))
  const files: Record<string, HostileFile> = {}
  for (const [name, html] of Object.entries(hostileHtml())) files[name] = page(html)
  return {
    ...files,
    '8 MB of zeros': page(Buffer.alloc(8 * MB)),
    '15 MB of plain text': page('word '.repeat(3 * MB), { 'content-type': 'text/plain' }),
    'a gzip bomb': page(gzip, { 'content-encoding': 'gzip' }),
    'a brotli bomb': page(brotli, { 'content-encoding': 'br' }),
    'gzip in gzip': page(layers, { 'content-encoding': Array(8).fill('gzip').join(', ') }, [
      'too_large',
      'upstream_unavailable',
    ]),
    'an endless body': { ...page(''), serve: endless },
    'a redirect to itself': { ...page('', {}, ['http_status']), serve: redirect('/') },
    'a page with an entity bomb': page(`${ENTITY_BOMB}<p>&l9;</p>`, { 'content-type': 'application/xhtml+xml' }),
    'a PDF with a stream of 1 GB': damaged(pdfOf(deflateSync(spaces, { level: 1 }))),
    'a PDF with a page of two million texts': damaged(pdfOf(drawing)),
    'a PDF with 5 MB of open lists': damaged(`%PDF-1.4\n1 0 obj\n${'['.repeat(5 * MB)}`),
    'a PDF whose pages contain themselves': damaged(CYCLIC_PDF),
    'slow selectors': extracted(
      { select: { a: { css: `${':has(*) '.repeat(50)}a`, all: true }, b: { css: '* '.repeat(200), all: true } } },
      '<div>'.repeat(150) + '<b><i>x</i></b>'.repeat(9_000),
    ),
    'a table of 200,000 cells, as data': extracted(
      { metadata: ['tables', 'microdata'] },
      `<table itemscope>${CELLS}</table>`,
    ),
    'a robots.txt of 10 MB': robots('User-agent: *\nDisallow: /private\n'.repeat((10 * MB) / 34)),
    'a robots.txt with wildcards': robots(`User-agent: *\n${`Disallow: ${'/*a'.repeat(600)}$\n`.repeat(300)}`),
    'a robots.txt of one line': robots(`User-agent: *\nDisallow: /${'*'.repeat(500 * 1024)}x`),
    'a sitemap that contains itself': { ...sitemap(''), serve: sitemapOfItself },
    'a sitemap with an entity bomb': sitemap(`${ENTITY_BOMB}<urlset><url><loc>&l9;</loc></url></urlset>`),
    'a sitemap that unpacks to 1 GB': sitemap(gzip),
    'a sitemap with 150,000 URLs': sitemap(
      siteMap(Array.from({ length: 150_000 }, (_, i) => `https://example.com/${i}`)).body,
    ),
    'a sitemap with 100,000 levels': sitemap('<urlset>'.repeat(100_000)),
  }
}

/** Ten levels of entities, each ten of the next: ten billion characters. */
const ENTITY_BOMB = `<?xml version="1.0"?><!DOCTYPE html [<!ENTITY l0 "lol">${Array.from(
  { length: 9 },
  (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`,
).join('')}]>`

function answer(body: string | Buffer, headers: Record<string, string> = {}): Handler {
  return (_request, response) => response.writeHead(200, { 'content-type': HTML, ...headers }).end(body)
}

function redirect(location: string): Handler {
  return (_request, response) => response.writeHead(302, { location }).end()
}

const CHUNK = Buffer.alloc(64 * 1024, 'word ')

/** Sends as fast as it is read, without an end. */
function endless(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': HTML })
  const send = () => {
    while (!response.destroyed && response.write(CHUNK));
  }
  response.on('drain', send)
  send()
}

/** An index that names itself under names that are always new. */
function sitemapOfItself({ headers, url }: IncomingMessage, response: ServerResponse): void {
  const own = `http://${headers.host}/sitemap.xml`
  const { body, type } = siteMapIndex([own, `${own}?${url?.length}`, `${own}?${url}`])
  response.writeHead(200, { 'content-type': type }).end(body)
}

/** A PDF of one page, whose content stream is compressed. */
function pdfOf(content: Buffer): Buffer {
  const parts = [
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj\n',
    '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n',
    `4 0 obj<</Filter/FlateDecode/Length ${content.length}>>stream\n`,
  ]
  return Buffer.concat([
    Buffer.from(parts.join('')),
    content,
    Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>'),
  ])
}

const CYCLIC_PDF =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n' +
  '2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R]/Parent 2 0 R/Count 400>>endobj\ntrailer<</Root 1 0 R>>'
