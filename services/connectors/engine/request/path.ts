import { GatewayError } from '../../../../lib/errors/errors.ts'
import { PATH_PLACE, settingOf } from '../../../definitions/places.ts'
import { missingPlace } from './base-url.ts'
import { compilePlace, type Fill, type Scope } from './template.ts'

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
