import t from 'tap'
import { build } from '../fixtures/build.ts'
import { callerOfApp } from '../fixtures/journey-fixture.ts'
import { mediaSettings } from './media-fixture.ts'

const URLS = { fal: 'https://fal.invalid', gemini: 'https://gemini.invalid' }

t.test('media__models lists the models of the configured providers with their arguments and prices', async t => {
  const built = await build(t, { settings: { media: mediaSettings(URLS) } })
  const { key } = await (await (await built.directory.org()).member()).key()
  const { call } = callerOfApp(built, { 'x-api-key': key })
  built.clock.advance(Date.UTC(2026, 10, 30) - built.clock.now())

  const all = (await call('media__models')).data.models as { id: string; kind: string }[]
  t.ok(all.some(({ id }) => id === 'veo-3.1'))
  t.notOk(
    all.some(({ id }) => id.startsWith('gpt-')),
    'OpenAI is not configured',
  )
  const videos = (await call('media__models', { kind: 'video' })).data.models as { id: string; kind: string }[]
  t.same([...new Set(videos.map(({ kind }) => kind))], ['video'])
  t.match(
    videos.find(({ id }) => id === 'veo-3.1'),
    {
      max_n: 1,
      max_images: 1,
      arguments: { duration: { type: 'integer', enum: [4, 6, 8], default: 8 } },
      price: { per: 'second', usd: 0.4, tiers: { '4k': 0.6 }, text: '$0.40 per second, $0.60 with resolution 4k' },
    },
  )
  t.notMatch(JSON.stringify(all), /durationSeconds|invalid/, 'nothing of the provider')

  const flash = async () =>
    ((await call('media__models', { kind: 'understanding' })).data.models as { id: string }[]).find(
      ({ id }) => id === 'gemini-3.8-flash',
    )
  t.match(await flash(), { price: { from: '2026-11-01' }, next_price: { from: '2027-01-01', text: /\$1\.50 text in/ } })
  built.clock.advance(Date.UTC(2027, 0, 1) - built.clock.now())
  t.match(await flash(), { price: { from: '2027-01-01' }, next_price: undefined })
})

t.test('without a provider no media tool is listed, and manage__explain_tool says what to set', async t => {
  const built = await build(t)
  const { key } = await (await (await built.directory.org()).member()).key()
  const { call, tools } = callerOfApp(built, { 'x-api-key': key })
  t.equal((await tools('media')).size, 0)
  t.equal((await call('media__models')).text, 'Tool media__models not found')
  t.match((await call('manage__explain_tool', { name: 'media__models' })).data, {
    callable: false,
    reason: 'not_configured',
    explanation: /Ask the operator to set OPENAI_API_KEY, GEMINI_API_KEY, FAL_KEY or ELEVENLABS_API_KEY/,
  })
})
