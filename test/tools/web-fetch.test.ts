import t from 'tap'
import { createByteBudget } from '../../lib/egress/byte-budget.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { endOfPart } from '../../services/web/read-pages.ts'
import { createStoredPages } from '../../services/web/stored-pages.ts'
import { anyText } from '../fixtures/any-text.ts'
import { testIds } from '../fixtures/directory.ts'
import { pdfOf } from '../fixtures/pdf.ts'
import fc from '../fixtures/property.ts'
import { until } from '../fixtures/until.ts'
import { articlePage, sentences, serveSite, siteMap, webFixture } from '../fixtures/web-fixture.ts'

t.test('a page is read as Markdown: its main content and what is known about it', async t => {
  const { result } = await webFixture(t)
  const head =
    '<meta name="author" content="Ada Lovelace"><meta property="article:published_time" content="2026-05-01">'
  const { origin, requests } = await serveSite(t, { '/a': articlePage(sentences(12), { head }) })
  const page = await result('fetch', { url: `${origin}/a#part`, links: true })
  t.match(page, {
    url: `${origin}/a#part`,
    final_url: `${origin}/a`,
    status: 200,
    type: 'text/html',
    title: 'The lighthouse',
    byline: 'Ada Lovelace',
    language: 'en',
    extraction: 'article',
    fetched_at: /^20/,
  })
  t.match(page.published, /^2026-05-01/)
  for (const sentence of sentences(12)) t.ok(page.markdown.includes(sentence), sentence)
  t.notMatch(page.markdown, /newsletter|imprint|Shop/)
  t.equal(page.chars_total, page.markdown.length)
  t.notOk('next_cursor' in page)
  t.same(page.links[0], { url: `${origin}/Home`, text: 'Home' })
  t.same(
    requests.map(({ path, headers }) => [path, headers['user-agent']]),
    [
      ['/robots.txt', 'connector-gateway/0.0.0-test'],
      ['/a', 'connector-gateway/0.0.0-test'],
    ],
  )
  t.match(requests[1]?.headers.accept, /^text\/markdown/)
})

t.test('the parts of a page come from one request and are the whole text, cut at the end of blocks', async t => {
  const { result, failure, clock, directory } = await webFixture(t)
  const { origin, paths } = await serveSite(t, { '/long': articlePage(sentences(300)) })
  const url = `${origin}/long`
  const parts = []
  let cursor: string | undefined
  do {
    const part = await result('fetch', { url, max_chars: 5_000, ...(cursor !== undefined && { cursor }) })
    t.ok(part.markdown.length <= 5_000)
    if (part.next_cursor !== undefined) t.ok(part.markdown.endsWith('.\n\n'), 'at the end of a paragraph')
    parts.push(part)
    cursor = part.next_cursor
  } while (cursor !== undefined)
  t.ok(parts.length > 4)
  const text = parts.map(part => part.markdown).join('')
  t.equal(text.length, parts[0].chars_total)
  for (const sentence of sentences(300)) t.ok(text.includes(sentence))
  t.same(paths(), ['/long'])

  const [stranger] = await directory.members('owner')
  const second = { url, cursor: parts[0].next_cursor }
  const unknown = { code: 'not_found', message: /^This cursor is unknown/ }
  t.match(await failure('fetch', second, stranger), unknown, 'of another organization')
  t.match(await failure('fetch', { ...second, url: `${origin}/other` }), unknown, 'of another URL')
  for (const wrong of ['x', 'pag_0.1', `${parts[0].next_cursor}9`, `${parts[0].next_cursor.split('.')[0]}.9999999`])
    t.match(await failure('fetch', { url, cursor: wrong }), unknown, wrong)
  clock.advance(15 * 60_000 + 1)
  t.match(await failure('fetch', second), unknown, 'expired')
  t.same(paths(), ['/long'])
})

t.test('a copy of the own organization is used if it is young enough, and only then', async t => {
  const { result, clock, directory } = await webFixture(t)
  const { origin, paths } = await serveSite(t, { '/': articlePage(sentences(9)) })
  const url = `${origin}/`
  const first = await result('fetch', { url })
  clock.advance(60_000)
  t.equal((await result('fetch', { url, max_age_s: 60 })).fetched_at, first.fetched_at)
  t.equal(paths().length, 1)
  await result('fetch', { url, max_age_s: 59 })
  await result('fetch', { url })
  await result('fetch', { url, max_age_s: 900, view: 'whole' })
  const [stranger] = await directory.members('owner')
  await result('fetch', { url, max_age_s: 900 }, stranger)
  t.equal(paths().length, 5)
})

