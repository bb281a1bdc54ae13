import { GatewayError } from '../../../../lib/errors/errors.ts'
import type { AccountSettings } from '../../../accounts/account.ts'
import { PATH_PLACE, PLACE, settingOf } from '../../../definitions/placeholders.ts'
import { compilePlace, type Fill, type Scope, textOf } from './template.ts'

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

/**
 * Makes what fills the path of a tool. Each value is percent-encoded whole; `{+name}` keeps slashes. It throws
 * invalid_request for a value that would be another path: empty, `.` or `..`.
 */
export function compilePath(template: string): (scope: Scope) => string {
  const parts = template.split(PATH_PLACE)
  // Texts stand at the even indexes, the names of places between them.
  const fills = parts.map((part, index) => (index % 2 === 0 ? part : compilePart(part)))
  return scope => fills.map(part => (typeof part === 'string' ? part : part(scope))).join('')
}

function compilePart(place: string): Fill<string> {
  const rest = place.startsWith('+')
  const name = rest ? place.slice(1) : place
  const read = compilePlace(name)
  return function fill(scope) {
    const value = read(scope)
    // A path that may go on, and does not: the root of what it stands in.
    if (value === undefined && rest) return ''
    if (value === undefined) throw settingOf(name) === undefined ? refused(name, 'missing') : missingPlace(name)
    if (typeof value === 'object') throw refused(name, 'not a text')
    const text = String(value)
    return rest ? encodeSegments(name, text) : encodeSegment(name, text)
  }
}

function encodeSegments(name: string, text: string): string {
  return text
    .split('/')
    .map(segment => encodeSegment(name, segment))
    .join('/')
}

function encodeSegment(name: string, text: string): string {
  if (text === '') throw refused(name, 'empty, or begins or ends with a slash, or has two in a row')
  if (text === '.' || text === '..') throw refused(name, '“.” or “..”, which would be another path')
  return encodeURIComponent(text.toWellFormed())
}

function refused(name: string, why: string): GatewayError {
  return new GatewayError('invalid_request', `The argument ${name} is ${why}. Correct it, then try again.`)
}
