import { readFileSync } from 'node:fs'
import { Value } from '@sinclair/typebox/value'
import type { Config } from '../../schemas/config.ts'
import { type MediaModel, MediaModels, type MediaProvider, providerOf } from '../../schemas/media.ts'
import { errorCode } from '../database/database-errors.ts'
import { isAllowed } from '../egress/allow-list.ts'
import { computeAll, InvalidConfiguration } from './faults.ts'
import { faultsOfModels } from './media-faults.ts'
import SHIPPED_MODELS from './media-models.json' with { type: 'json' }
import { type EgressSettings, isLoopback } from './network.ts'
import { ConfigurationError, mustBe } from './variable.ts'

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

/** The variable with the key of each provider. */
export const MEDIA_KEYS = {
  openai: 'OPENAI_API_KEY',
  gemini: 'GEMINI_API_KEY',
  fal: 'FAL_KEY',
  elevenlabs: 'ELEVENLABS_API_KEY',
} as const satisfies Record<MediaProvider, keyof Config>

const BASE_URLS: Readonly<Record<MediaProvider, string>> = {
  openai: 'https://api.openai.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta',
  fal: 'https://queue.fal.run',
  elevenlabs: 'https://api.elevenlabs.io',
}

/** Parses the providers' keys, OPENAI_BASE_URL and MEDIA_MODELS. Throws InvalidConfiguration with all faults. */
export function parseMedia(config: Config, egress: () => EgressSettings): MediaSettings {
  const { providers, models } = computeAll({
    providers: () => providersOf(config, egress),
    models: () => modelsOf(config),
  })
  return { providers, models: models.filter(model => providers[providerOf(model)] !== undefined) }
}

function providersOf(config: Config, egress: () => EgressSettings): MediaSettings['providers'] {
  const baseUrl = openaiBaseUrl(config, egress)
  const names = Object.keys(MEDIA_KEYS) as MediaProvider[]
  return Object.fromEntries(
    names.flatMap(name => {
      const key = config[MEDIA_KEYS[name]]
      if (key === undefined) return []
      const url = name === 'openai' && baseUrl !== undefined ? baseUrl : BASE_URLS[name]
      return [[name, Object.defineProperty({ baseUrl: url }, 'key', { get: () => key })]]
    }),
  )
}

function openaiBaseUrl(config: Config, egress: () => EgressSettings): string | undefined {
  const { OPENAI_BASE_URL: text, OPENAI_API_KEY: key } = config
  if (text === undefined) return undefined
  if (key === undefined) throw new ConfigurationError('OPENAI_BASE_URL', 'must be set together with OPENAI_API_KEY')
  const url = /^https?:\/\/[^?#@\\\s]+$/i.test(text) ? URL.parse(text) : null
  if (url === null) throw mustBe('OPENAI_BASE_URL')
  const { loopback, allow } = egress()
  const inTheClear = (loopback && isLoopback(url.hostname)) || isAllowed(allow, url.hostname)
  if (url.protocol === 'http:' && !inTheClear) throw mustBe('OPENAI_BASE_URL')
  return url.href.replace(/\/+$/, '')
}

/** The models of the file, or the shipped ones. Without a provider none are needed, and a start stays fast. */
function modelsOf(config: Config): readonly MediaModel[] {
  const { MEDIA_MODELS: path } = config
  const isUsed = Object.values(MEDIA_KEYS).some(name => config[name] !== undefined)
  if (path === undefined) return isUsed ? (SHIPPED_MODELS as MediaModel[]) : []
  const models = read(path)
  if (!Value.Check(MediaModels, models)) throw invalid(placeOf(models))
  const faults = faultsOfModels(models)
  if (faults.length > 0) throw new InvalidConfiguration(faults.map(invalid))
  return models
}

function read(path: string): unknown {
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
  return mustBe('MEDIA_MODELS', where)
}
