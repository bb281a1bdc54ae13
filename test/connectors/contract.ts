import type { Arbitrary } from 'fast-check'
import type { Test } from 'tap'
import { GatewayError } from '../../lib/errors/errors.ts'
import { writeCursor } from '../../services/connectors/engine/pagination.ts'
import { itemPlaces } from '../../services/connectors/engine/request/template.ts'
import type { ToolRunner } from '../../services/definitions/connector-tool.ts'
import type { ConnectorDefinition } from '../../services/definitions/connector-types.ts'
import type { HttpTool } from '../../services/definitions/http-tool-types.ts'
import { readPointer } from '../../services/definitions/placeholders.ts'
import { keptPlaces, toolOfStep } from '../../services/definitions/step.ts'
import { CONNECTORS } from '../../tools/connectors/catalog.ts'
import fc from '../fixtures/property.ts'
import { accessTo, engine } from '../services/connectors/connector-engine-fixture.ts'
import { argumentsOf } from './arbitrary.ts'
import { type DescribedMock, describedMock } from './described-mock.ts'
import { DESCRIPTIONS, GRAPHQL_SCHEMAS, operationOf } from './descriptions.ts'
import { canHave, type Schema } from './fit-schema.ts'
import { spoiled } from './spoil.ts'

interface ContractOptions {
  /** How many requests each tool sends. */
  runs: number
  /** Checks only one tool of each method and kind of result. */
  sample?: boolean
}

/** A tool and the operation of its provider's description. */
interface DescribedTool {
  tool: HttpTool
  operation: string
  /** The argument for whose first item the tool is checked, if it is a step that runs for each. */
  each?: string | undefined
}

/** The tools of a connector that its provider's own description covers. */
function describedTools(connector: ConnectorDefinition): DescribedTool[] {
  return connector.tools.flatMap(tool => {
    const operation = operationOf(connector, tool)
    return operation === undefined ? [] : [{ tool, operation }]
  })
}

/** The minimum number of tools that are checked against a description. It may only grow. */
const FLOOR = 485

/** Checks that no tool has lost its check against a description. */
export function checkCoverage(t: Test): void {
  const counts = CONNECTORS.map(connector =>
    Object.hasOwn(GRAPHQL_SCHEMAS, connector.id) ? connector.tools.length : describedTools(connector).length,
  )
  const checked = counts.reduce((sum, count) => sum + count, 0)
  const all = CONNECTORS.reduce((sum, { tools }) => sum + tools.length, 0)
  t.ok(checked >= FLOOR, `${checked} of ${all} tools are checked against their provider's own description`)
}

/** The connectors whose provider publishes a description. */
export function describedConnectors(): ConnectorDefinition[] {
  return CONNECTORS.filter(({ id }) => DESCRIPTIONS[id] !== undefined)
}

/** Checks the requests of described tools against their description, and reads the answers. */
export async function checkContracts(
  t: Test,
  connectors: readonly ConnectorDefinition[],
  options: ContractOptions,
): Promise<void> {
  for (const connector of connectors)
    await t.test(`${connector.name}, ${options.runs} requests of each tool`, t => checkContract(t, connector, options))
}

async function checkContract(
  t: Test,
  connector: ConnectorDefinition,
  { runs, sample }: ContractOptions,
): Promise<void> {
  const description = DESCRIPTIONS[connector.id]
  if (description === undefined) throw new TypeError(`${connector.id} has no description`)
  const described = describedTools(connector)
  const checked = sample === true ? oneOfEachKind(described) : described
  const requests = checked.flatMap(one => [...stepsOf(connector, one.tool), one])
  const mock = await describedMock(t, description, [...new Set(requests.map(({ operation }) => operation))])
  const fixture = engine(t, { deadlineMs: 600_000 })

  if (description.loosely !== undefined) t.comment(`${connector.name}: ${description.loosely}`)
  if (description.overlapping !== undefined) t.comment(`${connector.name}: ${description.overlapping}`)
  if (description.stripped !== undefined) t.comment(`${connector.name}: ${description.stripped.reason}`)
  if (description.notRequired !== undefined) t.comment(`${connector.name}: ${description.notRequired.reason}`)
  for (const { operation, reason } of departuresOf(connector))
    t.comment(`${connector.name}, ${operation} departs from the description: ${reason}`)

  if (description.undescribed !== undefined) t.comment(`${connector.name}: ${description.undescribed}`)
  const undescribed = (description.undescribed === undefined ? connector.tools : [])
    .filter(tool => !described.some(one => one.tool === tool))
    .filter(({ operation }) => !description.departures[operation]?.undescribed)
  t.same(
    undescribed.map(({ operation }) => operation),
    [],
    'a tool without an operation there has a reason',
  )

  for (const one of requests)
    await t.test(`${connector.id}__${one.tool.operation} sends the request ${one.operation}`, async t => {
      await checkTool(t, { connector, mock, fixture, runs, ...one })
    })
}