t.test('pages of an organization beyond its bound leave, the oldest first', async t => {
  const { db, clock, ada } = await webFixture(t)
  const pages = createStoredPages({ db, ids: testIds(clock), clock, maxOrgBytes: 2_500 })
  const { orgId } = ada.caller
  const stored = []
  for (let i = 0; i < 4; i++) {
    clock.advance(1)
    const page = {
      url: `https://example.com/${i}`,
      finalUrl: 'https://example.com/',
      status: 200,
      fetchedAt: new Date(clock.now()),
      type: 'text/html',
      extraction: 'whole' as const,
      markdown: 'x'.repeat(700),
      truncated: false,
      links: [],
    }
    stored.push(await pages.store(orgId, page, 'article'))
  }
  const found = await Promise.all(stored.map(({ id }) => pages.find(orgId, id)))
  t.same(
    found.map(page => page !== undefined),
    [false, false, true, true],
  )
})

t.test('every kind of text is read: encodings, Markdown, JSON, plain text, PDF, without a type', async t => {
  const { result, failure } = await webFixture(t)
  const latin = Buffer.from(articlePage(['Größe, Café, naïve. '.repeat(20)]), 'latin1')
  const japanese = Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67])
  const sjis = Buffer.concat([Buffer.from('<meta charset="shift_jis"><p>'), japanese, Buffer.from(' text '.repeat(60))])
  const utf16 = Buffer.from(`\ufeff<p>${'Übermut tut selten gut. '.repeat(20)}</p>`, 'utf16le')
  const { origin } = await serveSite(t, {
    '/latin': { body: latin, type: 'text/html; charset=ISO-8859-1' },
    '/sjis': { body: sjis, type: 'text/html' },
    '/utf16': { body: utf16, type: 'text/html' },
    '/unknown': { body: articlePage(sentences(9)), type: 'text/html; charset=klingon' },
    '/md': { body: '# Title\n\nText', type: 'text/markdown' },
    '/json': { body: '{"a": [1]}', type: 'application/ld+json' },
    '/plain': { body: 'plain <b>text</b>', type: 'text/plain' },
    '/untyped': { body: `<!doctype html>${articlePage(sentences(9))}`, type: '' },
    '/pdf': { body: pdfOf('Hello from a PDF file'), type: 'application/pdf' },
    '/image': { body: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]), type: 'image/png' },
    '/bytes': { body: Buffer.from([1, 0, 2]), type: 'application/octet-stream' },
    '/broken.pdf': { body: '%PDF-1.7 broken', type: 'application/pdf' },
    '/empty': { body: '', type: 'text/html' },
  })
  const read = async (path: string) => result('fetch', { url: origin + path })
  t.match((await read('/latin')).markdown, /Größe, Café, naïve/)
  t.match((await read('/sjis')).markdown, /^テスト/)
  t.match((await read('/utf16')).markdown, /^Übermut/)
  t.match((await read('/unknown')).markdown, /Sentence 0/)
  t.match(await read('/md'), { extraction: 'markdown', markdown: '# Title\n\nText', type: 'text/markdown' })
  t.match(await read('/json'), { extraction: 'text', markdown: '{"a": [1]}' })
  t.match(await read('/plain'), { extraction: 'text', markdown: 'plain <b>text</b>' })
  t.match(await read('/untyped'), { type: 'text/html', extraction: 'article' })
  t.match(await read('/pdf'), { extraction: 'pdf', markdown: 'Hello from a PDF file', type: 'application/pdf' })
  t.match(await read('/empty'), { markdown: '', chars_total: 0 })
  for (const path of ['/image', '/bytes', '/broken.pdf'])
    t.equal((await failure('fetch', { url: origin + path })).code, 'unsupported_type', path)
})

t.test('the views: the whole page has what surrounds the main content, raw is the source', async t => {
  const { result } = await webFixture(t)
  const html = articlePage(sentences(12))
  const { origin } = await serveSite(t, { '/': html })
  const whole = await result('fetch', { url: `${origin}/`, view: 'whole' })
  t.match(whole, { extraction: 'whole', markdown: /imprint/ })
  t.match(whole.markdown, new RegExp(`\\[Shop\\]\\(${origin}/Shop\\)`), 'links are absolute')
  t.match(await result('fetch', { url: `${origin}/`, view: 'raw' }), { extraction: 'raw', markdown: html.trim() })
})

