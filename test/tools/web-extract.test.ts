import { gzipSync } from 'node:zlib'
import t from 'tap'
import { readSitemap } from '../../services/web/conversion/sitemap.ts'
import { articlePage, sentences, serveSite, siteMap, siteMapIndex, webFixture } from '../fixtures/web-fixture.ts'

const SHOP = `<!doctype html><html><head><title>Lamp</title>
  <meta property="og:title" content="A lamp"><meta name="description" content="Bright">
  <script type="application/ld+json">{"@type": "Product", "offers": {"price": 12.5, "note": "</b>"}}</script>
  <script type="application/ld+json">{broken</script></head>
  <body><h1 data-id="7">Lamp</h1><ul class="tags"><li>Light</li><li> Home
  </li></ul><a class="buy" href="/buy?id=7">Buy</a>
  <div itemscope itemtype="https://schema.org/Product"><span itemprop="name">Lamp</span>
  <div itemprop="offers" itemscope><meta itemprop="price" content="12.50"></div></div>
  <table><caption>Sizes</caption><tr><th>Size</th><th>cm</th></tr><tr><td>S</td><td>10</td></tr></table></body></html>`

t.test('values are read by selectors, with the number of matches, and structured data by kind', async t => {
  const { result } = await webFixture(t)
  const { origin } = await serveSite(t, { '/lamp': SHOP })
  const select = {
    name: { css: 'h1' },
    id: { css: 'h1', attr: 'data-id' },
    tags: { css: '.tags > li', all: true },
    buy: { css: 'a.buy', attr: 'href' },
    none: { css: '.none' },
    nones: { css: '.none', all: true },
    no_attribute: { css: 'h1', attr: 'title' },
  }
  const metadata = ['jsonld', 'opengraph', 'microdata', 'meta', 'tables']
  t.same(await result('extract', { url: `${origin}/lamp`, select, metadata }), {
    url: `${origin}/lamp`,
    final_url: `${origin}/lamp`,
    status: 200,
    title: 'Lamp',
    values: {
      name: { value: 'Lamp', count: 1 },
      id: { value: '7', count: 1 },
      tags: { value: ['Light', 'Home'], count: 2 },
      buy: { value: `${origin}/buy?id=7`, count: 1 },
      none: { value: null, count: 0 },
      nones: { value: [], count: 0 },
      no_attribute: { value: null, count: 1 },
    },
    metadata: {
      jsonld: [{ '@type': 'Product', offers: { price: 12.5, note: '</b>' } }],
      opengraph: { 'og:title': 'A lamp' },
      microdata: [
        {
          type: 'https://schema.org/Product',
          properties: { name: ['Lamp'], offers: [{ type: null, properties: { price: ['12.50'] } }] },
        },
      ],
      meta: { 'og:title': 'A lamp', description: 'Bright' },
      tables: [
        {
          caption: 'Sizes',
          rows: [
            ['Size', 'cm'],
            ['S', '10'],
          ],
        },
      ],
    },
  })
})

t.test('an invalid selector is named, too many values are cut, and only HTML has values', async t => {
  const { result, failure } = await webFixture(t)
  const rows = Array.from({ length: 3_000 }, (_, i) => `<li>${'x'.repeat(200)} ${i}</li>`)
  const { origin } = await serveSite(t, {
    '/': SHOP,
    '/many': `<ul>${rows.join('')}</ul>`,
    '/json': { body: '{}', type: 'application/json' },
  })
  const invalid = await failure('extract', { url: `${origin}/`, select: { good: { css: 'h1' }, bad: { css: 'h1[' } } })
  t.match(invalid, { code: 'invalid_request', message: /^The selector "bad" is not valid CSS/ })
  const many = await result('extract', {
    url: `${origin}/many`,
    select: { rows: { css: 'li', all: true }, one: { css: 'li' } },
  })
  t.match(many, { truncated: true, values: { rows: { value: null, count: 3_000 }, one: { count: 3_000 } } })
  t.equal((await failure('extract', { url: `${origin}/json` })).code, 'unsupported_type')
  await t.rejects(failure('extract', { url: `${origin}/`, select: { long: { css: 'a'.repeat(501) } } }), TypeError)
  const select = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`n${i}`, { css: 'a' }]))
  await t.rejects(failure('extract', { url: `${origin}/`, select }), TypeError)
})

