import { type EnvSchemaData, envSchema } from 'env-schema'
import { Config } from '../../schemas/config.ts'
import { type ConfigurationError, mustBe } from './variable.ts'

/** The variables of an environment, checked with the schema. */
interface Variables {
  /** Reading a variable with an invalid value throws its fault, so that everything that depends on it is left out. */
  readonly config: Config
  readonly faults: readonly ConfigurationError[]
}

/** Removes empty variables: they count as unset, as compose files and shells write them. */
export function withoutEmpty(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || value.trim() === '' ? [] : [[name, value.trim()] as const],
    ),
  )
}

/** Checks the variables with the schema, converts their types and adds the defaults. */
export function readVariables(set: Readonly<Record<string, string>>): Variables {
  const faults = invalidVariables(set).map(variable => mustBe(variable))
  const valid = Object.entries(set).filter(([name]) => !faults.some(({ variable }) => variable === name))
  const config = validate(Object.fromEntries(valid))
  for (const fault of faults)
    Object.defineProperty(config, fault.variable, {
      get() {
        throw fault
      },
    })
  return { config, faults }
}

function validate(data: Readonly<Record<string, string>>): Config {
  return envSchema<Config & EnvSchemaData>({ schema: Config, data, env: false })
}

function invalidVariables(set: Readonly<Record<string, string>>): readonly (keyof Config)[] {
  try {
    validate(set)
    return []
  } catch (error) {
    // The error is dropped because its text may quote values.
    const variables = variablesOf(error)
    if (variables.length === 0) throw error
    return variables
  }
}

/** The variables of an env-schema validation error. */
function variablesOf(error: unknown): readonly (keyof Config)[] {
  if (!(error instanceof Error) || !('errors' in error) || !Array.isArray(error.errors)) return []
  const paths = new Set<unknown>(error.errors.map(({ instancePath }) => instancePath))
  return (Object.keys(Config.properties) as (keyof Config)[]).filter(name => paths.has(`/${name}`))
}