t.test('what is no page is an error with its code, and advice', async t => {
  const { failure } = await webFixture(t, {}, { deadlineMs: 1_000 })
  const { origin } = await serveSite(t, {
    '/app': `<html><body><div id="root"></div><script src="/app.js"></script>${'<noscript>Enable JavaScript</noscript>'}</body></html>`,
    '/busy': { status: 429, body: 'slow down', headers: { 'retry-after': '7' } },
    '/closed': { status: 403, body: 'no' },
    '/broken': { status: 500, body: 'oops' },
    '/loop': { status: 302, body: '', headers: { location: '/loop' } },
    '/inward': { status: 302, body: '', headers: { location: 'http://169.254.169.254/latest/meta-data' } },
    '/nowhere': { status: 302, body: '', headers: { location: 'http://[' } },
    '/drip': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      const timer = setInterval(() => response.write('<p>'), 20)
      response.on('close', () => clearInterval(timer))
    },
    '/endless': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      const chunk = Buffer.alloc(256 * 1024, 'a')
      const write = () => {
        while (response.writable && response.write(chunk));
      }
      response.on('drain', write)
      write()
    },
  })
  const of = async (path: string) => failure('fetch', { url: origin + path })
  t.match(await of('/app'), { code: 'needs_javascript', message: /does not run/ })
  t.match(await of('/missing'), {
    code: 'http_status',
    message: /404 \(Not Found\)\. Check the URL/,
    details: { status: 404 },
  })
  t.match(await of('/busy'), { code: 'http_status', details: { status: 429, retry_after: 7 } })
  t.match(await of('/closed'), { code: 'http_status', message: /not open to this gateway/ })
  t.match(await of('/broken'), { code: 'http_status', details: { status: 500 } })
  t.match(await of('/loop'), { code: 'http_status', message: /redirects more than 5 times/ })
  t.equal((await of('/inward')).code, 'refused_destination')
  t.match(await of('/nowhere'), { code: 'http_status', message: /invalid URL/ })
  t.equal((await of('/drip')).code, 'timeout')
  t.match((await of('/endless')).code, /too_large|timeout/)
  for (const url of [
    'http://169.254.169.254/',
    'https://user:secret@example.com/',
    'http://10.0.0.1/',
    'https://[::1]:22/',
  ]) {
    const refused = await failure('fetch', { url })
    t.equal(refused.code, 'refused_destination', url)
    t.notMatch(refused.message, /secret/)
  }
  t.equal(
    (await failure('fetch', { url: 'http://127.0.0.1:9/' })).code,
    'refused_destination',
    'a port of another protocol',
  )
  for (const url of ['ftp://example.com/', 'file:///etc/passwd', 'javascript:1', 'example.com'])
    await t.rejects(failure('fetch', { url }), TypeError, url)
})

t.test('the answer names the URL that redirects end at, which relative links are resolved against', async t => {
  const { origin } = await serveSite(t, {
    '/old': { status: 301, body: '', headers: { location: '/new/a' } },
    '/new/a': articlePage([...sentences(12), '<a href="b">The next lighthouse</a>']),
  })
  const { result } = await webFixture(t)
  for (const view of ['article', 'whole']) {
    const { url, final_url, links } = await result('fetch', { url: `${origin}/old`, view, links: true })
    t.same([url, final_url], [`${origin}/old`, `${origin}/new/a`])
    t.match(
      links.find(({ text }: { text: string }) => text === 'The next lighthouse'),
      { url: `${origin}/new/b` },
    )
  }
  const extracted = await result('extract', { url: `${origin}/old`, metadata: ['meta'] })
  t.equal(extracted.final_url, `${origin}/new/a`)
})

