import type { Egress } from '../../lib/egress/egress.ts'
import { GENERATED_KINDS, type MediaApi, type MediaKind, type MediaModel } from '../../schemas/tools/media.ts'
import type { Artifacts } from '../artifacts/artifacts.ts'
import type { JobHolds } from '../billing/job-holds.ts'
import type { NotConfigured } from '../definitions/define-tool.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { GenerationAdapter } from './adapter.ts'
import { elevenlabsSpeech } from './elevenlabs.ts'
import { falQueue } from './fal.ts'
import { geminiClient, geminiImages, geminiVideos } from './gemini.ts'
import { createGenerationRows } from './generation-rows.ts'
import { createGenerationWork } from './generation-work.ts'
import { createGenerations, type Generations } from './generations.ts'
import { createInputs } from './inputs.ts'
import type { MediaSettings } from './media-settings.ts'
import { openaiClient, openaiImages, openaiSpeech } from './openai.ts'
import { boundsOf, type FileBounds, type MediaUsage, priceAt } from './prices.ts'
import { createUnderstanders, type UnderstandRequest } from './understanders.ts'

interface MediaOptions extends Pick<Infrastructure, 'db' | 'clock' | 'ids' | 'log' | 'jobs' | 'egress'> {
  settings: MediaSettings
  jobHolds: JobHolds
  artifacts: Artifacts
}

/** The media models that this gateway serves. */
export interface Media {
  /** The models with a configured provider, of one kind or all, that have a price now. */
  models(kind?: MediaKind): readonly MediaModel[]
  /** All models that generate, also those that have no price yet. */
  readonly generating: readonly MediaModel[]
  /** All models that understand files, also those that have no price yet. */
  readonly understanding: readonly MediaModel[]
  /**
   * Answers a question about files. Before anything is sent, `accept` gets what they can count as, and can throw. Throws
   * GatewayErrors, MediaFailures and EgressErrors.
   */
  understand(
    question: Omit<UnderstandRequest, 'inputs'> & {
      names: readonly string[]
      userId: string
      accept(bounds: FileBounds): void
    },
    signal: AbortSignal,
  ): Promise<{ text: string; usage: MediaUsage | undefined }>
  /** The time of the gateway, which decides the prices. */
  now(): number
  /** Whether any model generates, or understands, files, now or later. */
  readonly generates: boolean
  readonly understands: boolean
  readonly notConfigured: readonly NotConfigured[]
  readonly generations: Generations
  readonly artifacts: Pick<Artifacts, 'urlOf' | 'read'>
}

const variables = 'OPENAI_API_KEY, GEMINI_API_KEY, FAL_KEY or ELEVENLABS_API_KEY'
const GENERATING: NotConfigured = {
  what: 'Generating images, speech and video',
  tools: ['media__generate', 'media__get', 'media__models'],
  variables,
}
const UNDERSTANDING: NotConfigured = {
  what: 'Questions about files, and transcripts',
  tools: ['media__understand', 'media__models'],
  variables: 'OPENAI_API_KEY or GEMINI_API_KEY',
}

export function createMedia({ settings, jobHolds: holds, ...options }: MediaOptions): Media {
  const { clock, db, log, artifacts } = options
  const { models } = settings
  const isGenerating = ({ kind }: MediaModel) => GENERATED_KINDS.includes(kind)
  const adapterOf = createAdapters(options.egress, settings.providers)
  const understanderOf = createUnderstanders(options.egress, settings.providers)
  const rows = createGenerationRows(db)
  const useInputs = createInputs(options)
  const generates = models.some(isGenerating)
  const understands = models.some(model => !isGenerating(model))

  return {
    models: kind =>
      models.filter(model => (kind ?? model.kind) === model.kind && priceAt(model, clock.now()) !== undefined),
    generating: models.filter(isGenerating),
    understanding: models.filter(model => !isGenerating(model)),
    async understand({ names, userId, accept, ...question }, signal) {
      const understand = understanderOf(question.model)
      if (understand === undefined) throw new TypeError(`${question.model.id} understands nothing`)
      const owner = { orgId: question.orgId, userId }
      return useInputs(owner, names, signal, async inputs => {
        accept(boundsOf(question.model, inputs))
        return understand({ ...question, inputs }, signal)
      })
    },
    now: clock.now,
    generates,
    understands,
    notConfigured: [...(generates ? [] : [GENERATING]), ...(understands ? [] : [UNDERSTANDING])],
    artifacts,
    generations: createGenerations({
      ...options,
      holds,
      rows,
      work: ended =>
        createGenerationWork({
          rows,
          holds,
          artifacts,
          log,
          useInputs,
          ended,
          served(id) {
            const model = models.find(model => model.id === id)
            const adapter = model && adapterOf(model)
            return model === undefined || adapter === undefined ? undefined : { model, adapter }
          },
        }),
    }),
  }
}

/** Creates the adapters of the configured providers. The function returns the one that generates with a model. */
function createAdapters(
  egress: Egress,
  { openai, gemini, fal, elevenlabs }: MediaSettings['providers'],
): (model: MediaModel) => GenerationAdapter | undefined {
  const toOpenai = openai && openaiClient(egress, openai)
  const toGemini = gemini && geminiClient(egress, gemini)
  const adapters: Partial<Record<MediaApi, GenerationAdapter>> = {
    ...(toOpenai && { 'openai.images': openaiImages(toOpenai), 'openai.speech': openaiSpeech(toOpenai) }),
    ...(toGemini && { 'gemini.content': geminiImages(toGemini), 'gemini.video': geminiVideos(toGemini) }),
    ...(fal && { 'fal.queue': falQueue(egress, fal) }),
    ...(elevenlabs && { 'elevenlabs.speech': elevenlabsSpeech(egress, elevenlabs) }),
  }
  return ({ api }) => adapters[api]
}
