import { GatewayError } from '../../../../lib/errors/errors.ts'
import type { AccountSettings } from '../../../accounts/account.ts'
import { isHostLabels, PATH_PLACEHOLDER, PLACEHOLDER, settingOf } from '../../../definitions/placeholders.ts'
import { compilePlaceholder, type Fill, type Scope, textOf } from './template.ts'

/** The start of a connector's paths, without a trailing slash. */
interface BaseUrl {
  readonly text: string
  readonly origin: string
  /** The path of the base URL; empty if it has none. */
  readonly path: string
}

/** Compiles a base URL with an account's settings. The result throws what `fillUrl` throws. */
export function compileBaseUrl(template: string): (settings: AccountSettings) => BaseUrl {
  if (template.includes('{')) return settings => baseOf(fillUrl(template, { args: {}, settings }))
  const constant = baseOf(new URL(template))
  return () => constant
}

/**
 * Fills the placeholders of a URL. Values in the host must be host labels, or the `https` URL of a host; other values are percent-encoded as a whole.
 * Throws invalid_request for a missing or invalid value.
 */
export function fillUrl(template: string, scope: Scope): URL {
  const [, host = '', rest = ''] = /^(https?:\/\/[^/?#]+)(.*)$/.exec(template) ?? []
  return new URL(fill(host, scope, asHost) + fill(rest, scope, asSegment))
}

function fill(template: string, scope: Scope, form: (place: string, value: string) => string): string {
  return template.replace(new RegExp(PLACEHOLDER, 'g'), (_, place: string) => {
    const value = compilePlaceholder(place)(scope)
    if (value === undefined || value === '') throw missingValue(place)
    return form(place, textOf(value))
  })
}

function asHost(place: string, value: string): string {
  // Some token answers have the URL of the host, and people copy it from a browser.
  const host = value.replace(/^https:\/\/([^/]*)\/?$/, '$1')
  if (!isHostLabels(host)) throw invalidValue(place, 'a plain host name')
  return host
}

function asSegment(place: string, value: string): string {
  if (value === '.' || value === '..') throw invalidValue(place, 'a valid path segment')
  return encodeURIComponent(value.toWellFormed())
}

function baseOf({ origin, pathname }: URL): BaseUrl {
  const path = pathname.replace(/\/+$/, '')
  return { text: origin + path, origin, path }
}

/** Parses a URL that the provider gave. Throws upstream_rejected unless it is below the base: it decides where data goes. */
export function urlBelow({ origin, path }: Pick<BaseUrl, 'origin' | 'path'>, text: unknown): URL {
  const url = typeof text === 'string' ? URL.parse(text) : null
  const below = url?.origin === origin && `${url.pathname}/`.startsWith(`${path}/`)
  if (url !== null && below && url.username === '' && url.password === '') return url
  throw new GatewayError(
    'upstream_rejected',
    'The provider returned a URL outside its known hosts, so nothing was sent there. Ask the operator to check CONNECTOR_OVERRIDES.',
  )
}

/** The error for a missing value of a URL, usually a setting of the account. */
function missingValue(place: string): GatewayError {
  const setting = settingOf(place)
  const message =
    setting === undefined
      ? `The request needs ${place}, which is missing.`
      : `The account has no setting ${setting}. Connect it again with that setting.`
  return new GatewayError('invalid_request', message)
}

function invalidValue(place: string, what: string): GatewayError {
  const setting = settingOf(place)
  return new GatewayError(
    'invalid_request',
    `The ${setting === undefined ? place : `setting ${setting}`} of the account is not ${what}. Connect it again with a valid one.`,
  )
}

/**
 * Compiles the path of a tool. Each value is percent-encoded as a whole; `{+name}` keeps slashes. The result throws
 * invalid_request for a value that would lead to another path: empty, `.` or `..`.
 */
export function compilePath(template: string): (scope: Scope) => string {
  const parts = template.split(PATH_PLACEHOLDER)
  // Literal texts are at the even indexes, placeholder names between them.
  const fills = parts.map((part, index) => (index % 2 === 0 ? part : compilePart(part)))
  return scope => fills.map(part => (typeof part === 'string' ? part : part(scope))).join('')
}

function compilePart(place: string): Fill<string> {
  const rest = place.startsWith('+')
  const name = rest ? place.slice(1) : place
  const read = compilePlaceholder(name)
  return function fill(scope) {
    const value = read(scope)
    // An absent optional rest of a path means the root.
    if (value === undefined && rest) return ''
    if (value === undefined) throw settingOf(name) === undefined ? invalidArgument(name, 'missing') : missingValue(name)
    if (typeof value === 'object') throw invalidArgument(name, 'not a text')
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
  if (text === '') throw invalidArgument(name, 'empty, or begins or ends with a slash, or has two in a row')
  if (text === '.' || text === '..') throw invalidArgument(name, '“.” or “..”, which would lead to another path')
  return encodeURIComponent(text.toWellFormed())
}

function invalidArgument(name: string, why: string): GatewayError {
  return new GatewayError('invalid_request', `The argument ${name} is ${why}. Correct it, then retry.`)
}
