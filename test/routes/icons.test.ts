import { createHash } from 'node:crypto'
import t from 'tap'
import errorEnvelope from '../../plugins/error-envelope/plugin.ts'
import origin from '../../plugins/origin/plugin.ts'
import iconRoutes from '../../routes/icons.ts'
import { createIcons, type Icons } from '../../services/connectors/icons.ts'
import { bare, localhost } from '../fixtures/fixture.ts'
import fc from '../fixtures/property.ts'

const trello = { id: 'trello', name: 'Trello', icon: { simpleIcon: 'trello' } }
const slack = { id: 'slack', name: 'Slack & "friends" <b>', icon: { monogram: 'S<', color: '#4A154B' } }

function fixture(t: Parameters<typeof bare>[0], icons: Icons) {
  const app = bare(t)
  app.register(errorEnvelope)
  app.register(origin, localhost)
  app.register(iconRoutes, { icons })
  return app
}

t.test('an icon is public, immutable under the hash of its content, and cannot run anything', async t => {
  const icons = createIcons([trello, slack])
  const app = fixture(t, icons)
  for (const { id } of [trello, slack]) {
    const url = icons.urlPath(id)
    const response = await app.inject(url)
    t.equal(response.statusCode, 200)
    t.equal(url, `/icons/${createHash('sha256').update(response.rawPayload).digest('hex')}.svg`)
    t.match(response.headers, {
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'content-length': String(response.rawPayload.length),
    })
    t.match(response.body, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^>]*>.*<\/svg>$/s)
  }
})

t.test('a brand has its mark in its color; one that simple-icons lacks has its initials', async t => {
  const icons = createIcons([trello, slack, { ...slack, id: 'pale', icon: { monogram: 'P', color: '#ffee00' } }])
  const svgOf = (id: string) => `${icons.find(icons.urlPath(id).slice('/icons/'.length, -'.svg'.length))}`
  t.match(svgOf('trello'), /^<svg fill="#0052CC" .*<title>Trello<\/title><path d="/)
  t.match(svgOf('slack'), '<title>Slack &#38; &#34;friends&#34; &#60;b&#62;</title><rect')
  t.match(svgOf('slack'), '>S&#60;</text>')
  t.match(svgOf('slack'), 'fill="#fff"')
  t.match(svgOf('pale'), 'fill="#000"', 'dark letters on a light ground')
})

t.test('everything that is not an icon gets the same 404', async t => {
  const icons = createIcons([trello])
  const app = fixture(t, icons)
  const unknown = await app.inject('/nothing')
  const hash = icons.urlPath('trello').slice('/icons/'.length, -'.svg'.length)
  for (const file of [
    hash,
    `${hash}.png`,
    `${hash.toUpperCase()}.svg`,
    `${'0'.repeat(64)}.svg`,
    'trello.svg',
    '__proto__.svg',
  ]) {
    const response = await app.inject(`/icons/${file}`)
    t.same({ status: response.statusCode, body: response.json() }, { status: 404, body: unknown.json() }, file)
    t.notOk(response.headers['cache-control'], 'and is not cached')
  }
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1, maxLength: 60 }), async file => {
      const response = await app.inject(`/icons/${encodeURIComponent(file)}.svg`)
      t.not(response.statusCode, 200)
      t.ok(response.statusCode < 500)
    }),
    { numRuns: 50 },
  )
})

t.test('the gateway does not start if the icon of a connector does not exist', async t => {
  const named = (icon: Parameters<typeof createIcons>[0][number]['icon']) => () => createIcons([{ ...trello, icon }])
  t.throws(named({ simpleIcon: 'slack' }), { name: 'TypeError', message: /Connector trello has the icon slack/ })
  t.throws(named({ simpleIcon: '../package' }), { name: 'TypeError' })
  t.throws(named({ monogram: 'T', color: 'red' }), { name: 'TypeError', message: /color red/ })
  t.throws(() => createIcons([]).urlPath('trello'), { name: 'TypeError' })
})
