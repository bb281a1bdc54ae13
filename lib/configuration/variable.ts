import type { Static, TOptional, TSchema } from '@sinclair/typebox'

declare const value: unique symbol

/** The value of a variable with this schema; undefined if it is optional and not set. */
export type ValueOf<Schema extends TSchema> =
  Schema extends TOptional<TSchema> ? Static<Schema> | undefined : Static<Schema>

/** What docs/configuration.md says about a variable. The links are relative to docs/. */
export interface Documentation {
  readonly doc: string
  /** The cell of the default; the default of the schema, or `none`, if absent. */
  readonly unset?: string
}

/** An environment variable whose value has a type. */
export interface Variable<T = unknown> extends Documentation {
  readonly name: string
  /**
   * Checks the value, and has its default. Its description completes the sentence "<name> must be …", which is the whole
   * error message.
   */
  readonly schema: TSchema
  /** Never set: it carries the type of the value. */
  readonly [value]?: () => T
}

/** Declares a variable. */
export function variable<Schema extends TSchema>(
  name: string,
  schema: Schema,
  documentation: Documentation,
): Variable<ValueOf<Schema>> {
  return { name, schema, ...documentation }
}

/** An invalid value of a variable. The message is one line with the variable and what it must be, never the value. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly variable: string

  constructor(variable: string, reason: string) {
    super(`${variable} ${reason}.`)
    this.variable = variable
  }
}

/** Creates the error for a value that does not match the description of its variable; `where` names the wrong part. */
export function mustBe({ name, schema }: Variable, where?: string): ConfigurationError {
  const wanted = `must be ${schema.description}`
  return new ConfigurationError(name, where === undefined ? wanted : `${wanted}; ${where}`)
}

/**
 * Creates the error for a missing variable that is required outside development; `set` is a variable with a similar
 * name that is set instead.
 */
export function mustBeSet({ name, schema }: Variable, set?: string): ConfigurationError {
  const wanted = `must be set outside development: ${schema.description}`
  return new ConfigurationError(name, set === undefined ? wanted : `${wanted}. ${set} is set, but is not a setting`)
}

/** Creates the error for a variable that is set, or missing, without another one. */
export function mustBeSetWith({ name }: Variable, other: Variable): ConfigurationError {
  return new ConfigurationError(name, `must be set together with ${other.name}`)
}

/** Splits a comma-separated list; trims the items and drops empty ones. */
export function splitList(list: string): string[] {
  return list
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '')
}
