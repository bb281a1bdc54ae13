import { readFileSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { computeAll, InvalidConfiguration } from '../../lib/configuration/faults.ts'
import { mayBeInTheClear } from '../../lib/configuration/network.ts'
import { egress } from '../../lib/configuration/network-settings.ts'
import { type Reading, settingOf } from '../../lib/configuration/setting.ts'
import {
  type ConfigurationError,
  mustBe,
  mustBeSetWith,
  type Variable,
  variable,
} from '../../lib/configuration/variable.ts'
import { errorCode } from '../../lib/database/database-errors.ts'
import {
  type MediaApi,
  type MediaArgument,
  type MediaKind,
  type MediaModel,
  MediaModels,
  type MediaProvider,
  providerOf,
} from '../../schemas/tools/media.ts'

import SHIPPED_MODELS from './media-models.json' with { type: 'json' }

/** A configured provider of media models. */
export interface MediaProviderSettings {
  /** Not enumerable, so that printed settings do not show it. */
  readonly key: string
  /** Without a trailing slash. */
  readonly baseUrl: string
}

/** The media models and who serves them. */
export interface MediaSettings {
  readonly providers: Readonly<Partial<Record<MediaProvider, MediaProviderSettings>>>
  /** The models with a configured provider. */
  readonly models: readonly MediaModel[]
}

/** Declares the key of a provider, as a header carries it. */
function providerKey(name: string, provider: string, doc: string): Variable<string | undefined> {
  const description = `an API key of ${provider}: 8 to 512 printable characters`
  return variable(name, Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{8,512}$', description })), {
    doc,
    unset: 'none: the models of that provider are not offered',
  })
}

/** The variable with the key of each provider. */
export const MEDIA_KEYS: Readonly<Record<MediaProvider, Variable<string | undefined>>> = {
  openai: providerKey(
    'OPENAI_API_KEY',
    'OpenAI, or of the service at OPENAI_BASE_URL',
    'the key of OpenAI, for its [media models](#media-models)',
  ),
  gemini: providerKey('GEMINI_API_KEY', 'the Gemini API', 'the key of the Gemini API'),
  fal: providerKey('FAL_KEY', 'fal', 'the key of fal'),
  elevenlabs: providerKey('ELEVENLABS_API_KEY', 'ElevenLabs', 'the key of ElevenLabs'),
}

const OPENAI_BASE_URL = variable(
  'OPENAI_BASE_URL',
  Type.Optional(
    Type.String({
      description:
        'the URL of a service with the interface of OpenAI, up to its version, such as https://api.openai.com/v1; https except for hosts in EGRESS_ALLOW and, with EGRESS_ALLOW_LOOPBACK, this machine',
    }),
  ),
  {
    doc: 'another service with the interface of OpenAI; needs `OPENAI_API_KEY`. https, except for hosts in `EGRESS_ALLOW` and, with `EGRESS_ALLOW_LOOPBACK`, this machine',
    unset: '`https://api.openai.com/v1`',
  },
)

const MEDIA_MODELS = variable(
  'MEDIA_MODELS',
  Type.Optional(Type.String({ description: 'the path of a JSON file with a list of media models and their prices' })),
  {
    doc: 'the path of a JSON file with other [media models and prices](#media-models)',
    unset: 'the models that ship with the gateway',
  },
)

const BASE_URLS: Readonly<Record<MediaProvider, string>> = {
  openai: 'https://api.openai.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta',
  fal: 'https://queue.fal.run',
  elevenlabs: 'https://api.elevenlabs.io',
}

/** The media models and their providers; none without a provider's key. */
export const media = settingOf(
  [...Object.values(MEDIA_KEYS), OPENAI_BASE_URL, MEDIA_MODELS],
  (reading): MediaSettings => {
    const { providers, models } = computeAll({
      providers: () => providersOf(reading),
      models: () => modelsOf(reading),
    })
    return { providers, models: models.filter(model => providers[providerOf(model)] !== undefined) }
  },
  { secrets: ({ providers }) => Object.values(providers).map(({ key }) => key) },
)

function providersOf(reading: Reading): MediaSettings['providers'] {
  const baseUrl = openaiBaseUrl(reading)
  const names = Object.keys(MEDIA_KEYS) as MediaProvider[]
  return Object.fromEntries(
    names.flatMap(name => {
      const key = reading.read(MEDIA_KEYS[name])
      if (key === undefined) return []
      const url = name === 'openai' && baseUrl !== undefined ? baseUrl : BASE_URLS[name]
      return [[name, Object.defineProperty({ baseUrl: url }, 'key', { get: () => key })]]
    }),
  )
}

function openaiBaseUrl({ read }: Reading): string | undefined {
  const text = read(OPENAI_BASE_URL)
  if (text === undefined) return undefined
  if (read(MEDIA_KEYS.openai) === undefined) throw mustBeSetWith(OPENAI_BASE_URL, MEDIA_KEYS.openai)
  const url = /^https?:\/\/[^?#@\\\s]+$/i.test(text) ? URL.parse(text) : null
  if (url === null) throw mustBe(OPENAI_BASE_URL)
  const inTheClear = mayBeInTheClear(url.hostname, read(egress))
  if (url.protocol === 'http:' && !inTheClear) throw mustBe(OPENAI_BASE_URL)
  return url.href.replace(/\/+$/, '')
}

/** The models of the file, or the shipped ones. Without a provider none are needed, and a start stays fast. */
function modelsOf({ read }: Reading): readonly MediaModel[] {
  const path = read(MEDIA_MODELS)
  const isUsed = Object.values(MEDIA_KEYS).some(key => read(key) !== undefined)
  if (path === undefined) return isUsed ? (SHIPPED_MODELS as MediaModel[]) : []
  const models = readModels(path)
  if (!Value.Check(MediaModels, models)) throw invalid(placeOf(models))
  const faults = faultsOfModels(models)
  if (faults.length > 0) throw new InvalidConfiguration(faults.map(invalid))
  return models
}

function readModels(path: string): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw invalid(`the file cannot be read (${errorCode(error) ?? 'unknown error'})`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('this is not JSON')
  }
}

/** The place of the first fault: the number of the model, and a JSON pointer in it. */
function placeOf(models: unknown): string {
  const path = Value.Errors(MediaModels, models).First()?.path ?? ''
  const [, index, ...rest] = path.split('/')
  if (index === undefined) return 'this is not a list of 1 to 200 models'
  return `model ${Number(index) + 1}: ${rest.length === 0 ? 'this' : `/${rest.join('/')}`} is invalid or missing`
}

function invalid(where: string): ConfigurationError {
  return mustBe(MEDIA_MODELS, where)
}

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
