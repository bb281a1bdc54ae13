import type { WebSettings } from '../../../lib/configuration/web.ts'
import type { Egress } from '../../../lib/egress/egress.ts'
import type { Clock } from '../../../schemas/time.ts'
import { createBrave } from './brave.ts'
import { createExa } from './exa.ts'
import type { SearchProvider, SearchProviderName } from './provider.ts'
import { createSearxng } from './searxng.ts'
import { createTavily } from './tavily.ts'

interface SearchOptions {
  egress: Pick<Egress, 'request'>
  clock: Clock
  settings: WebSettings['search']
  /** Where the providers are, if not at their own address: test doubles. */
  endpoints?: Partial<Record<SearchProviderName, string>>
}

/** The configured search providers, the one that serves by default first. */
export function createSearch({ egress, clock, settings, endpoints = {} }: SearchOptions): readonly SearchProvider[] {
  const { brave, tavily, exa, searxng } = settings
  return [
    ...(brave === undefined ? [] : [createBrave(egress, brave, endpoints.brave)]),
    ...(tavily === undefined ? [] : [createTavily(egress, tavily, endpoints.tavily)]),
    ...(exa === undefined ? [] : [createExa(egress, exa, clock, endpoints.exa)]),
    ...(searxng === undefined ? [] : [createSearxng(egress, searxng)]),
  ]
}
