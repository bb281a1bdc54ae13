import { Config } from '../../schemas/config.ts'
import { editDistance } from '../similar-names.ts'

/** Shorter names (HOST, PORT) resemble too many variables of other programs, such as PORTS and GATEWAY_PORT. */
const SHORTEST = 8
/** Names of at least this length may have two typing mistakes. With shorter ones, META_DIR would match DATA_DIR. */
const LONG = 11
/** What people add before or after the name of a setting. */
const PREFIX = /^(?:CONNECTOR_GATEWAY|MCP_GATEWAY|GATEWAY|CGW)_/
const SUFFIX = /_FILE$/

const SETTINGS = (Object.keys(Config.properties) as (keyof Config)[]).filter(({ length }) => length >= SHORTEST)

/**
 * Finds the set variables that are no settings but probably mean one: PUBLIC_ORIGIN, DATABASE_URI,
 * GATEWAY_DATABASE_URL. Ordinary variables of other programs, such as REDIS_PORT, are not among them. Returns the
 * setting by the set name, in the order of the schema.
 */
export function similarVariables(
  set: Readonly<Record<string, string>>,
  others: readonly string[],
): ReadonlyMap<string, keyof Config> {
  const unknown = Object.keys(set).filter(name => !Object.hasOwn(Config.properties, name) && !others.includes(name))
  const found = unknown.toSorted().flatMap(name => {
    const meant = meantBy(name)
    return meant === undefined ? [] : [[name, meant] as const]
  })
  return new Map(found.toSorted(([, a], [, b]) => SETTINGS.indexOf(a) - SETTINGS.indexOf(b)))
}

function meantBy(name: string): keyof Config | undefined {
  const core = name.toUpperCase().replace(PREFIX, '').replace(SUFFIX, '')
  const [nearest] = SETTINGS.map(setting => {
    const most = setting.length < LONG ? 1 : 2
    const isSame = core === setting || singular(name) === singular(setting)
    return { setting, most, distance: isSame ? 0 : editDistance(plainOf(name), plainOf(setting), most) }
  })
    .filter(({ distance, most }) => distance <= most)
    // A name with one more word is another variable, such as OAUTH_CLIENT_ID.
    .filter(({ setting }) => core === setting || !singular(name).startsWith(`${singular(setting)}_`))
    .toSorted((a, b) => a.distance - b.distance)
  return nearest?.setting
}

function plainOf(name: string): string {
  return name.replaceAll('_', '').toUpperCase()
}

function singular(name: string): string {
  return name
    .toUpperCase()
    .replace(/IES(?=_|$)/g, 'Y')
    .replace(/S(?=_|$)/g, '')
}
