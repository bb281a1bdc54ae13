import type { Egress } from '../../lib/egress/egress.ts'
import { type GenerationAdapter, providerArguments } from './adapter.ts'
import type { MediaProviderSettings } from './media-settings.ts'
import { createProviderClient, textAt } from './provider-client.ts'

/**
 * Speech: `POST /v1/text-to-speech/:voice_id` (elevenlabs.io/docs/api-reference/text-to-speech/convert, read
 * in excerpts on 2026-11-23). The header `character-cost` has the characters that ElevenLabs bills.
 */
export function elevenlabsSpeech(egress: Egress, settings: MediaProviderSettings): GenerationAdapter {
  const client = createProviderClient(egress, settings, {
    provider: 'elevenlabs',
    brand: 'ElevenLabs',
    authorize: key => ({ 'xi-api-key': key }),
    messageOf: body => textAt(body, 'detail', 'message') ?? textAt(body, 'detail'),
    isRefusal: body =>
      ['detected_unusual_content', 'content_policy_violation'].includes(textAt(body, 'detail', 'status') ?? ''),
    isUsedUp: body => textAt(body, 'detail', 'status') === 'quota_exceeded',
  })
  return {
    async start(request, signal) {
      const { model, prompt: text, orgId } = request
      const { voice, ...rest } = providerArguments(request)
      const answer = await client.stream({
        method: 'POST',
        to: `/v1/text-to-speech/${voice}?output_format=mp3_44100_128`,
        body: { text, model_id: model.upstream, ...rest },
        orgId,
        signal,
      })
      const billed = answer.headers['character-cost'] ?? ''
      return {
        output: {
          files: [{ name: `${model.id}.mp3`, open: async () => answer.body }],
          usage: /^\d{1,9}(\.\d+)?$/.test(billed) ? { units: Number(billed) } : undefined,
        },
      }
    },
  }
}
