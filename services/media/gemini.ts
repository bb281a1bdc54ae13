import { Readable } from 'node:stream'
import type { Egress } from '../../lib/egress/egress.ts'
import { type GenerationAdapter, MediaFailure, type MediaRequest, providerArguments } from './adapter.ts'
import type { MediaProviderSettings } from './media-settings.ts'
import type { MediaUsage } from './prices.ts'
import { at, createProviderClient, listAt, numberAt, type ProviderClient, textAt } from './provider-client.ts'

/** The requests to the Gemini API. The key is a header, never a part of a URL. */
export function geminiClient(egress: Egress, settings: MediaProviderSettings): ProviderClient {
  return createProviderClient(egress, settings, {
    provider: 'gemini',
    brand: 'Gemini',
    authorize: key => ({ 'x-goog-api-key': key }),
    messageOf: body => textAt(body, 'error', 'message'),
    isRefusal: () => false,
  })
}

/** Why Gemini stopped without the content: it does not make such content. */
const REFUSALS = /SAFETY|PROHIBITED|BLOCKLIST|RECITATION|SPII/

/** The content parts of a request: the files, then the text. */
export function partsOf(text: string, inputs: MediaRequest['inputs']): object[] {
  const files = inputs.map(({ mediaType, data }) => ({
    inlineData: { mimeType: mediaType, data: data.toString('base64') },
  }))
  return [...files, { text }]
}

/** The parts of an answer. Throws content_refused if Gemini blocked the request or its own answer. */
export function answerParts(body: unknown): readonly unknown[] {
  const reason = textAt(body, 'promptFeedback', 'blockReason') ?? textAt(body, 'candidates', 0, 'finishReason') ?? ''
  const parts = listAt(body, 'candidates', 0, 'content', 'parts')
  if (REFUSALS.test(reason) || textAt(body, 'promptFeedback', 'blockReason') !== undefined)
    throw new MediaFailure(
      'content_refused',
      `Gemini refused to generate this content (${reason}). Change the prompt or the files.`,
      { usage: usageOf(body) },
    )
  return parts
}

/** The usage of an answer. Thoughts are billed as output. */
export function usageOf(body: unknown): MediaUsage | undefined {
  const tokens = (name: string) => numberAt(body, 'usageMetadata', name) ?? 0
  if (at(body, 'usageMetadata', 'promptTokenCount') === undefined) return undefined
  const details = listAt(body, 'usageMetadata', 'promptTokensDetails')
  const textTokens = details
    .filter(detail => textAt(detail, 'modality') === 'TEXT')
    .reduce<number>((sum, detail) => sum + (numberAt(detail, 'tokenCount') ?? 0), 0)
  const prompt = tokens('promptTokenCount')
  const text = details.length === 0 ? prompt : Math.min(textTokens, prompt)
  return {
    textTokens: text,
    fileTokens: prompt - text,
    outTokens: tokens('candidatesTokenCount') + tokens('thoughtsTokenCount'),
  }
}

/** Images: `models/*:generateContent` (ai.google.dev/api/generate-content, read in excerpts on 2026-11-23). */
export function geminiImages(client: ProviderClient): GenerationAdapter {
  return {
    async start(request, signal) {
      const { model, prompt, inputs, orgId } = request
      const { body } = await client.json({
        method: 'POST',
        to: `/models/${model.upstream}:generateContent`,
        body: {
          contents: [{ role: 'user', parts: partsOf(prompt, inputs) }],
          generationConfig: { responseModalities: ['TEXT', 'IMAGE'], ...providerArguments(request) },
        },
        orgId,
        signal,
      })
      const images = answerParts(body).flatMap(part => {
        const data = textAt(part, 'inlineData', 'data')
        return data === undefined || at(part, 'thought') === true
          ? []
          : [{ data, type: textAt(part, 'inlineData', 'mimeType') ?? 'image/png' }]
      })
      if (images.length === 0) throw new MediaFailure('provider_failed', 'Gemini returned no image.')
      return {
        output: {
          files: images.map(({ data, type }, i) => ({
            name: `${model.id}-${i + 1}.${type.split('/')[1]}`,
            open: async () => Readable.from([Buffer.from(data, 'base64')]),
          })),
          usage: usageOf(body),
        },
      }
    },
  }
}

/**
 * Videos: `models/*:predictLongRunning` and its operations (ai.google.dev/gemini-api/docs/video, read in excerpts on 2026-11-23).
 * An image is not `inlineData` here, which Veo rejects (github.com/nodetool-ai/nodetool/pull/4298). The address of a
 * video is followed with the key in a header; a redirect to another origin drops it.
 */
export function geminiVideos(client: ProviderClient): GenerationAdapter {
  return {
    async start(request, signal) {
      const { model, prompt, inputs, orgId } = request
      const [image] = inputs
      const { body } = await client.json({
        method: 'POST',
        to: `/models/${model.upstream}:predictLongRunning`,
        body: {
          instances: [
            {
              prompt,
              ...(image !== undefined && {
                image: { bytesBase64Encoded: image.data.toString('base64'), mimeType: image.mediaType },
              }),
            },
          ],
          parameters: providerArguments(request),
        },
        orgId,
        signal,
      })
      const name = textAt(body, 'name')
      if (name === undefined || !/^[A-Za-z0-9._/-]{1,300}$/.test(name) || name.includes('..'))
        throw new MediaFailure('provider_failed', 'Gemini accepted the request, but did not return its operation.')
      return { operation: { name } }
    },

    async status(operation, { model, orgId }, signal) {
      const { name } = operation as { name: string }
      const { body } = await client.json({ method: 'GET', to: `/${name}`, orgId, signal })
      if (at(body, 'done') !== true) return undefined
      const error = textAt(body, 'error', 'message')
      if (error !== undefined) throw new MediaFailure('provider_failed', 'Gemini failed to make the video.')
      const response = at(body, 'response', 'generateVideoResponse')
      const urls = listAt(response, 'generatedSamples').flatMap(sample => textAt(sample, 'video', 'uri') ?? [])
      if (urls.length === 0)
        throw (numberAt(response, 'raiMediaFilteredCount') ?? 0) > 0
          ? new MediaFailure(
              'content_refused',
              'Gemini refused to generate this content. Change the prompt or the files.',
            )
          : new MediaFailure('provider_failed', 'Gemini returned no video.')
      return {
        files: urls.map((url, i) => ({
          name: `${model.id}-${i + 1}.mp4`,
          open: async signal => (await client.stream({ method: 'GET', to: url, maxRedirects: 3, orgId, signal })).body,
        })),
      }
    },
  }
}
