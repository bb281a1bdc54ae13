import { Config } from '../../schemas/config.ts'

/** An invalid value of a variable. The message is one line with the variable and what it must be, never the value. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly variable: string

  constructor(variable: string, reason: string) {
    super(`${variable} ${reason}.`)
    this.variable = variable
  }
}

/** Creates the error for a value that does not match its description in the schema; `where` names the wrong part. */
export function mustBe(variable: keyof Config, where?: string): ConfigurationError {
  const wanted = `must be ${Config.properties[variable].description}`
  return new ConfigurationError(variable, where === undefined ? wanted : `${wanted}; ${where}`)
}

/**
 * Creates the error for a missing variable that is required outside development; `set` is a variable with a similar
 * name that is set instead.
 */
export function mustBeSet(variable: keyof Config, set?: string): ConfigurationError {
  const wanted = `must be set outside development: ${Config.properties[variable].description}`
  return new ConfigurationError(variable, set === undefined ? wanted : `${wanted}. ${set} is set, but is not a setting`)
}

/** Splits a comma-separated list; trims the items and drops empty ones. */
export function splitList(list: string): string[] {
  return list
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '')
}