/** The steps of a tool as tools of their own. */
function stepsOf(connector: ConnectorDefinition, tool: HttpTool): DescribedTool[] {
  return (tool.steps ?? []).flatMap((step, index) => {
    // Its values come from the steps before it.
    const before = tool.steps?.slice(0, index) ?? []
    const own = { ...toolOfStep(tool, step), steps: before, operation: step.name }
    const operation = operationOf(connector, own)
    return operation === undefined ? [] : [{ tool: own, operation, each: step.each }]
  })
}

/** What the steps of a tool keep for its own request, which is checked without them. Digits fit texts and numbers. */
function keptValues(tool: HttpTool, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = Object.fromEntries(keptPlaces(tool).map(place => [place, '7']))
  for (const { name, each, keep = {} } of tool.steps ?? []) {
    if (each === undefined) continue
    const items = Array.isArray(args[each]) ? args[each] : []
    kept[name] = items.map(item => ({
      ...Object(item),
      ...Object.fromEntries(Object.keys(keep).map(key => [key, '7'])),
    }))
    for (const key of Object.keys(keep)) kept[`${name}.${key}`] = items.map(() => '7')
  }
  return kept
}

function oneOfEachKind(tools: readonly DescribedTool[]): DescribedTool[] {
  const kinds = Map.groupBy(tools, ({ tool }) => `${tool.request.method} ${tool.result.kind}`)
  return [...kinds.values()].flatMap(([first]) => (first === undefined ? [] : [first]))
}

/** Whether a tool returns decoded bytes as a text. */
function decodesText({ result }: HttpTool): boolean {
  return result.kind === 'pick' && result.fields.some(field => field.endsWith('|base64-to-text'))
}

interface ToolCheck extends DescribedTool {
  connector: ConnectorDefinition
  mock: DescribedMock
  fixture: ReturnType<typeof engine>
  runs: number
}

async function checkTool(t: Test, { connector, mock, fixture, runs, tool, operation, each }: ToolCheck): Promise<void> {
  const departure = DESCRIPTIONS[connector.id]?.departures[tool.operation]
  const instead = tool.result.kind === 'pick' || tool.result.kind === 'done' ? undefined : FILE
  const accept = tool.request.headers?.accept
  const expectation = {
    operation,
    departure,
    accept,
    ...(instead !== undefined && { instead }),
    fallback: answerWith(tool),
    // Slack's description does not contain the results of a search.
    suffices: (answer: unknown) =>
      tool.pagination === undefined || Array.isArray(readPointer(answer, tool.pagination.items)),
  }
  const alone: HttpTool = { ...tool, steps: [] }
  const hosts = Object.entries(connector.hosts ?? {}).map(([name, host]) => [name, { ...host, url: mock.url }])
  const there = { ...connector, baseUrl: mock.url, hosts: Object.fromEntries(hosts), tools: [alone] }
  const access = accessTo(connector)

  await fc.assert(
    fc.asyncProperty(argumentsOf(tool.input, cursorOf(connector, tool)), async given => {
      const [item] = each !== undefined && Array.isArray(given[each]) ? given[each] : []
      fc.pre(each === undefined || item !== undefined)
      const args = { ...given, ...keptValues(tool, given), ...(each !== undefined && itemPlaces(item)) }
      mock.expect(expectation)
      const before = fixture.sent.length
      const [outcome] = await Promise.allSettled([fixture.run(there, args, access)])
      const failure = outcome.status === 'rejected' ? outcome.reason : undefined
      if (failure !== undefined && !(failure instanceof GatewayError)) throw failure
      const request = fixture.sent[before]
      // The engine rejects paths that would lead elsewhere. This is not part of the contract with the provider.
      fc.pre(request !== undefined)
      const { violations, unknown } = mock.verdict()
      const faults = [...violations, ...unknown.map(name => `${name} is unknown`)]
      if (faults.length > 0) throw new Error(`${faults.join('; ')}: ${request.method} ${request.url} ${request.body}`)
      // A described answer has any bytes, which are seldom a text.
      if (decodesText(tool) && failure?.message.includes('not a text')) return
      if (outcome.status === 'rejected') throw failure
      checkResult(tool, outcome.value)
    }),
    { numRuns: runs },
  )
  t.pass(`${runs} requests are as the description has them`)

  const schemas = mock.schemasOf(operation, accept)
  const askedFor = schemas.query.find(({ name }) => name === DESCRIPTIONS[connector.id]?.asksFor)?.schema.items?.enum
  const missing = missingFields(tool, schemas.answer).filter(
    field => !departure?.fields?.includes(field) && !askedFor?.includes(field.replace(/\.gid$/, '')),
  )
  t.same(missing, [], 'the described answer contains the fields of the result')

  const request = fixture.sent.at(-1)
  if (request === undefined) throw new Error('Nothing was sent')
  const { what, ...bad } = spoiled(request, schemas, departure)
  mock.expect(expectation)
  await (await fetch(bad.url, bad)).arrayBuffer()
  t.not(mock.verdict().violations.length, 0, `and rejects a request in which ${what}`)
}

