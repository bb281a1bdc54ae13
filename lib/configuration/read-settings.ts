import { type TSchema, Type } from '@sinclair/typebox'
import { type EnvSchemaData, envSchema } from 'env-schema'
import { editDistance } from '../similar-names.ts'
import { GATEWAY_ENV } from './environment.ts'
import { computeAll, InvalidConfiguration, once } from './faults.ts'
import { type Reading, type Setting, type SettingsOf, type SettingsTable, variablesOf } from './setting.ts'
import { type ConfigurationError, mustBe, mustBeSet, type Variable } from './variable.ts'

export type Environment = Readonly<Record<string, string | undefined>>
type SetVariables = Readonly<Record<string, string>>

/** Checks of settings that need more than the environment, by setting. Each throws a ConfigurationError. */
export type Checks<Table extends SettingsTable> = {
  readonly [Name in keyof Table]?: (value: SettingsOf<Table>[Name]) => void
}

interface ReadingOptions<Table extends SettingsTable> {
  readonly checks?: Checks<Table> | undefined
  /** Planned variables that this version does not read. The start warns about them once. */
  readonly later: readonly string[]
  /** Takes the fault of an absent variable that is required outside development: throws it, or returns it for the use. */
  absent(fault: ConfigurationError): ConfigurationError
}

/** The settings of a table, and warnings to log once at the start about settings that are probably unintended. */
export type ReadSettings<Table extends SettingsTable> = SettingsOf<Table> & { readonly warnings: readonly string[] }

/**
 * Reads the settings of a table from an environment, and completes them. Throws InvalidConfiguration with all faults,
 * in the order of the table. `complete` runs only without a fault.
 */
export function readSettings<Table extends SettingsTable, Complete>(
  table: Table,
  env: Environment,
  options: ReadingOptions<Table>,
  complete: (settings: ReadSettings<Table>) => Complete,
): Complete {
  const set = withoutEmpty(env)
  const order = variablesOf(table).map(({ name }) => name)
  const similar = similarVariables(set, { settings: order, others: options.later })
  try {
    const { warnings, ...settings } = parseSettings(table, set, similar, options)
    return complete({ ...settings, warnings: [...Array.from(similar, didYouMean), ...warnings] } as ReadSettings<Table>)
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error
    const faults = error.faults.toSorted((a, b) => order.indexOf(a.variable) - order.indexOf(b.variable))
    const unmentioned = [...similar].filter(([name]) => !error.message.includes(`${name} is set`))
    throw new InvalidConfiguration(faults, unmentioned.map(didYouMean))
  }
}

/** Computes each setting by its own function, so that all faults are found. */
function parseSettings<Table extends SettingsTable>(
  table: Table,
  set: SetVariables,
  similar: ReadonlyMap<string, string>,
  { checks, later, absent }: ReadingOptions<Table>,
) {
  const { read: readVariable, faults } = readVariables(variablesOf(table), set)
  const parsed = new Map<Setting, () => unknown>()
  function readSetting(source: Setting): unknown {
    const value = parsed.get(source) ?? once(() => source.parse(reading))
    parsed.set(source, value)
    return value()
  }
  const reading: Reading = {
    read: <T>(source: Variable<T> | Setting<T>) =>
      ('schema' in source ? readVariable(source) : readSetting(source)) as T,
    required(source) {
      const value = reading.read(source)
      if (value !== undefined || reading.read(GATEWAY_ENV) === 'development') return value
      return absent(mustBeSet(source, [...similar].find(([, meant]) => meant === source.name)?.[0]))
    },
    names: Object.keys(set),
  }
  const settings = Object.entries(table).map(([name, source]) => {
    const check = checks?.[name] as ((value: unknown) => void) | undefined
    const compute = () => {
      const value = readSetting(source)
      check?.(value)
      return value
    }
    return [name, compute] as const
  })
  const ignored = later.filter(name => Object.hasOwn(set, name))
  const warnings = () => [
    ...(ignored.length === 0 ? [] : [`This version ignores these variables: ${ignored.join(', ')}.`]),
    ...Object.values(table).flatMap(source => source.warnings?.(readSetting(source), reading) ?? []),
  ]
  return computeAll({ ...Object.fromEntries(settings), warnings }, faults)
}

