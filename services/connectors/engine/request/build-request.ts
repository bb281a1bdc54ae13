import { stringify } from 'qs'
import type { StreamedBody } from '../../../../lib/egress/egress.ts'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import type { ConnectorDefinition } from '../../../definitions/connector-types.ts'
import { hasFile, isFilePart } from '../../../definitions/file-argument.ts'
import type { BodyTemplate, FilePart, HttpTool } from '../../../definitions/http-tool-types.ts'
import { isUrlPlace } from '../../../definitions/placeholders.ts'
import type { Template } from '../../../definitions/template.ts'
import { FileValue, jsonBody, multipartBody, type NamedFile, rawBody } from './files.ts'
import { compileBaseUrl, compilePath, urlBelow } from './fill-url.ts'
import { compileInterpolation, compileMembers, compileTemplate, type Fill, type Scope, textOf } from './template.ts'

/** A request to a provider, without its credential. */
export interface PreparedRequest {
  readonly method: string
  readonly url: URL
  /** By lower-case name. */
  readonly headers: Record<string, string>
  readonly body?: string | Uint8Array | StreamedBody
  /** The body, if it is form-encoded. */
  readonly form?: string
  /** The texts of a multipart body, form-encoded. */
  readonly fields?: string
  /** Whether its host answers in XML. */
  readonly xml?: true
  /** Whether its host must not receive the credential. */
  readonly anonymous?: true
}

/**
 * Compiles the request of a tool. The result throws invalid_request for an argument or a setting that its position
 * cannot contain: a request never leaves the path and the origin of its connector.
 */
export function compileRequest(
  connector: Pick<ConnectorDefinition, 'baseUrl' | 'hosts' | 'headers'>,
  { input, request, result, pagination }: Pick<HttpTool, 'input' | 'request' | 'result' | 'pagination'>,
): (scope: Scope) => PreparedRequest {
  const host = request.host === undefined ? undefined : connector.hosts?.[request.host]
  const base = compileBaseUrl(host?.url ?? connector.baseUrl)
  const given = isUrlPlace(request.path) ? compileTemplate(request.path) : undefined
  const firstPath = given === undefined ? compilePath(request.path) : () => ''
  const nextPath = pagination !== undefined && 'nextPath' in pagination ? compilePath(pagination.nextPath) : undefined
  const query = request.query === undefined ? undefined : compileMembers(request.query)
  const body = request.body === undefined ? undefined : compileBody(request.body, hasFile(input))
  const usual = compileHeaders({
    accept: result.kind === 'pick' ? 'application/json' : '*/*',
    ...lowerCased(connector.headers),
  })
  const own = compileHeaders(request.headers ?? {})
  // A header of the request that is left out leaves the usual one.
  const headers = (scope: Scope) => ({ ...usual(scope), ...own(scope) })

  return function build(scope) {
    const { text, origin, path: basePath } = base(scope.settings)
    const next = scope.args.cursor === undefined ? undefined : nextPath
    const filledPath = (next ?? firstPath)(scope)
    const url = given === undefined ? new URL(text + filledPath) : urlBelow({ origin, path: basePath }, given(scope))
    // A second check of the whole URL: no value changed where the request goes.
    if (
      given === undefined &&
      (url.origin !== origin || url.pathname !== basePath + filledPath || url.search !== '' || url.hash !== '')
    )
      throw new GatewayError('invalid_request', 'These arguments would lead to another path. Correct them.')
    if (query !== undefined && next === undefined) url.search = encodeForm(withoutNulls(query(scope)), 'repeat')
    const built = body?.(scope)
    return {
      method: request.method,
      url,
      headers: { ...headers(scope), ...(built !== undefined && { 'content-type': built.type }) },
      ...(built !== undefined && { body: built.content }),
      ...(built?.form !== undefined && { form: built.form }),
      ...(built?.fields !== undefined && { fields: built.fields }),
      ...(host?.answers === 'xml' && { xml: true }),
      ...(host?.credential === false && { anonymous: true }),
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

/** A body with its content type. */
interface BuiltBody {
  readonly content: string | Uint8Array | StreamedBody
  readonly type: string
  /** The same content, if it is form-encoded: OAuth 1.0a signs it. */
  readonly form?: string
  /** The texts of a multipart body, form-encoded: some providers sign them too. */
  readonly fields?: string
}

/** Compiles the body of a request. The scope of a tool with file arguments has their FileValues. */
export function compileBody(template: BodyTemplate, withFiles = false): (scope: Scope) => BuiltBody {
  if ('json' in template) return compileJson(template.json, withFiles ? jsonBody : JSON.stringify)
  if ('raw' in template) return compileRaw(template.raw)
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

function compileJson(
  template: Template,
  serialize: (value: unknown) => BuiltBody['content'],
): (scope: Scope) => BuiltBody {
  const fill = isObject(template) ? compileMembers(template) : compileTemplate(template)
  return function build(scope) {
    const value = fill(scope)
    return { content: serialize(value === undefined ? {} : value), type: 'application/json' }
  }
}

function compileRaw(template: string | FilePart): (scope: Scope) => BuiltBody {
  const fill = compileFile(isFilePart(template) ? template : { $file: { content: template } })
  return function build(scope) {
    const file = fill(scope)
    return file === undefined ? { content: '', type: 'application/octet-stream' } : rawBody(file)
  }
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
    const filled: (readonly [string, string | NamedFile])[] = []
    for (const [name, part] of parts) {
      const value = part(scope)
      if (value === undefined) continue
      if (isNamedFile(value)) filled.push([name, value])
      else for (const item of Array.isArray(value) ? value : [value]) filled.push([name, textOf(item)])
    }
    return multipartBody(filled)
  }
}

function compileFile({ $file }: FilePart): Fill<NamedFile> {
  const content = compileTemplate($file.content)
  const name = compileTemplate($file.name ?? '')
  const type = compileTemplate($file.type ?? '')
  return function fill(scope) {
    const file = content(scope)
    if (!(file instanceof FileValue)) return undefined
    return { file, name: textOf(name(scope) ?? '') || undefined, type: textOf(type(scope) ?? '') || undefined }
  }
}

function isNamedFile(value: unknown): value is NamedFile {
  return typeof value === 'object' && value !== null && 'file' in value && value.file instanceof FileValue
}

function isObject(template: Template): template is { readonly [name: string]: Template } {
  return (
    typeof template === 'object' &&
    template !== null &&
    !Array.isArray(template) &&
    !Object.keys(template).some(name => name.startsWith('$'))
  )
}
