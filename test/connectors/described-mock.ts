import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import qs from 'qs'
import type { Test } from 'tap'
import { answerIn, bodySchema, type Document, FORM, itemOf, reshape } from './description-document.ts'
import type { Departure, Description, SentRequest } from './descriptions.ts'
import { fitted, memberOf, type Schema } from './fit-schema.ts'
import { loadPrism, type PrismLogger, type PrismOperation } from './prism.ts'
import { trimmed } from './vendor-documents.ts'

/** The expected request and the next answer of a mock. */
interface Expectation {
  /** `GET /path` of the description. */
  operation: string
  departure: Departure | undefined
  /** The requested media type, if there are several. */
  accept: string | undefined
  /** Replaces the described answer. */
  instead?: { type: string; body: string }
  /** The answer if the description has none, or an incomplete one. */
  fallback: unknown
  /** Whether a described answer is sufficient; every one if absent. */
  suffices?: (answer: unknown) => boolean
}

/** The verdict of a mock about a request. */
interface Verdict {
  /** The violations that Prism reports. */
  violations: string[]
  /** Parts that the description does not know. Prism accepts them. */
  unknown: string[]
}

/** A provider on loopback that follows its description. */
export interface DescribedMock {
  url: string
  expect(expectation: Expectation): void
  /** The verdict about the last request. */
  verdict(): Verdict & { request: SentRequest }
  schemasOf(operation: string, accept?: string): OperationSchemas
}

/** The described parts of an operation. */
export interface OperationSchemas {
  body: Schema | undefined
  query: readonly { name: string; required: boolean; schema: Schema }[]
  answer: Schema | undefined
  secured: boolean
}

