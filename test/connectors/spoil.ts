import type { OperationSchemas } from './described-mock.ts'
import { FORM } from './description-document.ts'
import type { Departure } from './descriptions.ts'
import { memberOf, type Schema, typesOf } from './fit-schema.ts'

/** A request that a description must reject, and what is wrong with it. */
interface Spoiled extends RequestInit {
  url: string
  what: string
}

type Request = RequestInit & { url: string }

/**
 * Returns the same request with one fault. It proves that the validation works, because Prism ignores schemas that it
 * cannot compile. The fault is in the body, else in the query, the credential or the path.
 */
export function spoiled(request: Request, schemas: OperationSchemas, departure: Departure | undefined): Spoiled {
  const bodyless = schemas.body === undefined || departure?.unknown?.includes('body')
  return (
    (bodyless ? undefined : spoiledBody(request, schemas.body ?? {}, departure)) ??
    spoiledQuery(request, schemas, departure) ??
    withoutCredential(request, schemas) ?? { ...request, url: elsewhere(request.url), what: 'goes to another path' }
  )
}

function spoiledBody(request: Request, schema: Schema, departure: Departure | undefined): Spoiled | undefined {
  if (typeof request.body !== 'string') return undefined
  const form = typeOf(request).startsWith(FORM)
  const sent = form ? [...new URLSearchParams(request.body).keys()] : Object.keys(JSON.parse(request.body) as object)
  const [lost] = (schema.required ?? []).filter(name => sent.includes(name))
  if (lost !== undefined) return { ...request, ...withoutMember(request, lost, form), what: `has no ${lost}` }
  const names = [...sent, ...Object.keys(schema.properties ?? {})]
  const wrong = names.find(name => isScalar(memberOf(schema, name)) && !departure?.unknown?.includes(`body.${name}`))
  if (wrong === undefined) return form ? undefined : withText(request, schema, names)
  const what = `has an object for ${wrong}`
  if (!form) return { ...request, body: JSON.stringify({ ...parsed(request), [wrong]: { no: 'such' } }), what }
  const body = new URLSearchParams(request.body)
  body.delete(wrong)
  body.append(`${wrong}[no]`, 'such')
  return { ...request, body: body.toString(), what }
}

function withText(request: Request, schema: Schema, names: readonly string[]): Spoiled | undefined {
  const wrong = names.find(name => ['object', 'array'].includes(typesOf(memberOf(schema, name)).join()))
  if (wrong === undefined) return undefined
  const body = JSON.stringify({ ...parsed(request), [wrong]: 'no such value' })
  return { ...request, body, what: `has a text for ${wrong}` }
}

function withoutMember(request: Request, name: string, form: boolean): RequestInit {
  if (!form) {
    const { [name]: _, ...rest } = parsed(request)
    return { body: JSON.stringify(rest) }
  }
  const body = new URLSearchParams(String(request.body))
  for (const key of [...body.keys()]) if (key === name || key.startsWith(`${name}[`)) body.delete(key)
  return { body: body.toString() }
}

function spoiledQuery(
  request: Request,
  { query }: OperationSchemas,
  departure: Departure | undefined,
): Spoiled | undefined {
  const url = new URL(request.url)
  const lost = query.find(({ name, required }) => required && !departure?.optional?.includes(name))
  if (lost !== undefined) {
    url.searchParams.delete(lost.name)
    return { ...request, url: url.href, what: `has no ${lost.name}` }
  }
  const typed = query.find(({ schema }) => typesOf(schema).some(type => type === 'integer' || type === 'boolean'))
  if (typed === undefined) return undefined
  url.searchParams.set(typed.name, 'no such value')
  return { ...request, url: url.href, what: `has a text for ${typed.name}` }
}

function withoutCredential(request: Request, { secured }: OperationSchemas): Spoiled | undefined {
  if (!secured) return undefined
  const { authorization: _, ...headers } = request.headers as Record<string, string>
  return { ...request, headers, what: 'has no credential' }
}

function elsewhere(url: string): string {
  const other = new URL(url)
  other.pathname = '/no/such/path/at/all/of/any/description'
  return other.href
}

function parsed({ body }: Request): Record<string, unknown> {
  return JSON.parse(String(body)) as Record<string, unknown>
}

function typeOf({ headers }: Request): string {
  return (headers as Record<string, string>)['content-type'] ?? ''
}

function isScalar(schema: Schema | undefined): boolean {
  const types = typesOf(schema)
  return types.length > 0 && types.every(type => ['string', 'integer', 'number', 'boolean'].includes(type))
}
