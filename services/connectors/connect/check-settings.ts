import { type TObject, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { ConnectorDefinition } from '../../definitions/define-connector.ts'

type Settings = Readonly<Record<string, string>>

const NONE: TObject = Type.Object({})

/** Characters of a setting at most, whatever the connector says. */
const MAX_SETTING = 1024

/**
 * The settings of an account that is to be: what the member says, over what the account has already. Throws
 * invalid_request for what the connector does not take; what it finds out by itself may be missing.
 */
export function settingsOf(
  { name, settings: schema = NONE }: Pick<ConnectorDefinition, 'name' | 'settings'>,
  given: Settings,
  before: Settings = {},
): Settings {
  const known = Object.keys(schema.properties)
  const unknown = Object.keys(given).find(setting => !known.includes(setting))
  if (unknown !== undefined)
    throw new GatewayError(
      'invalid_request',
      `${name} has no setting ${unknown}. ${known.length === 0 ? 'It takes none.' : `It has: ${known.join(', ')}.`}`,
    )
  const unfit = Object.keys(given).find(setting => !isPlain(given[setting] ?? '', MAX_SETTING))
  if (unfit !== undefined)
    throw new GatewayError('invalid_request', `The setting ${unfit} is one line of at most ${MAX_SETTING} characters.`)
  const settings = { ...before, ...given }
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

/**
 * Settings that the provider itself has named, once they are what the connector says of them: requests are made of them.
 * Throws connect_failed.
 */
export function requireValidSettings(
  { name, settings: schema = NONE }: Pick<ConnectorDefinition, 'name' | 'settings'>,
  found: Settings,
): Settings {
  const wrong = Object.entries(found).find(([setting, value]) => {
    const declared = schema.properties[setting]
    return !isPlain(value, MAX_SETTING) || (declared !== undefined && !Value.Check(declared, value))
  })
  if (wrong !== undefined)
    throw new GatewayError(
      'connect_failed',
      `${name} answered with a ${wrong[0]} that cannot be one. Nothing was connected; tell who runs this gateway.`,
    )
  return found
}

/** Whether a text of somebody else's can be kept as it is: there is some, no more than this, and none of it is a control character. */
export function isPlain(text: string, length: number): boolean {
  return text.length <= length && text.trim() !== '' && text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
}
