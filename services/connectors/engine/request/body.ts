import { stringify } from 'qs'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import { fileName } from '../../../artifacts/file-name.ts'
import type { BodyTemplate, FilePart, Template } from '../../../definitions/http-tool.ts'
import { compileMembers, compileTemplate, type Fill, type Scope, textOf } from './template.ts'

/** A body with the type it is sent as; none for multipart, whose boundary the client makes. */
export interface BuiltBody {
  readonly content: string | FormData
  readonly type?: string
  /** The same content, where it is form-encoded: OAuth 1.0a signs it. */
  readonly form?: string
}

/** Makes what fills the body of a tool. */
export function compileBody(template: BodyTemplate): (scope: Scope) => BuiltBody {
  if ('json' in template) return compileJson(template.json)
  if ('form' in template) return compileForm(template.form)
  if ('multipart' in template) return compileMultipart(template.multipart)
  const variables = compileMembers(template.variables ?? {})
  // The document is JSON already when the tool is compiled.
  const head = `{"query":${JSON.stringify(template.graphql)},"variables":`
  return scope => ({ content: `${head}${JSON.stringify(variables(scope))}}`, type: 'application/json' })
}

/** Members as a query or a form: nested ones as `a[b]`, items as `a[0]` or repeated; RFC 3986 encoding. */
export function encodeForm(members: Readonly<Record<string, unknown>>, items: 'indices' | 'repeat'): string {
  return stringify(members, {
    arrayFormat: items,
    // A lone surrogate has no UTF-8.
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

/** Strict, unlike Buffer: what is no base64 would be stored as something else. */
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
