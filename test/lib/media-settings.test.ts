import { inspect } from 'node:util'
import { Value } from '@sinclair/typebox/value'
import t, { type Test } from 'tap'
import { type MediaModel, MediaModels, providerOf } from '../../schemas/tools/media.ts'
import SHIPPED from '../../services/media/media-models.json' with { type: 'json' }
import { faultsOfModels } from '../../services/media/media-settings.ts'
import { loadConfig } from '../../services/settings/load.ts'

const KEY = 'key-of-the-provider'

function load(t: Test, variables: Record<string, string>, files: Record<string, string> = {}) {
  return loadConfig({ DATA_DIR: `${t.testdir(files)}/data`, ...variables }).media
}

/** Loads a file of models. */
function models(t: Test, content: unknown) {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return load(t, { FAL_KEY: KEY, MEDIA_MODELS: `${t.testdirName}/models.json` }, { 'models.json': text }).models
}

const image: MediaModel = {
  id: 'plain',
  name: 'Plain',
  kind: 'image',
  api: 'fal.queue',
  upstream: 'fal-ai/plain',
  max_prompt: 100,
  prices: [{ valid_from: '2026-11-01', per: 'image', micros: 30_000 }],
}

t.test('the shipped models are valid, and every provider has some', async t => {
  t.ok(Value.Check(MediaModels, SHIPPED))
  t.same(faultsOfModels(SHIPPED as MediaModel[]), [])
  t.same(new Set((SHIPPED as MediaModel[]).map(providerOf)), new Set(['openai', 'gemini', 'fal', 'elevenlabs']))
})

t.test('only models with a configured provider are served', async t => {
  t.same(load(t, {}), { providers: {}, models: [] })
  const { models, providers } = load(t, { GEMINI_API_KEY: KEY, FAL_KEY: KEY })
  t.same(new Set(models.map(providerOf)), new Set(['gemini', 'fal']))
  t.equal(providers.fal?.key, KEY)
  t.notMatch(inspect(providers, { depth: 5, showHidden: true }), KEY, 'printed settings do not show it')
})

t.test('OPENAI_BASE_URL leads to any service with the interface of OpenAI', async t => {
  const baseUrl = (url: string, more: Record<string, string> = {}) =>
    load(t, { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: url, ...more }).providers.openai?.baseUrl
  t.equal(baseUrl('https://models.example/v1/'), 'https://models.example/v1')
  t.equal(baseUrl('http://127.0.0.1:8000/v1', { EGRESS_ALLOW_LOOPBACK: 'true' }), 'http://127.0.0.1:8000/v1')
  t.equal(baseUrl('http://models.internal/v1', { EGRESS_ALLOW: 'models.internal' }), 'http://models.internal/v1')
  for (const url of [
    'http://127.0.0.1:8000/v1',
    'http://models.example',
    'models.example',
    'https://a@b/v1',
    'https://a/?b',
  ])
    t.throws(() => baseUrl(url), /^OPENAI_BASE_URL must be the URL of a service/, url)
  t.throws(() => load(t, { OPENAI_BASE_URL: 'https://models.example' }), /must be set together with OPENAI_API_KEY/)
  t.throws(() => load(t, { FAL_KEY: 'short' }), /^FAL_KEY must be an API key of fal/)
})

t.test('MEDIA_MODELS replaces the shipped models', async t => {
  t.same(models(t, [image]), [image])
  t.same(models(t, [{ ...image, api: 'gemini.content' }]), [], 'its provider is not configured')
})

t.test('a fault in MEDIA_MODELS names the model and the member', async t => {
  const price = image.prices[0]
  const tokens = { valid_from: '2026-11-01', text_in: 1, media_in: 1, out: 1 }
  const duration = { type: 'integer', description: 'Seconds.', enum: [5] } as const
  const cases: [unknown, RegExp][] = [
    ['{', /this is not JSON/],
    [{}, /not a list of 1 to 200 models/],
    [[], /not a list of 1 to 200 models/],
    [[image, { ...image, id: 'A' }], /model 2: \/id is invalid/],
    [[{ ...image, prices: [{ ...price, micros: -1 }] }], /model 1: \/prices\/0/],
    [[{ ...image, surprise: 1 }], /model 1: \/surprise/],
    [[image, image], /model 2 \(plain\): its id is already used/],
    [[{ ...image, api: 'openai.chat' }], /the api openai\.chat does not serve the kind image/],
    [[{ ...image, prices: [{ ...price, valid_from: '2026-02-30' }] }], /a valid_from is not a date/],
    [[{ ...image, prices: [price, price] }], /not in the order of their dates/],
    [[{ ...image, prices: [tokens] }], /needs most\.out_tokens/],
    [[{ ...image, max_images: 1, images_as: 'image_url', prices: [tokens] }], /needs most\.file_tokens/],
    [[{ ...image, prices: [{ ...price, per: 'second' }] }], /an argument duration with a default/],
    [[{ ...image, prices: [{ ...price, per: 'unit' }] }], /needs most\.units/],
    [[{ ...image, prices: [{ ...price, per: 'minute' }] }], /needs most\.minutes/],
    [
      [{ ...image, prices: [{ ...price, tiers: { argument: 'size', micros: {} } }] }],
      /the tiers need an argument size/,
    ],
    [[{ ...image, max_images: 1 }], /max_images needs images_as/],
    [[{ ...image, arguments: { prompt: duration } }], /every model has an argument prompt/],
    [[{ ...image, arguments: { a: { ...duration, enum: ['5'] } } }], /the values of a are not of its type/],
    [[{ ...image, arguments: { a: { ...duration, default: '5' } } }], /the default of a is not of its type/],
    [[{ ...image, arguments: { a: { ...duration, default: 6 } } }], /the default of a is not one of its values/],
    [
      [{ ...image, arguments: { a: { type: 'string', description: 'A.', pattern: '(' } } }],
      /the pattern of a is invalid/,
    ],
    [
      [
        { ...image, arguments: { a: duration } },
        { ...image, id: 'other', arguments: { a: { type: 'string', description: 'A.' } } },
      ],
      /model 2 \(other\): the argument a is of type integer in an earlier model/,
    ],
  ]
  for (const [content, message] of cases) {
    t.throws(() => models(t, content), message)
    t.throws(() => models(t, content), /^MEDIA_MODELS must be the path of a JSON file/)
  }
  t.throws(() => load(t, { MEDIA_MODELS: '/nonexistent/models.json' }), /the file cannot be read \(ENOENT\)/)
})
