import { type MediaApi, type MediaArgument, type MediaKind, type MediaModel, providerOf } from '../../schemas/media.ts'

/** The arguments of media__generate that every model has. */
const COMMON_ARGUMENTS = ['model', 'prompt', 'n', 'images', 'inline', 'max_cost_usd']

const KINDS: Readonly<Record<MediaApi, readonly MediaKind[]>> = {
  'openai.images': ['image'],
  'openai.speech': ['speech'],
  'openai.chat': ['understanding'],
  'openai.transcriptions': ['transcription'],
  'gemini.content': ['image', 'understanding'],
  'gemini.video': ['video'],
  'fal.queue': ['image', 'video', 'speech'],
  'elevenlabs.speech': ['speech'],
}

/** What is wrong with models that match the schema, one sentence each. */
export function faultsOfModels(models: readonly MediaModel[]): string[] {
  const ids = new Set<string>()
  const types = new Map<string, MediaArgument['type']>()
  return models.flatMap((model, index) => {
    const faults = [...faultsOf(model)]
    if (ids.has(model.id)) faults.push('its id is already used')
    ids.add(model.id)
    for (const [name, { type }] of Object.entries(model.arguments ?? {})) {
      const first = types.get(name) ?? type
      types.set(name, first)
      // All models share one flat schema.
      if (first !== type) faults.push(`the argument ${name} is of type ${first} in an earlier model`)
    }
    return faults.map(fault => `model ${index + 1} (${model.id}): ${fault}`)
  })
}

function* faultsOf(model: MediaModel): Generator<string> {
  if (!KINDS[model.api].includes(model.kind)) yield `the api ${model.api} does not serve the kind ${model.kind}`
  for (const [name, argument] of Object.entries(model.arguments ?? {})) yield* faultsOfArgument(name, argument)
  yield* faultsOfPrices(model)
  if ((model.max_images ?? 0) > 0 && providerOf(model) === 'fal' && model.images_as === undefined)
    yield 'max_images needs images_as'
}

function* faultsOfArgument(name: string, argument: MediaArgument): Generator<string> {
  const { type, enum: values, default: value, pattern } = argument
  if (COMMON_ARGUMENTS.includes(name)) yield `every model has an argument ${name}`
  const isOfType = (value: unknown) =>
    ({ string: typeof value === 'string', boolean: typeof value === 'boolean', integer: Number.isSafeInteger(value) })[
      type
    ]
  if (values?.some(value => !isOfType(value))) yield `the values of ${name} are not of its type`
  if (value !== undefined && !isOfType(value)) yield `the default of ${name} is not of its type`
  if (value !== undefined && values !== undefined && !(values as unknown[]).includes(value))
    yield `the default of ${name} is not one of its values`
  if (pattern !== undefined && !isPattern(pattern)) yield `the pattern of ${name} is invalid`
}

function* faultsOfPrices({ prices, kind, most, arguments: args = {}, max_images = 0 }: MediaModel): Generator<string> {
  const days = prices.map(price => price.valid_from)
  if (days.some(day => new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) !== day)) yield 'a valid_from is not a date'
  if (days.some((day, i) => i > 0 && day <= (days[i - 1] ?? ''))) yield 'its prices are not in the order of their dates'
  for (const price of prices) {
    if (!('per' in price)) {
      if (most?.out_tokens === undefined) yield 'a price by tokens needs most.out_tokens'
      const takesFiles = max_images > 0 || kind === 'understanding'
      if (takesFiles && most?.file_tokens === undefined) yield 'a price by tokens needs most.file_tokens'
      continue
    }
    if (price.per === 'second' && args.duration?.default === undefined)
      yield 'a price by the second needs an argument duration with a default'
    if (price.per === 'unit' && most?.units === undefined) yield 'a price by the unit needs most.units'
    if (price.per === 'minute' && most?.minutes === undefined) yield 'a price by the minute needs most.minutes'
    if (price.tiers !== undefined && args[price.tiers.argument]?.default === undefined)
      yield `the tiers need an argument ${price.tiers.argument} with a default`
  }
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}
