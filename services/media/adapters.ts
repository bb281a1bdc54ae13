import type { MediaSettings } from '../../lib/configuration/media.ts'
import type { Egress } from '../../lib/egress/egress.ts'
import type { MediaApi, MediaModel } from '../../schemas/media.ts'
import type { GenerationAdapter } from './adapter.ts'
import { elevenlabsSpeech } from './elevenlabs.ts'
import { falQueue } from './fal.ts'
import { geminiClient, geminiImages, geminiVideos } from './gemini.ts'
import { openaiClient, openaiImages, openaiSpeech } from './openai.ts'

/** Creates the adapters of the configured providers. The function returns the one that generates with a model. */
export function createAdapters(
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
