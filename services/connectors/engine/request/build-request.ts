import { GatewayError } from '../../../../lib/errors/errors.ts'
import type { ConnectorDefinition } from '../../../definitions/define-connector.ts'
import type { HttpTool, RequestTemplate } from '../../../definitions/http-tool.ts'
import { compileBaseUrl } from './base-url.ts'
import { compileBody, encodeForm } from './body.ts'
import { compilePath } from './path.ts'
import { compileInterpolation, compileMembers, type Fill, type Scope } from './template.ts'

/** A request to a provider, without its credential. */
export interface BuiltRequest {
  readonly method: RequestTemplate['method']
  readonly url: URL
  /** By lower-case name. */
  readonly headers: Record<string, string>
  readonly body?: string | FormData
  /** The body, where it is form-encoded. */
  readonly form?: string
}

/**
 * Makes what builds the requests of a tool. It throws invalid_request, with a sentence, for an argument or a setting
 * that cannot stand where it is put: a request never leaves the path, nor the origin, that its connector declares.
 */
export function compileRequest(
  connector: Pick<ConnectorDefinition, 'baseUrl' | 'headers'>,
  { request, result }: Pick<HttpTool, 'request' | 'result'>,
): (scope: Scope) => BuiltRequest {
  const base = compileBaseUrl(connector.baseUrl)
  const path = compilePath(request.path)
  const query = request.query === undefined ? undefined : compileMembers(request.query)
  const body = request.body === undefined ? undefined : compileBody(request.body)
  const headers = compileHeaders({
    accept: result.kind === 'pick' ? 'application/json' : '*/*',
    ...lowerCased(connector.headers),
    ...lowerCased(request.headers),
  })

  return function build(scope) {
    const { text, origin, path: basePath } = base(scope.settings)
    const filledPath = path(scope)
    const url = new URL(text + filledPath)
    // What each part promises by itself, of the whole: no value has changed where the request goes.
    if (url.origin !== origin || url.pathname !== basePath + filledPath || url.search !== '' || url.hash !== '')
      throw new GatewayError('invalid_request', 'These arguments would lead to another path. Correct them.')
    if (query !== undefined) url.search = encodeForm(withoutNulls(query(scope)), 'repeat')
    const built = body?.(scope)
    return {
      method: request.method,
      url,
      headers: { ...headers(scope), ...(built?.type !== undefined && { 'content-type': built.type }) },
      ...(built !== undefined && { body: built.content }),
      ...(built?.form !== undefined && { form: built.form }),
    }
  }
}

/** Makes what fills headers, by lower-case name; one that misses an argument or a setting is left out. It throws invalid_request. */
export function compileHeaders(
  declared: Readonly<Record<string, string>>,
): (scope: Scope) => Readonly<Record<string, string>> {
  const headers = lowerCased(declared)
  const constant: Record<string, string> = {}
  const varying: [name: string, fill: Fill<string>][] = []
  for (const [name, value] of Object.entries(headers))
    if (value.includes('{')) varying.push([name, compileInterpolation(value)])
    else constant[name] = value
  if (varying.length === 0) return () => constant
  return function fill(scope) {
    const filled = { ...constant }
    for (const [name, fillValue] of varying) {
      const value = fillValue(scope)
      if (value !== undefined) filled[name] = headerValue(name, value)
    }
    return filled
  }
}

/** A field value as RFC 9110, 5.5 lets it be, less what clients cannot send. */
function headerValue(name: string, value: string): string {
  if (/^[\t\x20-\x7e]*$/.test(value)) return value
  throw new GatewayError('invalid_request', `The value for the header ${name} has line breaks or letters beyond ASCII.`)
}

function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function withoutNulls(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}
