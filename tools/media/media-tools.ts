import { Type } from '@sinclair/typebox'
import { DOLLAR, dollars } from '../../schemas/billing/money.ts'
import { MediaKind, type MediaModel, type MediaPrice } from '../../schemas/tools/media.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { Media } from '../../services/media/create-media.ts'
import { priceAt } from '../../services/media/prices.ts'
import { generate, getGeneration } from './generate.ts'
import { understand } from './understand.ts'

/** Creates the tools that a configured provider serves; none without one. */
export function mediaTools(media: Media): AnyTool[] {
  return [
    ...(media.generates || media.understands ? [listModels(media)] : []),
    ...(media.generates ? [generate(media), getGeneration(media)] : []),
    ...(media.understands ? [understand(media)] : []),
  ]
}

const Price = Type.Object({
  from: Type.String(),
  per: Type.String(),
  usd: Type.Optional(Type.Number()),
  /** Other prices for some values of one argument. */
  tiers: Type.Optional(Type.Record(Type.String(), Type.Number())),
  text: Type.String(),
})

const Model = Type.Object({
  id: Type.String(),
  name: Type.String(),
  kind: MediaKind,
  max_prompt: Type.Integer(),
  max_n: Type.Integer(),
  max_images: Type.Integer(),
  arguments: Type.Record(Type.String(), Type.Unknown()),
  price: Price,
  next_price: Type.Optional(Price),
})

/** `media__models`: lists the models with their arguments and prices. */
function listModels(media: Pick<Media, 'models' | 'now'>): AnyTool {
  return defineTool({
    name: 'media__models',
    title: 'List media models',
    description:
      'List the models for media__generate and media__understand: what each one makes, its own arguments, its limits ' +
      'and its price. `next_price` takes effect on a later day (UTC). Free.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: Type.Object({ kind: Type.Optional(MediaKind) }, { additionalProperties: false }),
    output: Type.Object({ models: Type.Array(Model) }),

    async run({ kind }) {
      return structured({ models: media.models(kind).map(model => toEntry(model, media.now())) })
    },
  })
}

function toEntry(model: MediaModel, now: number) {
  const { id, name, kind, max_prompt, max_n = 1, max_images = 0, prices } = model
  const price = priceAt(model, now)
  const next = prices[price === undefined ? 0 : prices.indexOf(price) + 1]
  const own = Object.entries(model.arguments ?? {}).map(([name, { as: _, as_text: __, ...shown }]) => [name, shown])
  return {
    id,
    name,
    kind,
    max_prompt,
    max_n,
    max_images,
    arguments: Object.fromEntries(own),
    ...(price !== undefined && { price: toPrice(price) }),
    ...(next !== undefined && { next_price: toPrice(next) }),
  }
}

function toPrice(price: MediaPrice) {
  const from = price.valid_from
  if (!('per' in price)) {
    const [text, file, out] = [price.text_in, price.media_in, price.out].map(dollars)
    return { from, per: 'million_tokens', text: `${text} text in, ${file} files in, ${out} out, per million tokens` }
  }
  const { per, micros, tiers } = price
  const others = Object.entries(tiers?.micros ?? {})
  const unit = per.replaceAll('_', ' ')
  return {
    from,
    per,
    usd: micros / DOLLAR,
    ...(others.length > 0 && { tiers: Object.fromEntries(others.map(([value, each]) => [value, each / DOLLAR])) }),
    text: [
      `${dollars(micros)} per ${unit}`,
      ...others.map(([value, each]) => `${dollars(each)} with ${tiers?.argument} ${value}`),
    ].join(', '),
  }
}
