import { Config } from '../../schemas/config.ts'

/** A value the service cannot start with. Its message is one line that names the variable and what it must be, never its value. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly variable: string

  constructor(variable: string, reason: string) {
    super(`${variable} ${reason}.`)
    this.variable = variable
  }
}

/** The refusal of a value that does not match its description in the schema; `where` says which part of it does not. */
export function mustBe(variable: keyof Config, where?: string): ConfigurationError {
  const wanted = `must be ${Config.properties[variable].description}`
  return new ConfigurationError(variable, where === undefined ? wanted : `${wanted}; ${where}`)
}

/** The refusal of a start without a value that only development can do without. */
export function mustBeSet(variable: keyof Config): ConfigurationError {
  const wanted = Config.properties[variable].description
  return new ConfigurationError(variable, `must be set outside development: ${wanted}`)
}

/** The items of a comma list, without the white space around them and without empty ones. */
export function splitList(list: string): string[] {
  return list
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '')
}