const FILE = { type: 'text/plain', body: 'What a file has in it.' }

function checkResult(tool: HttpTool, result: Awaited<ReturnType<ToolRunner['run']>>): void {
  if (result.isError) throw new Error(`It failed: ${JSON.stringify(result.content)}`)
  const { kind } = tool.result
  const [first] = result.content
  if (first === undefined) throw new Error('It answers nothing')
  if (kind !== 'pick') return
  const { structuredContent } = result
  if (structuredContent === undefined) throw new Error(`It answers no data: ${JSON.stringify(result.content)}`)
  if (isList(tool) !== Array.isArray(structuredContent.items))
    throw new Error(`${isList(tool) ? 'No list' : 'A list'}: ${JSON.stringify(structuredContent).slice(0, 500)}`)
}

function isList({ operation, pagination }: HttpTool): boolean {
  return pagination !== undefined || /^(list|search)_/.test(operation)
}

/** Returns the kept fields that the described answer cannot have. */
function missingFields({ result }: HttpTool, answer: Schema | undefined): string[] {
  if (result.kind !== 'pick') return []
  const base = result.pointer.split('/').slice(1)
  return result.fields.filter(field => !canHave(answer, [...base, ...field.replace(/\|.*/, '').split('.')]))
}

/** Returns an answer with the kept fields, for descriptions without answers. */
function answerWith(tool: HttpTool): unknown {
  if (tool.result.kind !== 'pick') return {}
  const { pointer, fields } = tool.result
  const object: Record<string, unknown> = {}
  for (const field of fields) object[field.split(/[.|]/)[0] ?? ''] = 'some text'
  const there = isList(tool) ? [object, object] : object
  return pointer
    .split('/')
    .slice(1)
    .reduceRight<unknown>((held, step) => ({ [step]: held }), there)
}

/** Returns cursors as the engine would create them for this tool. */
function cursorOf(
  { id }: ConnectorDefinition,
  { operation, pagination }: HttpTool,
): Record<string, Arbitrary<unknown>> {
  if (pagination === undefined) return {}
  const counted = pagination.style === 'page' || pagination.style === 'offset'
  const text = fc.stringMatching(/^[1-9][0-9]{3,8}$/)
  const parameters = 'parameters' in pagination ? pagination.parameters : undefined
  const at: Arbitrary<number | string | Record<string, string>> =
    parameters !== undefined
      ? fc.subarray([...parameters], { minLength: 1 }).chain(names => fc.record(recordOf(names, text)))
      : counted
        ? fc.integer({ min: 1, max: 10 })
        : text
  return { cursor: at.map(position => writeCursor(`${id}__${operation}`, { at: position })) }
}

function recordOf<Value>(names: readonly string[], value: Value): Record<string, Value> {
  return Object.fromEntries(names.map(name => [name, value]))
}

function departuresOf(connector: ConnectorDefinition): { operation: string; reason: string }[] {
  const departures = Object.entries(DESCRIPTIONS[connector.id]?.departures ?? {})
  return departures.map(([operation, { reason }]) => {
    if (!connector.tools.some(tool => tool.operation === operation))
      throw new TypeError(`${connector.id} has no tool ${operation} that could depart from its description`)
    return { operation, reason }
  })
}