/** Removes empty variables: they count as unset, as compose files and shells write them. */
export function withoutEmpty(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || value.trim() === '' ? [] : [[name, value.trim()] as const],
    ),
  )
}

/**
 * Checks the variables with their schemas, converts their types and adds the defaults. Reading a variable with an
 * invalid value throws its fault, so that everything that depends on it is left out.
 */
function readVariables(variables: readonly Variable[], set: SetVariables) {
  const schema = Type.Object(Object.fromEntries(variables.map(({ name, schema }) => [name, schema])))
  const invalid = invalidVariables(schema, set)
  const faults = new Map(variables.filter(({ name }) => invalid.has(name)).map(source => [source.name, mustBe(source)]))
  const valid = Object.fromEntries(Object.entries(set).filter(([name]) => !invalid.has(name)))
  const values = validate(schema, valid)
  return {
    faults: [...faults.values()],
    read({ name }: Variable): unknown {
      const fault = faults.get(name)
      if (fault !== undefined) throw fault
      if (!Object.hasOwn(schema.properties, name)) throw new TypeError(`No setting of the table declares ${name}`)
      return values[name]
    },
  }
}

function validate(schema: TSchema, data: SetVariables): Readonly<Record<string, unknown>> {
  return envSchema<EnvSchemaData>({ schema, data, env: false })
}

/** The names of the variables with an invalid value. */
function invalidVariables(schema: TSchema, set: SetVariables): ReadonlySet<string> {
  try {
    validate(schema, set)
    return new Set()
  } catch (error) {
    // The error is dropped because its text may quote values.
    const names = namesIn(error)
    if (names.length === 0) throw error
    return new Set(names)
  }
}

/** The variables of an env-schema validation error. */
function namesIn(error: unknown): string[] {
  if (!(error instanceof Error) || !('errors' in error) || !Array.isArray(error.errors)) return []
  return error.errors.map(({ instancePath }) => String(instancePath).slice(1))
}

function didYouMean([name, meant]: readonly [name: string, meant: string]): string {
  return `${name} is not a setting; did you mean ${meant}?`
}

/** Shorter names (HOST, PORT) resemble too many variables of other programs, such as PORTS and GATEWAY_PORT. */
const SHORTEST = 8
/** Names of at least this length may have two typing mistakes. With shorter ones, META_DIR would match DATA_DIR. */
const LONG = 11
/** What people add before or after the name of a setting. */
const PREFIX = /^(?:CONNECTOR_GATEWAY|MCP_GATEWAY|GATEWAY|CGW)_/
const SUFFIX = /_FILE$/

/**
 * Finds the set variables that are no settings but probably mean one: PUBLIC_ORIGIN, DATABASE_URI,
 * GATEWAY_DATABASE_URL. Ordinary variables of other programs, such as REDIS_PORT, are not among them. Returns the
 * setting by the set name, in the order of the settings.
 */
function similarVariables(
  set: Readonly<Record<string, string>>,
  { settings, others }: { settings: readonly string[]; others: readonly string[] },
): ReadonlyMap<string, string> {
  const unknown = Object.keys(set).filter(name => !settings.includes(name) && !others.includes(name))
  const long = settings.filter(({ length }) => length >= SHORTEST)
  const found = unknown.toSorted().flatMap(name => {
    const meant = meantBy(name, long)
    return meant === undefined ? [] : [[name, meant] as const]
  })
  return new Map(found.toSorted(([, a], [, b]) => settings.indexOf(a) - settings.indexOf(b)))
}

function meantBy(name: string, settings: readonly string[]): string | undefined {
  const core = name.toUpperCase().replace(PREFIX, '').replace(SUFFIX, '')
  const [nearest] = settings
    .map(setting => {
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
