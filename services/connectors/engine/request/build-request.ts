import { stringify } from 'qs'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import { fileName } from '../../../artifacts/artifact.ts'
import type { ConnectorDefinition } from '../../../definitions/define-connector.ts'
import type { BodyTemplate, FilePart, HttpTool, Template } from '../../../definitions/http-tool.ts'
import { compileBaseUrl, compilePath } from './fill-url.ts'
import { compileInterpolation, compileMembers, compileTemplate, type Fill, type Scope, textOf } from './template.ts'

/** A request to a provider, without its credential. */
export interface PreparedRequest {
  readonly method: string
  readonly url: URL
  /** By lower-case name. */
  readonly headers: Record<string, string>
  readonly body?: string | FormData
  /** The body, if it is form-encoded. */
  readonly form?: string
}

/**
 * Compiles the request of a tool. The result throws invalid_request for an argument or a setting that its position
 * cannot contain: a request never leaves the path and the origin of its connector.
 */
export function compileRequest(
  connector: Pick<ConnectorDefinition, 'baseUrl' | 'headers'>,
  { request, result }: Pick<HttpTool, 'request' | 'result'>,
): (scope: Scope) => PreparedRequest {
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
    // A second check of the whole URL: no value changed where the request goes.
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

/**
 * Compiles headers, by lower-case name. A header with a missing argument or setting is left out. Throws
 * invalid_request.
 */
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

/** Allows the characters of RFC 9110, section 5.5, that clients can send. */
function headerValue(name: string, value: string): string {
  if (/^[\t\x20-\x7e]*$/.test(value)) return value
  throw new GatewayError(
    'invalid_request',
    `The value for the header ${name} contains line breaks or non-ASCII characters. Remove them.`,
  )
}

function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function withoutNulls(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}

/** A body with its content type; absent for multipart, whose boundary the HTTP client creates. */
interface BuiltBody {
  readonly content: string | FormData
  readonly type?: string
  /** The same content, if it is form-encoded: OAuth 1.0a signs it. */
  readonly form?: string
}

/** Compiles the body of a tool. */
export function compileBody(template: BodyTemplate): (scope: Scope) => BuiltBody {
  if ('json' in template) return compileJson(template.json)
  if ('form' in template) return compileForm(template.form)
  if ('multipart' in template) return compileMultipart(template.multipart)
  const variables = compileMembers(template.variables ?? {})
  // The document is serialized once, when the tool is compiled.
  const head = `{"query":${JSON.stringify(template.graphql)},"variables":`
  return scope => ({ content: `${head}${JSON.stringify(variables(scope))}}`, type: 'application/json' })
}

/** Encodes members as a query or a form: nested ones as `a[b]`, items as `a[0]` or repeated, with RFC 3986 encoding. */
function encodeForm(members: Readonly<Record<string, unknown>>, items: 'indices' | 'repeat'): string {
  return stringify(members, {
    arrayFormat: items,
    // A lone surrogate cannot be encoded as UTF-8.
    encoder: (value, encode) => encode(typeof value === 'string' ? value.toWellFormed() : value),
  })
}

function compileJson(template: Template): (scope: Scope) => BuiltBody {
  const fill = isObject(template) ? compileMembers(template) : compileTemplate(template)
  return scope => ({ content: JSON.stringify(fill(scope) ?? {}), type: 'application/json' })
}

function compileForm(template: Readonly<Record<string, Template>>): (scope: Scope) => BuiltBody {
  const fill = compileMembers(template)
  return function build(scope) {
    const form = encodeForm(fill(scope), 'indices')
    return { content: form, type: 'application/x-www-form-urlencoded', form }
  }
}

function compileMultipart(template: Readonly<Record<string, Template | FilePart>>): (scope: Scope) => BuiltBody {
  const parts = Object.entries(template).map(
    ([name, part]) => [name, isFilePart(part) ? compileFile(part) : compileTemplate(part)] as const,
  )
  return function build(scope) {
    const content = new FormData()
    for (const [name, part] of parts) {
      const value = part(scope)
      if (value === undefined) continue
      if (value instanceof File) content.append(name, value)
      else for (const item of Array.isArray(value) ? value : [value]) content.append(name, textOf(item))
    }
    return { content }
  }
}

function compileFile({ $file }: FilePart): Fill<File> {
  const content = compileTemplate($file.content)
  const name = compileTemplate($file.name)
  const encoding = compileTemplate($file.encoding ?? 'text')
  return function fill(scope) {
    const text = content(scope)
    if (text === undefined) return undefined
    const bytes = encoding(scope) === 'base64' ? fromBase64(textOf(text)) : textOf(text)
    return new File([bytes], fileName(textOf(name(scope) ?? '')))
  }
}

/** Strict, unlike Buffer, which would decode invalid base64 to something else. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const compact = text.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/')
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}={0,2})?$/.test(compact))
    throw new GatewayError('invalid_request', 'The content of the file is not base64. Encode it, or send it as text.')
  return new Uint8Array(Buffer.from(compact, 'base64'))
}

function isFilePart(part: Template | FilePart): part is FilePart {
  return typeof part === 'object' && part !== null && '$file' in part
}

function isObject(template: Template): template is { readonly [name: string]: Template } {
  return typeof template === 'object' && template !== null && !Array.isArray(template) && !('$join' in template)
}
