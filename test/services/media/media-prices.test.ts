import fc from 'fast-check'
import t from 'tap'
import { isMicros } from '../../../schemas/billing/money.ts'
import type { MediaModel, MediaPrice } from '../../../schemas/tools/media.ts'
import SHIPPED from '../../../services/media/media-models.json' with { type: 'json' }
import { costOf, estimateOf, type PricedRequest, priceAt } from '../../../services/media/prices.ts'

const MODELS = SHIPPED as MediaModel[]

function modelOf(id: string): MediaModel {
  const model = MODELS.find(model => model.id === id)
  if (model === undefined) throw new Error(`There is no model ${id}`)
  return model
}

function request(id: string, more: Partial<PricedRequest> = {}): PricedRequest & { price: MediaPrice } {
  const model = modelOf(id)
  const defaults = Object.entries(model.arguments ?? {}).flatMap(([name, argument]) =>
    argument.default === undefined ? [] : [[name, argument.default]],
  )
  return {
    model,
    prompt: 'A boat at sea',
    n: 1,
    files: 0,
    price: priceAt(model, Date.UTC(2026, 10, 23)) as MediaPrice,
    ...more,
    args: { ...Object.fromEntries(defaults), ...more.args },
  }
}

function estimate(id: string, more?: Partial<PricedRequest>): number {
  const { price, ...asked } = request(id, more)
  return estimateOf(asked, price)
}

t.test('a price begins at midnight UTC of its day', async t => {
  const model = modelOf('gemini-3.8-flash')
  const textIn = (now: number) => (priceAt(model, now) as { text_in: number } | undefined)?.text_in
  t.equal(textIn(Date.UTC(2026, 9, 31)), undefined, 'no price before the first one begins')
  t.equal(textIn(Date.UTC(2027, 0, 1) - 1), 750_000)
  t.equal(textIn(Date.UTC(2027, 0, 1)), 1_500_000)
})

t.test('the estimate is the maximum of a call', async t => {
  t.equal(estimate('veo-3.1'), 3_200_000)
  t.equal(estimate('veo-3.1', { args: { duration: 4, resolution: '4k' } }), 2_400_000)
  t.equal(estimate('gemini-3-pro-image', { args: { image_size: '4K' } }), 240_000)
  t.equal(estimate('seedream-4', { n: 3 }), 90_000)
  t.equal(estimate('flux-2-pro'), 240_000, 'eight billed units')
  t.equal(estimate('eleven-v4', { prompt: 'é'.repeat(1_000) }), 80_000, 'characters, not bytes')
  t.equal(estimate('gpt-transcribe', { files: 1 }), 270_000)
  // (13 bytes + 200) × $5 + 2 × 6,500 × $8 + 2 × 8,500 × $30, per million.
  t.equal(estimate('gpt-image-2.5-flare', { n: 2, files: 2 }), 1_065 + 104_000 + 510_000)
})

t.test('the cost follows what the provider reports', async t => {
  const { price, ...asked } = request('gpt-image-2.5-flare')
  const usage = { textTokens: 10, fileTokens: 0, outTokens: 1_056 }
  t.equal(costOf(asked, price, { results: 1, usage }), 31_730)
  t.equal(costOf(asked, price, { results: 1, usage: undefined }), estimateOf(asked, price), 'unknown: the maximum')

  const flux = request('flux-2-pro')
  t.equal(costOf(flux, flux.price, { results: 1, usage: { units: 1.5 } }), 45_000)
  const speech = request('eleven-v4', { prompt: 'Hello' })
  t.equal(costOf(speech, speech.price, { results: 1, usage: { units: 3 } }), 240)
  t.equal(costOf(speech, speech.price, { results: 1, usage: undefined }), 400)
  const heard = request('gpt-transcribe', { files: 1 })
  t.equal(costOf(heard, heard.price, { results: 1, usage: { units: 90 } }), 6_750)
})

t.test('fewer results than requested cost less', async t => {
  const { price, ...asked } = request('seedream-4', { n: 4 })
  t.equal(costOf(asked, price, { results: 3, usage: undefined }), 90_000)
  const video = request('kling-2.5-turbo-pro', { args: { duration: 10 } })
  t.equal(costOf(video, video.price, { results: 1, usage: undefined }), 700_000)
})

t.test('every estimate is a valid amount, and a cost without a report is never above it', async () => {
  const asked = fc.record({
    id: fc.constantFrom(...MODELS.map(({ id }) => id)),
    prompt: fc.string({ unit: 'grapheme', maxLength: 500 }),
    n: fc.integer({ min: 1, max: 4 }),
    files: fc.integer({ min: 0, max: 8 }),
  })
  fc.assert(
    fc.property(asked, ({ id, ...more }) => {
      const { price, ...one } = request(id, more)
      const most = estimateOf(one, price)
      return isMicros(most) && costOf(one, price, { results: more.n, usage: undefined }) <= most
    }),
  )
})
