import { type MediaModel, type MediaProvider, providerOf } from '../../schemas/tools/media.ts'
import SHIPPED from '../../services/media/media-models.json' with { type: 'json' }
import type { MediaSettings } from '../../services/media/media-settings.ts'

/** The key of every provider in tests. */
export const PROVIDER_KEY = 'key-of-the-provider-0123456789'

/** Settings with these providers at these URLs, and the shipped models or others. */
export function mediaSettings(
  urls: Partial<Record<MediaProvider, string>>,
  models: readonly MediaModel[] = SHIPPED as MediaModel[],
): MediaSettings {
  return {
    providers: Object.fromEntries(
      Object.entries(urls).map(([name, baseUrl]) => [name, { key: PROVIDER_KEY, baseUrl }]),
    ),
    models: models.filter(model => urls[providerOf(model)] !== undefined),
  }
}
