import { GatewayError } from '../../../../lib/errors/errors.ts'
import type { AccountSettings } from '../../../accounts/account.ts'
import { PLACE, settingOf } from '../../../definitions/places.ts'
import { compilePlace, type Scope, textOf } from './template.ts'

/** Where a connector's paths begin: without a slash at the end. */
export interface BaseUrl {
  readonly text: string
  readonly origin: string
  /** The path of it, empty where it has none. */
  readonly path: string
}

const HOST_LABELS =
  /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/

/** Makes what fills a base URL with an account's settings. It throws what `fillUrl` throws. */
export function compileBaseUrl(template: string): (settings: AccountSettings) => BaseUrl {
  if (template.includes('{')) return settings => baseOf(fillUrl(template, { args: {}, settings }))
  const constant = baseOf(new URL(template))
  return () => constant
}

/**
 * A URL with what its places stand for: in the host they must be plain labels, behind it each is percent-encoded whole.
 * Throws invalid_request for a value that is missing, or cannot stand where it is put.
 */
export function fillUrl(template: string, scope: Scope): URL {
  const [, host = '', rest = ''] = /^(https?:\/\/[^/?#]+)(.*)$/.exec(template) ?? []
  return new URL(fill(host, scope, asHost) + fill(rest, scope, asSegment))
}

function fill(template: string, scope: Scope, form: (place: string, value: string) => string): string {
  return template.replace(new RegExp(PLACE, 'g'), (_, place: string) => {
    const value = compilePlace(place)(scope)
    if (value === undefined || value === '') throw missingPlace(place)
    return form(place, textOf(value))
  })
}

function asHost(place: string, value: string): string {
  if (!HOST_LABELS.test(value)) throw wrongPlace(place, 'a plain host name')
  return value
}

function asSegment(place: string, value: string): string {
  if (value === '.' || value === '..') throw wrongPlace(place, 'a name')
  return encodeURIComponent(value.toWellFormed())
}

function baseOf({ origin, pathname }: URL): BaseUrl {
  const path = pathname.replace(/\/+$/, '')
  return { text: origin + path, origin, path }
}

/** The refusal of a request that misses what its URL needs: most often a setting of an account that has none. */
export function missingPlace(place: string): GatewayError {
  const setting = settingOf(place)
  const message =
    setting === undefined
      ? `There is no ${place} to ask with.`
      : `The account has no setting ${setting}. Connect it again with that setting.`
  return new GatewayError('invalid_request', message)
}

function wrongPlace(place: string, what: string): GatewayError {
  const setting = settingOf(place)
  return new GatewayError(
    'invalid_request',
    `The ${setting === undefined ? place : `setting ${setting}`} of the account is not ${what}. Connect it again with one that is.`,
  )
}
