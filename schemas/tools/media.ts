import { type Static, Type } from '@sinclair/typebox'
import { MOST_MICROS } from '../billing/money.ts'
import { StringEnum } from '../primitives/string-enum.ts'

/** What a model does. */
export const MediaKind = StringEnum(['image', 'video', 'speech', 'understanding', 'transcription'], {
  description: 'What the model does.',
})

export type MediaKind = Static<typeof MediaKind>

/** The kinds that media__generate serves. */
export const GENERATED_KINDS: readonly MediaKind[] = ['image', 'video', 'speech']

/** The interface that serves a model; the part before the dot is the provider. */
export const MediaApi = StringEnum([
  'openai.images',
  'openai.speech',
  'openai.chat',
  'openai.transcriptions',
  'gemini.content',
  'gemini.video',
  'fal.queue',
  'elevenlabs.speech',
])

export type MediaApi = Static<typeof MediaApi>

/** A provider of media models. */
export type MediaProvider = 'openai' | 'gemini' | 'fal' | 'elevenlabs'

/** An argument of media__generate that only some models have. */
const MediaArgument = Type.Object(
  {
    type: StringEnum(['string', 'integer', 'boolean']),
    description: Type.String({ minLength: 1, maxLength: 200 }),
    enum: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Integer()]), { minItems: 1, maxItems: 50 })),
    pattern: Type.Optional(Type.String({ maxLength: 100 })),
    minimum: Type.Optional(Type.Integer()),
    maximum: Type.Optional(Type.Integer()),
    default: Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Boolean()])),
    /** Its name at the provider, if it differs; dots lead into objects. */
    as: Type.Optional(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z][A-Za-z0-9_]*)*$' })),
    /** Whether the provider expects the value as text. */
    as_text: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

export type MediaArgument = Static<typeof MediaArgument>

const micros = Type.Integer({ minimum: 0, maximum: MOST_MICROS })

const validFrom = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })

/** A price by the token, in micro-dollars per million tokens. */
const TokenPrice = Type.Object(
  { valid_from: validFrom, text_in: micros, media_in: micros, out: micros },
  { additionalProperties: false },
)

/** A price by another unit, in micro-dollars. */
const UnitPrice = Type.Object(
  {
    valid_from: validFrom,
    /** `unit`: what the provider reports as billed units. */
    per: StringEnum(['image', 'second', 'minute', 'thousand_characters', 'unit']),
    micros,
    /** Other amounts for some values of one argument. */
    tiers: Type.Optional(
      Type.Object(
        { argument: Type.String({ minLength: 1 }), micros: Type.Record(Type.String(), micros) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

export const MediaPrice = Type.Union([TokenPrice, UnitPrice])

export type MediaPrice = Static<typeof MediaPrice>

/** A model with its prices. It is data of the operator: the file of MEDIA_MODELS has a list of these. */
export const MediaModel = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,63}$' }),
    name: Type.String({ minLength: 1, maxLength: 80 }),
    kind: MediaKind,
    api: MediaApi,
    /** Its name at the provider. */
    upstream: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$' }),
    /** Its name at the provider for requests with input images, if it differs. */
    upstream_with_images: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$' })),
    /** The member of a request that has the input images, for fal: a list if it ends with `s`, otherwise one image. */
    images_as: Type.Optional(Type.String({ pattern: '^[a-z][a-z0-9_]*$' })),
    max_prompt: Type.Integer({ minimum: 1, maximum: 100_000 }),
    /** The maximum number of results of one call; 1 if absent. */
    max_n: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
    /** The maximum number of input images; none if absent. */
    max_images: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
    arguments: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }), MediaArgument)),
    /**
     * The bounds of an estimate: tokens of an input file and of one result, billed units of one result, minutes of a file, and
     * the tokens that a request has at most.
     */
    most: Type.Optional(
      Type.Object(
        {
          file_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
          out_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
          context_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
          units: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
          minutes: Type.Optional(Type.Integer({ minimum: 1 })),
        },
        { additionalProperties: false },
      ),
    ),
    /** In the order of their dates (UTC). Before the first one, the model is not offered. */
    prices: Type.Array(MediaPrice, { minItems: 1, maxItems: 50 }),
  },
  { additionalProperties: false },
)

export type MediaModel = Static<typeof MediaModel>

export const MediaModels = Type.Array(MediaModel, { minItems: 1, maxItems: 200 })

/** The provider that serves a model. */
export function providerOf({ api }: Pick<MediaModel, 'api'>): MediaProvider {
  return api.slice(0, api.indexOf('.')) as MediaProvider
}
