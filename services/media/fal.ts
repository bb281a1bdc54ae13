import type { Egress } from '../../lib/egress/egress.ts'
import {
  type GenerationAdapter,
  MediaFailure,
  type MediaOutput,
  type MediaRequest,
  providerArguments,
} from './adapter.ts'
import type { MediaProviderSettings } from './media-settings.ts'
import { at, createProviderClient, listAt, type ProviderClient, textAt } from './provider-client.ts'

/** What fal answers to a submission. Its URLs are used as answered: they are not derived from the model's name. */
interface FalOperation {
  status_url: string
  response_url: string
  cancel_url: string
}

const URLS = ['status_url', 'response_url', 'cancel_url'] as const

/**
 * The queue of fal (fal.ai/docs/api-reference/inference-api and fal.ai/docs/documentation/model-apis/errors, read on
 * 2026-11-23).
 */
export function falQueue(egress: Egress, settings: MediaProviderSettings): GenerationAdapter {
  const { origin } = new URL(settings.baseUrl)
  const client = createProviderClient(egress, settings, {
    provider: 'fal',
    brand: 'fal',
    authorize: key => ({ authorization: `Key ${key}` }),
    messageOf: body =>
      textAt(body, 'detail') ??
      (listAt(body, 'detail')
        .map(fault => textAt(fault, 'msg') ?? '')
        .filter(Boolean)
        .join('; ') ||
        undefined),
    isRefusal: body => listAt(body, 'detail').some(fault => textAt(fault, 'type') === 'content_policy_violation'),
  })

  return {
    async start(request, signal) {
      const { model, orgId, inputs } = request
      const upstream = inputs.length === 0 ? model.upstream : (model.upstream_with_images ?? model.upstream)
      const { body } = await client.json({ method: 'POST', to: `/${upstream}`, body: inputOf(request), orgId, signal })
      const operation = Object.fromEntries(URLS.map(name => [name, textAt(body, name)]))
      // The key follows these URLs, so they must lead to fal.
      if (!Object.values(operation).every(url => url !== undefined && URL.parse(url)?.origin === origin))
        throw new MediaFailure('provider_failed', 'fal accepted the request, but did not say where its result will be.')
      return { operation }
    },

    async status(operation, { orgId, ...request }, signal) {
      const { status_url, response_url } = operation as FalOperation
      const { body } = await client.json({ method: 'GET', to: status_url, orgId, signal })
      const state = textAt(body, 'status')
      if (state === 'IN_QUEUE' || state === 'IN_PROGRESS') return undefined
      if (state !== 'COMPLETED') throw new MediaFailure('provider_failed', 'fal did not complete the request.')
      return outputOf(await resultOf(response_url, orgId, signal), { ...request, orgId }, client)
    },

    async cancel(operation, { orgId }, signal) {
      await client.json({ method: 'PUT', to: (operation as FalOperation).cancel_url, orgId, signal })
    },
  }

  /** A completed request that failed has its error here. Server errors of the model are final, those of the queue are not. */
  async function resultOf(url: string, orgId: string, signal: AbortSignal) {
    try {
      return await client.json({ method: 'GET', to: url, orgId, signal })
    } catch (error) {
      if (error instanceof MediaFailure && error.code === 'provider_failed' && !/\(50[234]\)/.test(error.message))
        throw new MediaFailure('provider_failed', error.message)
      throw error
    }
  }
}

function inputOf(request: MediaRequest): Record<string, unknown> {
  const { model, prompt, n, inputs } = request
  const { images_as: name = 'image_url' } = model
  const urls = inputs.map(({ mediaType, data }) => `data:${mediaType};base64,${data.toString('base64')}`)
  return {
    prompt,
    ...((model.max_n ?? 1) > 1 && { num_images: n }),
    ...providerArguments(request),
    ...(urls.length > 0 && { [name]: name.endsWith('s') ? urls : urls[0] }),
  }
}

function outputOf(
  { body, headers }: { body: unknown; headers: Readonly<Record<string, string>> },
  { model, orgId }: Pick<MediaRequest, 'model' | 'orgId'>,
  client: ProviderClient,
): MediaOutput {
  const made = [...listAt(body, 'images'), ...['image', 'video', 'audio'].map(name => at(body, name))]
  const urls = made.flatMap(file => textAt(file, 'url') ?? [])
  if (urls.length === 0) throw new MediaFailure('provider_failed', 'fal returned no file.')
  if (listAt(body, 'has_nsfw_concepts').some(Boolean))
    throw new MediaFailure('content_refused', 'fal refused to generate this content. Change the prompt or the files.')
  const units = Number(headers['x-fal-billable-units'] ?? Number.NaN)
  return {
    files: urls.map((url, i) => ({
      name: `${model.id}-${i + 1}${/\.[a-z0-9]{2,5}$/i.exec(URL.parse(url)?.pathname ?? '')?.[0] ?? ''}`,
      open: async signal => (await client.stream({ method: 'GET', to: url, maxRedirects: 3, orgId, signal })).body,
    })),
    usage: Number.isFinite(units) && units >= 0 ? { units } : undefined,
  }
}
