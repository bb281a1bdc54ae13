import { Readable } from 'node:stream'
import type { Egress } from '../../lib/egress/egress.ts'
import {
  type GenerationAdapter,
  MediaFailure,
  type MediaOutput,
  type MediaRequest,
  providerArguments,
} from './adapter.ts'
import type { MediaProviderSettings } from './media-settings.ts'
import { createProviderClient, listAt, numberAt, type ProviderClient, textAt } from './provider-client.ts'

/** The requests to a service with the interface of OpenAI. */
export function openaiClient(egress: Egress, settings: MediaProviderSettings): ProviderClient {
  return createProviderClient(egress, settings, {
    provider: 'openai',
    brand: 'OpenAI',
    authorize: key => ({ authorization: `Bearer ${key}` }),
    messageOf: body => textAt(body, 'error', 'message'),
    isRefusal: body => ['moderation_blocked', 'content_policy_violation'].includes(textAt(body, 'error', 'code') ?? ''),
    isUsedUp: body => textAt(body, 'error', 'code') === 'insufficient_quota',
  })
}

/**
 * Images: `POST /images/generations`, and with input images `POST /images/edits`
 * (developers.openai.com/api/reference/resources/images, read on 2026-11-23).
 */
export function openaiImages(client: ProviderClient): GenerationAdapter {
  return {
    async start(request, signal) {
      const { model, prompt, n, inputs, orgId } = request
      const fields = { model: model.upstream, prompt, n, ...providerArguments(request) }
      const { body } =
        inputs.length === 0
          ? await client.json({ method: 'POST', to: '/images/generations', body: fields, orgId, signal })
          : await client.json({ method: 'POST', to: '/images/edits', body: formOf(fields, inputs), orgId, signal })
      return { output: outputOf(body, request, client) }
    },
  }
}

function formOf(fields: Readonly<Record<string, unknown>>, inputs: MediaRequest['inputs']): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  for (const { name, mediaType, data } of inputs)
    form.append('image[]', new Blob([new Uint8Array(data)], { type: mediaType }), name)
  return form
}

function outputOf(body: unknown, { model, orgId }: MediaRequest, client: ProviderClient): MediaOutput {
  const extension = textAt(body, 'output_format') ?? 'png'
  const files = listAt(body, 'data').flatMap((item, i) => {
    const name = `${model.id}-${i + 1}.${extension}`
    const data = textAt(item, 'b64_json')
    if (data !== undefined) return [{ name, open: async () => Readable.from([Buffer.from(data, 'base64')]) }]
    const url = textAt(item, 'url')
    if (url === undefined) return []
    // Some compatible services return URLs.
    const open = async (signal: AbortSignal) => (await client.stream({ method: 'GET', to: url, orgId, signal })).body
    return [{ name, open }]
  })
  if (files.length === 0) throw new MediaFailure('provider_failed', 'OpenAI returned no image.')
  const outTokens = numberAt(body, 'usage', 'output_tokens')
  const input = numberAt(body, 'usage', 'input_tokens') ?? 0
  const fileTokens = numberAt(body, 'usage', 'input_tokens_details', 'image_tokens') ?? 0
  return {
    files,
    usage: outTokens === undefined ? undefined : { outTokens, fileTokens, textTokens: input - fileTokens },
  }
}

/** Speech: `POST /audio/speech` (developers.openai.com/api/reference/resources/audio, read in excerpts on 2026-11-23). */
export function openaiSpeech(client: ProviderClient): GenerationAdapter {
  return {
    async start(request, signal) {
      const { model, prompt: input, orgId } = request
      const body = { model: model.upstream, input, ...providerArguments(request) }
      const answer = await client.stream({ method: 'POST', to: '/audio/speech', body, orgId, signal })
      const name = `${model.id}.${request.args.output_format ?? 'mp3'}`
      return { output: { files: [{ name, open: async () => answer.body }] } }
    },
  }
}
