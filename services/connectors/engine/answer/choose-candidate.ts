import { GatewayError } from '../../../../lib/errors/errors.ts'
import { sanitizeLine } from '../../../../lib/sanitize-text.ts'
import type { AccountSettings } from '../../../accounts/account.ts'
import type { ConnectorDefinition, SettingsDiscovery } from '../../../definitions/define-connector.ts'
import { readPointer } from '../../../definitions/pointer.ts'

/** The settings of the candidate that was chosen, or of the only one. Throws connect_failed where that is none. */
export function chooseCandidate(
  { name }: Pick<ConnectorDefinition, 'name'>,
  { items, settings: places, chosenBy }: SettingsDiscovery,
  answer: unknown,
  settings: AccountSettings,
): Record<string, string> {
  const found = readPointer(answer, items)
  const candidates = (Array.isArray(found) ? found : [])
    .map(item => settingsOf(item, places))
    .filter(isComplete(places))
  const chosen = Object.hasOwn(settings, chosenBy) ? settings[chosenBy] : undefined
  const fitting =
    chosen === undefined ? candidates : candidates.filter(({ [chosenBy]: value }) => sameName(value ?? '', chosen))
  const [only, ...others] = fitting
  if (only !== undefined && others.length === 0) return only
  throw new GatewayError('connect_failed', sentence(name, chosenBy, chosen, candidates))
}

function settingsOf(item: unknown, places: SettingsDiscovery['settings']): Record<string, string> {
  const settings: Record<string, string> = {}
  for (const [setting, pointer] of Object.entries(places)) {
    const value = readPointer(item, pointer)
    if (typeof value === 'string' || typeof value === 'number') settings[setting] = String(value)
  }
  return settings
}

function isComplete(places: SettingsDiscovery['settings']): (settings: Record<string, string>) => boolean {
  return settings => Object.keys(places).every(name => Object.hasOwn(settings, name))
}

/** A person types a site's address as it stands in a browser. */
function sameName(a: string, b: string): boolean {
  return plain(a) === plain(b)
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')
}

function sentence(
  name: string,
  chosenBy: string,
  chosen: string | undefined,
  candidates: readonly Record<string, string>[],
): string {
  if (candidates.length === 0)
    return `${name} shows this credential no ${chosenBy} that it may act in. Grant access to one, and connect again.`
  const names = candidates
    .slice(0, 20)
    .map(({ [chosenBy]: value }) => sanitizeLine(value ?? '', 100))
    .join(', ')
  const why =
    chosen === undefined ? 'has several' : `has no ${chosenBy} called ${sanitizeLine(chosen, 100)} among those`
  return `${name} ${why} that this credential may act in: ${names}. Connect again with the setting ${chosenBy}.`
}
