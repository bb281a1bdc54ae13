import { type TObject, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { ConnectorDefinition } from '../../definitions/connector-types.ts'

type Settings = Readonly<Record<string, string>>

const NONE: TObject = Type.Object({})

/** The maximum length of a setting in characters, regardless of the connector's schema. */
const MAX_SETTING = 1024

/**
 * Merges the settings that the member gives into those that the account already has, and those into the defaults.
 * Settings that the connector discovers may be missing. Throws invalid_request for settings that the connector does not accept.
 */
export function mergeSettings(
  { name, settings: schema = NONE }: Pick<ConnectorDefinition, 'name' | 'settings'>,
  given: Settings,
  before: Settings = {},
): Settings {
  const known = Object.keys(schema.properties)
  const unknown = Object.keys(given).find(setting => !known.includes(setting))
  if (unknown !== undefined)
    throw new GatewayError(
      'invalid_request',
      `${name} has no setting ${unknown}. ${known.length === 0 ? 'It has no settings.' : `It has: ${known.join(', ')}.`}`,
    )
  const invalid = Object.keys(given).find(setting => !isPlainLine(given[setting] ?? '', MAX_SETTING))
  if (invalid !== undefined)
    throw new GatewayError(
      'invalid_request',
      `The setting ${invalid} must be one line of at most ${MAX_SETTING} characters.`,
    )
  const settings = { ...defaultsOf(schema), ...before, ...given }
  const declared = Object.fromEntries(Object.entries(settings).filter(([setting]) => known.includes(setting)))
  const wrong = Value.Errors(schema, declared).First()
  if (wrong === undefined) return settings
  const setting = wrong.path.slice(1)
  const about = schema.properties[setting]?.description
  throw new GatewayError(
    'invalid_request',
    `${name} needs the setting ${setting}${about === undefined ? '' : ` (${about})`}: ${wrong.message.toLowerCase()}.`,
  )
}

function defaultsOf({ properties }: TObject): Settings {
  const defaults = Object.entries(properties).map(([setting, schema]) => [setting, schema.default] as const)
  return Object.fromEntries(defaults.filter(([, value]) => value !== undefined))
}

/** Checks settings that came from the provider, because they become part of requests. Throws connect_failed. */
export function requireValidSettings(
  { name, settings: schema = NONE }: Pick<ConnectorDefinition, 'name' | 'settings'>,
  found: Settings,
): Settings {
  const wrong = Object.entries(found).find(([setting, value]) => {
    const declared = schema.properties[setting]
    return !isPlainLine(value, MAX_SETTING) || (declared !== undefined && !Value.Check(declared, value))
  })
  if (wrong !== undefined)
    throw new GatewayError(
      'connect_failed',
      `${name} answered with an invalid ${wrong[0]}. Nothing was connected. Report this to the operator of this gateway.`,
    )
  return found
}

/** Whether a text from outside can be stored as one line: not blank, not too long, without control characters. */
export function isPlainLine(text: string, length: number): boolean {
  return text.length <= length && text.trim() !== '' && text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
}