t.test('a site is mapped from the sitemaps of its robots.txt and the links of the page', async t => {
  const { result } = await webFixture(t)
  const site = await serveSite(t, {
    '/': articlePage(sentences(3)),
    '/llms.txt': { type: 'text/plain', body: '# Site' },
  })
  const { origin, routes } = site
  routes['/robots.txt'] = { type: 'text/plain', body: `Sitemap: ${origin}/index.xml\nUser-agent: *\nDisallow: /secret` }
  routes['/index.xml'] = siteMapIndex([
    `${origin}/a.xml`,
    `${origin}/b.xml.gz`,
    `${origin}/missing.xml`,
    `${origin}/index.xml`,
  ])
  routes['/a.xml'] = siteMap([
    `${origin}/docs/one`,
    `${origin}/docs/two`,
    'https://other.example/docs/one',
    'javascript:1',
  ])
  const { body } = siteMap([`${origin}/blog/one`])
  routes['/b.xml.gz'] = { type: 'application/gzip', body: gzipSync(body) }

  const all = await result('map', { url: `${origin}/` })
  t.same(
    all.urls.map(({ url }: { url: string }) => url.slice(origin.length)).toSorted(),
    ['/About', '/Contact', '/Home', '/News', '/Shop', '/blog/one', '/docs/one', '/docs/two']
      .map(path => path.replace('About', 'About%20us'))
      .toSorted(),
  )
  t.match(all, { truncated: false, llms_txt: `${origin}/llms.txt` })
  t.same(
    all.sources.toSorted(),
    [`${origin}/`, `${origin}/a.xml`, `${origin}/b.xml.gz`, `${origin}/index.xml`].toSorted(),
  )

  const found = await result('map', { url: `${origin}/`, search: 'DOCS one', sitemap: 'only' })
  t.same(found.urls, [{ url: `${origin}/docs/one`, lastmod: '2026-01-02' }])
  t.match(await result('map', { url: `${origin}/`, sitemap: 'only', limit: 2 }), {
    urls: { length: 2 },
    truncated: true,
  })
  const links = await result('map', { url: `${origin}/`, sitemap: 'skip' })
  t.same(links.sources, [`${origin}/`])
})

t.test('a site without sitemaps, with broken or endless ones, gives what can be read', async t => {
  const { result, failure } = await webFixture(t)
  const { origin, routes, requests } = await serveSite(t, {})
  t.match(await result('map', { url: `${origin}/`, sitemap: 'only' }), { urls: [], truncated: false })
  t.match(await failure('map', { url: `${origin}/` }), { code: 'http_status' })

  // Each sitemap leads to two more.
  for (let i = 0; i < 100; i++)
    routes[i === 0 ? '/sitemap.xml' : `/${i}.xml`] = siteMapIndex([
      `${origin}/${2 * i + 1}.xml`,
      `${origin}/${2 * i + 2}.xml`,
    ])
  requests.length = 0
  t.match(await result('map', { url: `${origin}/`, sitemap: 'only' }), { urls: [], truncated: true })
  t.ok(requests.length < 25)

  const xml = (body: string) => ({ type: 'application/xml', body })
  routes['/sitemap.xml'] = xml(`<urlset><url><loc>${origin}/a</loc></url><url><loc>${origin}/b</wrong>`)
  t.match(await result('map', { url: `${origin}/`, sitemap: 'only' }), {
    urls: [{ url: `${origin}/a` }],
    truncated: true,
  })
  const entities = Array.from(
    { length: 20 },
    (_, i) => `<!ENTITY e${i + 1} "&e${i};&e${i};&e${i};&e${i};&e${i};&e${i};&e${i};">`,
  )
  routes['/sitemap.xml'] = xml(
    `<!DOCTYPE x [<!ENTITY e0 "x">${entities.join('')}]><urlset><url><loc>${origin}/&e20;</loc></url></urlset>`,
  )
  t.match(await result('map', { url: `${origin}/`, sitemap: 'only' }), { urls: [], truncated: true }, 'an entity bomb')
  routes['/sitemap.xml'] = { type: 'text/plain', body: `${origin}/x\nnonsense\n${origin}/y` }
  t.match(await result('map', { url: `${origin}/`, sitemap: 'only' }), {
    urls: [{ url: `${origin}/x` }, { url: `${origin}/y` }],
  })
})

t.test(
  'of a sitemap, only the wanted URLs reach the gateway, and an answer has at most 1,000,000 characters of them',
  async t => {
    const { result } = await webFixture(t)
    const { origin, routes } = await serveSite(t, {})
    const pad = 'a'.repeat(1_900)
    const urls = Array.from({ length: 20_000 }, (_, i) => `${origin}/${i}${pad}`)
    routes['/sitemap.xml'] = siteMap(urls)
    const task = {
      kind: 'sitemap',
      body: Buffer.from(siteMap(urls).body),
      contentType: 'application/xml',
      wanted: { site: '127.0.0.1', includeSubdomains: false, words: ['/7777'] },
      limit: 10,
    } as const
    t.match(readSitemap(task), { urls: { length: 1 }, complete: true })

    const { urls: found, truncated } = await result('map', { url: `${origin}/`, sitemap: 'only', limit: 5_000 })
    t.ok(JSON.stringify(found).length < 1_100_000)
    t.ok(found.length > 400)
    t.equal(truncated, true)
  },
)