t.test('robots.txt is honored by default, also after a redirect, and can be ignored', async t => {
  const robots =
    'User-agent: *\nDisallow: /\n\nUser-agent: Connector-Gateway\nDisallow: /private\nAllow: /private/open\n'
  const { origin, requests } = await serveSite(t, {
    '/robots.txt': { body: robots, type: 'text/plain' },
    '/private/a': articlePage(sentences(9)),
    '/private/open': articlePage(sentences(9)),
    '/a': articlePage(sentences(9)),
    '/moved': { status: 301, body: '', headers: { location: '/private/a' } },
  })
  const { failure, result, clock } = await webFixture(t)
  t.match(await failure('fetch', { url: `${origin}/private/a` }), {
    code: 'blocked_by_robots',
    message: /forbids connector-gateway/,
  })
  t.match(await failure('fetch', { url: `${origin}/moved` }), { code: 'blocked_by_robots' })
  t.match(await result('fetch', { url: `${origin}/private/open` }), { status: 200 })
  t.match(await result('fetch', { url: `${origin}/a` }), { status: 200 })
  t.match(await failure('extract', { url: `${origin}/private/a` }), { code: 'blocked_by_robots' })
  const asked = () => requests.filter(({ path }) => path === '/robots.txt').length
  t.equal(asked(), 1)
  clock.advance(3_600_001)
  await result('fetch', { url: `${origin}/a` })
  t.equal(asked(), 2)
  t.equal(requests.filter(({ path }) => path === '/private/a').length, 0)

  const ignoring = await webFixture(t, { honorsRobots: false })
  t.match(await ignoring.result('fetch', { url: `${origin}/private/a` }), { status: 200 })
})

t.test('a site that fails to serve its robots.txt is not read, one without it is', async t => {
  const { failure, result } = await webFixture(t)
  const failing = await serveSite(t, { '/robots.txt': { status: 503, body: '' }, '/': articlePage(sentences(9)) })
  t.match(await failure('fetch', { url: `${failing.origin}/` }), { code: 'blocked_by_robots', message: /status 503/ })
  const forbidding = await serveSite(t, { '/robots.txt': { status: 403, body: '' }, '/': articlePage(sentences(9)) })
  t.match(await result('fetch', { url: `${forbidding.origin}/` }), { status: 200 })
})

t.test('parts are never longer than asked, never split a character, and together are the text', async () => {
  fc.assert(
    fc.property(fc.array(anyText(), { maxLength: 60 }), fc.integer({ min: 20, max: 400 }), (blocks, maxChars) => {
      const text = blocks.join('\n\n').toWellFormed()
      const parts: string[] = []
      for (let at = 0; at < text.length; ) {
        const end = endOfPart(text, at, maxChars)
        parts.push(text.slice(at, end))
        at = end
      }
      return (
        parts.join('') === text && parts.every(part => part.length <= maxChars && part !== '' && part.isWellFormed())
      )
    }),
  )
})

t.test(
  'pages in memory have a limit of bytes, of which an organization gets a quarter, until they are read',
  async t => {
    const { result, failure, directory } = await webFixture(t, {}, { maxHeldBytes: 400_000 })
    const [stranger] = await directory.members('owner')
    const text = 'x'.repeat(80_000)
    const ends: (() => void)[] = []
    const { origin, routes } = await serveSite(t, {
      '/page': { type: 'text/plain', body: text },
      '/slow': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' }).write(text)
        ends.push(() => response.end())
      },
    })
    routes['/sitemap.xml'] = siteMap(Array.from({ length: 1_000 }, (_, i) => `${origin}/${i}`))
    const page = { url: `${origin}/page` }
    t.match(await result('fetch', page), { chars_total: 80_000 })

    const slow = result('fetch', { url: `${origin}/slow` })
    await until(async () => (await codeOf(result('fetch', page))) === 'overloaded')
    t.match(await failure('extract', page), { code: 'overloaded', message: /Retry in a few seconds/ })
    t.match(await result('map', { url: `${origin}/`, sitemap: 'only' }), { urls: [], truncated: true })
    t.match(await result('fetch', page, stranger), { chars_total: 80_000 }, 'others are not affected')

    for (const end of ends) end()
    t.match(await slow, { chars_total: 80_000 })
    for (let i = 0; i < 6; i++) t.match(await result('fetch', page), { chars_total: 80_000 }, 'nothing stays counted')
  },
)

t.test('all organizations together have a limit of bytes too', t => {
  const budget = createByteBudget({ max: 100, maxEach: 60, tooMuch: 'Too much is read' })
  const [first, second, third] = [budget.open('a'), budget.open('b'), budget.open('c')]
  first.add(60)
  t.throws(() => first.add(1), { code: 'overloaded' })
  second.add(40)
  t.throws(() => third.add(1), { code: 'overloaded' })
  first.end()
  third.add(60)
  t.end()
})

/** The code of the error of a call, if it fails. */
async function codeOf(call: Promise<unknown>): Promise<unknown> {
  const [outcome] = await Promise.allSettled([call])
  return outcome?.status === 'rejected' && outcome.reason instanceof GatewayError ? outcome.reason.code : undefined
}
