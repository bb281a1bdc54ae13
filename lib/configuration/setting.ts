import type { TSchema } from '@sinclair/typebox'
import {
  type ConfigurationError,
  type Documentation,
  mustBe,
  type ValueOf,
  type Variable,
  variable,
} from './variable.ts'

/** What the parser of a setting can read. */
export interface Reading {
  /** The value of a variable, or of another setting. Throws the fault of an invalid one, which is reported once. */
  read<T>(source: Variable<T>): T
  read<T>(source: Setting<T>): T
  /**
   * The value of a variable that only development can do without. Elsewhere, its absence is thrown, or returned where a
   * command may never use it.
   */
  required(source: Variable<string | undefined>): string | undefined | ConfigurationError
  /** The names of all variables that are set. */
  readonly names: readonly string[]
}

/** A setting: the variables that it adds, and how it is made of them. */
export interface Setting<T = unknown> {
  readonly variables: readonly Variable[]
  parse(reading: Reading): T
  /** What the log redacts. */
  secrets?(value: T): readonly string[]
  /** What the start warns about once. */
  warnings?(value: T, reading: Reading): readonly string[]
}

interface Options<Schema extends TSchema, T> extends Documentation, Pick<Setting<T>, 'secrets'> {
  /** From the valid value of the variable to the setting; `wrong` is for what the schema cannot check. */
  to?(value: ValueOf<Schema>, reading: Reading & { wrong(where?: string): ConfigurationError }): T
}

/** Declares a setting of one variable. */
export function setting<Schema extends TSchema, T = ValueOf<Schema>>(
  name: string,
  schema: Schema,
  { to, secrets, ...documentation }: Options<Schema, T>,
): Setting<T> {
  const source = variable(name, schema, documentation)
  return {
    variables: [source],
    ...(secrets && { secrets }),
    parse(reading) {
      const value = reading.read(source)
      if (to === undefined) return value as T
      return to(value, { ...reading, wrong: where => mustBe(source, where) })
    },
  }
}

/** Declares a setting of several variables, or one that depends only on other settings. */
export function settingOf<T>(
  variables: readonly Variable[],
  parse: (reading: Reading) => T,
  others: Pick<Setting<T>, 'secrets' | 'warnings'> = {},
): Setting<T> {
  return { variables, parse, ...others }
}

/** A table of settings by name. */
export type SettingsTable = Readonly<Record<string, Setting>>

/** The settings of a table. */
export type SettingsOf<Table extends SettingsTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer T> ? T : never
}

/** The variables of a table, in the order in which faults and docs/configuration.md list them. */
export function variablesOf(table: SettingsTable): readonly Variable[] {
  return Object.values(table).flatMap(({ variables }) => variables)
}

/** The secrets in the settings of a table, for the log. */
export function secretsOf<Table extends SettingsTable>(
  table: Table,
  settings: Partial<Readonly<Record<keyof Table, unknown>>>,
): readonly string[] {
  return Object.entries(table).flatMap(([name, { secrets }]) => {
    const value = settings[name]
    return secrets === undefined || value === undefined ? [] : secrets(value)
  })
}
