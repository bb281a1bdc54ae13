import type { Egress } from '../../lib/egress/egress.ts'
import type { MediaApi, MediaModel } from '../../schemas/tools/media.ts'
import { type InputFile, MediaFailure, type MediaRequest } from './adapter.ts'
import { answerParts, geminiClient, partsOf, usageOf } from './gemini.ts'
import type { MediaSettings } from './media-settings.ts'
import { openaiClient } from './openai.ts'
import type { MediaUsage } from './prices.ts'
import { at, numberAt, type ProviderClient, textAt } from './provider-client.ts'

/** A question about files. */
export interface UnderstandRequest extends Omit<MediaRequest, 'args' | 'n' | 'files'> {
  /** The form of the answer, as JSON Schema. */
  schema?: object | undefined
  /** The language of the speech (ISO 639-1). */
  language?: string | undefined
}

/** Answers a question. Throws MediaFailures and EgressErrors. */
type Understand = (
  request: UnderstandRequest,
  signal: AbortSignal,
) => Promise<{ text: string; usage: MediaUsage | undefined }>

/** Creates what answers questions with the configured providers. The function returns the one of a model. */
export function createUnderstanders(
  egress: Egress,
  { openai, gemini }: MediaSettings['providers'],
): (model: MediaModel) => Understand | undefined {
  const toOpenai = openai && openaiClient(egress, openai)
  const toGemini = gemini && geminiClient(egress, gemini)
  const byApi: Partial<Record<MediaApi, Understand>> = {
    ...(toOpenai && { 'openai.chat': openaiChat(toOpenai), 'openai.transcriptions': openaiTranscription(toOpenai) }),
    ...(toGemini && { 'gemini.content': geminiAnswer(toGemini) }),
  }
  return ({ api }) => byApi[api]
}

/** Chat: `POST /chat/completions` (developers.openai.com/api/reference/resources/chat, read in excerpts on 2026-11-23). */
function openaiChat(client: ProviderClient): Understand {
  return async ({ model, prompt, inputs, orgId, schema }, signal) => {
    const { body } = await client.json({
      method: 'POST',
      to: '/chat/completions',
      body: {
        model: model.upstream,
        messages: [{ role: 'user', content: [...inputs.map(chatPart), { type: 'text', text: prompt }] }],
        max_completion_tokens: model.most?.out_tokens,
        ...(schema !== undefined && {
          response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
        }),
      },
      orgId,
      signal,
    })
    const message = at(body, 'choices', 0, 'message')
    const outTokens = numberAt(body, 'usage', 'completion_tokens')
    const fileTokens = inputs.length === 0 ? 0 : (numberAt(body, 'usage', 'prompt_tokens') ?? 0)
    const usage = outTokens === undefined ? undefined : { outTokens, fileTokens, textTokens: 0 }
    const isFiltered = textAt(body, 'choices', 0, 'finish_reason') === 'content_filter'
    if (isFiltered || textAt(message, 'refusal') !== undefined)
      throw new MediaFailure(
        'content_refused',
        'OpenAI refused to answer this question. Change the question or the files.',
        { usage },
      )
    return { text: textAt(message, 'content') ?? '', usage }
  }
}

/** Chat completions take images, PDFs, WAV and MP3. Text becomes a part of the question. */
function chatPart({ name, mediaType, data }: InputFile): object {
  const base64 = data.toString('base64')
  const url = `data:${mediaType};base64,${base64}`
  const format = ({ 'audio/mpeg': 'mp3', 'audio/wav': 'wav' } as Record<string, string>)[mediaType]
  if (mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url } }
  if (mediaType === 'application/pdf') return { type: 'file', file: { filename: name, file_data: url } }
  if (mediaType.startsWith('text/') || mediaType === 'application/json')
    return { type: 'text', text: `${name}:\n${data.toString('utf8')}` }
  if (format !== undefined) return { type: 'input_audio', input_audio: { data: base64, format } }
  throw new MediaFailure('bad_input', `The model does not read files of the type ${mediaType}. Use another model.`)
}

/**
 * Transcription: `POST /audio/transcriptions` (developers.openai.com/api/reference/resources/audio, read in excerpts on 2026-11-23).
 */
function openaiTranscription(client: ProviderClient): Understand {
  return async ({ model, inputs, orgId, language }, signal) => {
    const [file, ...others] = inputs
    if (file === undefined || others.length > 0)
      throw new MediaFailure('bad_input', 'A transcription takes one file. Send one at a time.')
    const form = new FormData()
    form.append('model', model.upstream)
    form.append('response_format', 'json')
    if (language !== undefined) form.append('language', language)
    form.append('file', new Blob([new Uint8Array(file.data)], { type: file.mediaType }), file.name)
    const { body } = await client.json({ method: 'POST', to: '/audio/transcriptions', body: form, orgId, signal })
    const seconds = numberAt(body, 'usage', 'seconds')
    return { text: textAt(body, 'text') ?? '', usage: seconds === undefined ? undefined : { units: seconds } }
  }
}

/** `models/*:generateContent` (ai.google.dev/api/generate-content, read in excerpts on 2026-11-23). */
function geminiAnswer(client: ProviderClient): Understand {
  return async ({ model, prompt, inputs, orgId, schema }, signal) => {
    const { body } = await client.json({
      method: 'POST',
      to: `/models/${model.upstream}:generateContent`,
      body: {
        contents: [{ role: 'user', parts: partsOf(prompt, inputs) }],
        generationConfig: {
          maxOutputTokens: model.most?.out_tokens,
          ...(schema !== undefined && { responseMimeType: 'application/json', responseJsonSchema: schema }),
        },
      },
      orgId,
      signal,
    })
    const parts = answerParts(body).filter(part => at(part, 'thought') !== true)
    return { text: parts.map(part => textAt(part, 'text') ?? '').join(''), usage: usageOf(body) }
  }
}