/** Serves operations of a description: validates each request against it and returns described answers. */
export async function describedMock(
  t: Test,
  description: Description,
  wanted: readonly string[],
): Promise<DescribedMock> {
  const found = trimmed(description.file, wanted, description.responseDepth)
  const document = (description.overlapping === undefined ? found : withoutOneOf(found)) as unknown as Document
  const forms = reshape(document, description)
  const { createInstance, getHttpOperationsFromSpec, makeAnswer } = loadPrism()
  const operations = await getHttpOperationsFromSpec(document)
  let expected: Expectation | undefined
  let last: (Verdict & { request: SentRequest }) | undefined
  const verdicts: { operation: PrismOperation; violations: string[] }[] = []
  const answers = new Map<string, unknown[]>()

  const validate: typeof makeAnswer = ({ resource, input }) => {
    verdicts.push({ operation: resource, violations: input.validations.map(({ message }) => message) })
    return () => ({ _tag: 'Right', right: { statusCode: 200 } })
  }
  const config = {
    checkSecurity: true,
    validateRequest: true,
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
    isProxy: false,
    mock: { dynamic: true },
  } as const
  const prism = createInstance(config, { logger: silent, mock: validate })

  async function verdictOf(request: SentRequest): Promise<Verdict> {
    const { method, path, query, headers, body } = request
    const outcome = await prism.request(
      { method: method.toLowerCase(), url: { path, query }, headers, body },
      operations,
    )()
    if (outcome._tag === 'Left') return { violations: [`${outcome.left.name}: ${outcome.left.message}`], unknown: [] }
    const { operation, violations } = verdicts.pop() ?? fail('Prism validated nothing')
    const name = `${operation.method.toUpperCase()} ${operation.path}`
    if (name !== expected?.operation) violations.push(`it is ${name}, not ${expected?.operation}`)
    return { violations, unknown: unknownParts(request) }
  }

  function unknownParts({ query, body }: SentRequest): string[] {
    const schemas = schemasOf(expected?.operation ?? '')
    const known = new Set(schemas.query.map(({ name }) => name))
    const members = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.keys(body) : []
    return [
      ...Object.keys(query)
        .filter(name => !known.has(name) && !known.has(name.replace(/\[.*$/, '')) && !SECURITY.includes(name))
        .map(name => `query.${name}`),
      ...members
        .filter(name => schemas.body !== undefined && memberOf(schemas.body, name) === undefined)
        .map(name => `body.${name}`),
    ]
  }

  function schemasOf(operation: string, accept?: string): OperationSchemas {
    const item = itemOf(document, operation)
    return {
      body: bodySchema(item),
      query: (item.parameters ?? [])
        .filter(parameter => parameter.in === 'query')
        .map(({ name, required = false, schema, ...rest }) => ({ name, required, schema: schema ?? (rest as Schema) })),
      answer: answerIn(item, accept)?.schema,
      secured: (item.security ?? document.security ?? []).length > 0,
    }
  }

  /** Converts a request to the description's terms, without the parts that it cannot know. */
  function prepare(request: SentRequest, sentBody: string): void {
    const type = request.headers['content-type'] ?? ''
    const operation = expected?.operation ?? ''
    const schema = bodySchema(itemOf(document, operation))
    // Prism's own form parser drops nested and unknown members.
    if (type.startsWith(FORM)) request.body = fitted(qs.parse(sentBody, { parseArrays: false, depth: 20 }), schema)
    else if (type.includes('json')) request.body = JSON.parse(sentBody)
    else if (sentBody !== '') request.body = sentBody
    if (description.loosely !== undefined) request.body = fitted(request.body, schema)
    if (type !== '' && forms.has(operation) === type.startsWith(FORM))
      request.headers['content-type'] = 'application/json'
    else if (type !== '' && description.loosely === undefined)
      request.headers['content-type'] = 'application/x-unexpected'
    // The described answers do not contain the provider's own media type.
    delete request.headers.accept
    description.translate?.(request)
    for (const part of expected?.departure?.unknown ?? []) leaveOut(request, part)
    for (const name of expected?.departure?.optional ?? []) request.query[name] ??= 'all'
    if (request.body === undefined) delete request.headers['content-length']
  }

  function answerOf(operation: string): unknown {
    const key = `${operation} ${expected?.accept}`
    const made = answers.get(key) ?? []
    answers.set(key, made)
    const resource = operations.find(({ method, path }) => `${method.toUpperCase()} ${path}` === operation)
    if (resource === undefined || made.length >= 3) return made[Math.floor(Math.random() * made.length)]
    const input = { data: { method: resource.method, url: { path: resource.path } }, validations: [] }
    const seed = `${operation} ${made.length}`
    const type = answerIn(itemOf(document, operation), expected?.accept)?.type
    const config = { dynamic: true, seed, ...(type !== undefined && { mediaTypes: [type] }) }
    const outcome = makeAnswer({ resource, input, config })(silent)
    made.push(outcome._tag === 'Right' ? outcome.right.body : undefined)
    return made.at(-1)
  }

  const server = createServer(async (incoming, response) => {
    const body = await text(incoming)
    const request = sentRequest(incoming)
    try {
      prepare(request, body)
      last = { ...(await verdictOf(request)), request }
    } catch (error) {
      last = { violations: [String(error)], unknown: [], request }
    }
    const described = answerOf(expected?.operation ?? '') ?? expected?.fallback ?? {}
    const { type, body: answer } = expected?.instead ?? {
      type: 'application/json',
      body: JSON.stringify(expected?.suffices?.(described) === false ? expected.fallback : described),
    }
    response.writeHead(last.violations.length === 0 ? 200 : 422, { 'content-type': type })
    response.end(answer)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise(resolve => server.close(resolve).closeAllConnections()))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    expect(expectation) {
      expected = expectation
      last = undefined
    },
    verdict() {
      if (last === undefined) throw new Error('No request came')
      return last
    },
    schemasOf,
  }
}

const SECURITY = ['key', 'token']

function fail(message: string): never {
  throw new Error(message)
}

function sentRequest({ method = '', url = '', headers }: IncomingMessage): SentRequest {
  const [path = '', search] = url.split('?')
  const query: SentRequest['query'] = {}
  for (const [name, value] of new URLSearchParams(search)) {
    const there = query[name]
    query[name] = there === undefined ? value : [there, value].flat()
  }
  const flat = Object.entries(headers).map(([name, value]) => [name, String(value)])
  return { method, path, query, headers: Object.fromEntries(flat), body: undefined }
}

function leaveOut(request: SentRequest, part: string): void {
  const [place, name] = part.split('.')
  if (place === 'body' && name === undefined) {
    request.body = undefined
    delete request.headers['content-type']
  } else if (place === 'body') delete (request.body as Record<string, unknown>)[name ?? '']
  else delete request.query[name ?? '']
}

const nothing = () => {}
const silent: PrismLogger = Object.assign(Object.create(null) as PrismLogger, {
  child: () => silent,
  ...Object.fromEntries(
    ['info', 'warn', 'error', 'success', 'debug', 'trace', 'fatal', 'note'].map(name => [name, nothing]),
  ),
})

/** Lets a value match several schemas. */
function withoutOneOf(document: object): unknown {
  return JSON.parse(JSON.stringify(document).replaceAll('"oneOf":', '"anyOf":'))
}
