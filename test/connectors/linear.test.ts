import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import {
  buildSchema,
  type DocumentNode,
  type FieldNode,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  getVariableValues,
  isEnumType,
  isListType,
  isObjectType,
  NoDeprecatedCustomRule,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
  visit,
} from 'graphql'
import t from 'tap'
import { compileTool } from '../../services/connectors/engine/compile-tool.ts'
import { writeCursor } from '../../services/connectors/engine/pagination.ts'
import type { HttpTool } from '../../services/definitions/http-tool-types.ts'
import { toolOfStep } from '../../services/definitions/step.ts'
import { linear } from '../../tools/connectors/linear/connector.ts'
import fc from '../fixtures/property.ts'
import { argumentsOf } from './arbitrary.ts'
import { GRAPHQL_SCHEMAS } from './descriptions.ts'
import { exchange, given } from './exchange.ts'
import { skipped, VENDOR_APIS } from './vendor-documents.ts'

const RUNS = 25

t.test('Linear’s tools match its own schema', { skip: skipped }, async t => {
  // The provider's schema is not validated.
  const schema = buildSchema(readFileSync(join(VENDOR_APIS, GRAPHQL_SCHEMAS.linear), 'utf8'), { assumeValid: true })

  for (const tool of linear.tools.flatMap(requestsOf))
    await t.test(`linear__${tool.operation} is a valid request, and a changed one is not`, async t => {
      const { document, operation } = documentOf(tool)
      t.same(faults(schema, document), [], 'its document is valid and uses nothing deprecated')
      t.not(faults(schema, misspelled(document)).length, 0, 'an unknown field makes it invalid')

      await fc.assert(
        fc.asyncProperty(argumentsFor(tool), async args => {
          const variables = variablesOf(tool, args)
          const wrong = variableFaults(schema, operation, variables)
          if (wrong.length > 0) throw new Error(`${JSON.stringify(variables)}: ${wrong.join('; ')}`)
          const declared = operation.variableDefinitions?.map(({ variable }) => variable.name.value) ?? []
          const unknown = Object.keys(variables).filter(name => !declared.includes(name))
          if (unknown.length > 0) throw new Error(`The document has no variables ${unknown.join()}`)
          const [first] = Object.keys(variables)
          if (
            first !== undefined &&
            variableFaults(schema, operation, { ...variables, [first]: { nonsense: [] } }).length === 0
          )
            throw new Error(`${first} takes anything`)
        }),
        { numRuns: RUNS },
      )
      t.pass(`${RUNS} sets of variables are of the declared types`)

      const [args = {}] = fc.sample(argumentsFor(tool), 1)
      const body = { data: answerTo(schema, operation) }
      const alone = { ...linear, tools: [tool] }
      const { result, error, sent } = await exchange(alone, {}, { operation: tool.operation, args, answer: { body } })
      t.equal(error, undefined)
      t.match(sent, { method: 'POST', path: '/graphql' })
      const content = given(result) as Record<string, unknown>
      t.equal(Array.isArray(content.items), tool.pagination !== undefined, 'a list is a list')
      if (tool.pagination !== undefined) t.type(content.next_cursor, 'string', 'and continues')
      t.same(missingFields(tool, content), [], 'the picked fields were requested')
    })

  await t.test('the probe is a valid request that returns the identity', async t => {
    const { identity } = linear
    if (identity === undefined) throw new TypeError('Linear has no probe')
    const { request, label, key = '' } = identity
    const document = parse((request.json as { query: string }).query)
    t.same(faults(schema, document), [])
    const data = answerTo(schema, operationOf(document))
    for (const [, pointer = ''] of `${label}${key}`.matchAll(/\{(\/[^}]+)\}/g))
      t.type(at({ data }, pointer), 'string', pointer)
  })
})

t.test('an error under HTTP 200 is an error, with Linear’s own words', async t => {
  const refuse = (code: string, status = 200) =>
    exchange(
      linear,
      {},
      {
        operation: 'get_issue',
        args: { issue: 'ENG-1' },
        answer: {
          status,
          headers: { 'x-ratelimit-requests-reset': '90000' },
          body: {
            data: null,
            errors: [
              {
                message: 'Entity not found',
                extensions: { code, userPresentableMessage: 'Could not find the issue.' },
              },
            ],
          },
        },
      },
    )

  t.match((await refuse('INPUT_ERROR')).error, { code: 'upstream_rejected', message: /Could not find the issue/ })
  t.match((await refuse('RATELIMITED', 400)).error, { code: 'upstream_rate_limited', retryAfter: 90 })
})

t.test('absent arguments do not filter', async t => {
  const list = linear.tools.find(({ operation }) => operation === 'list_issues')
  if (list === undefined) throw new TypeError('There is no list_issues')
  t.same(variablesOf(list, {}), { first: 25 })
  t.same(variablesOf(list, { team: 'ENG', assigned_to_me: false }), {
    first: 25,
    filter: { team: { key: { eq: 'ENG' } }, assignee: { isMe: { eq: false } } },
  })
})

/** A value of what a step keeps. */
const KEPT = '11111111-2222-3333-4444-555555555555'

/** The requests of a tool as tools without steps: those of its steps, then its own. */
function requestsOf(tool: HttpTool): HttpTool[] {
  const steps = tool.steps ?? []
  const own = steps.map(step => ({
    ...toolOfStep(tool, step),
    operation: `${tool.operation}, ${step.name}`,
    steps: [],
  }))
  return [...own, { ...tool, steps: [] }]
}

/** What steps give to the requests of a tool. */
function keptValues({ operation }: HttpTool): Record<string, unknown> {
  const { steps = [] } = linear.tools.find(tool => tool.operation === operation.split(',')[0]) ?? {}
  const kept = steps.flatMap(({ name, keep = {}, each }) =>
    Object.keys(keep).map(place => [`${name}.${place}`, each === undefined ? KEPT : [KEPT]]),
  )
  return { item: 'bug', ...Object.fromEntries(kept) }
}

function documentOf(tool: HttpTool): { document: DocumentNode; operation: OperationDefinitionNode } {
  const { body } = tool.request
  if (body === undefined || !('graphql' in body)) throw new TypeError(`${tool.operation} is no GraphQL`)
  const document = parse(body.graphql)
  return { document, operation: operationOf(document) }
}

function operationOf({ definitions }: DocumentNode): OperationDefinitionNode {
  const [operation] = definitions
  if (operation?.kind !== 'OperationDefinition') throw new TypeError('A document begins with its operation')
  return operation
}

function argumentsFor(tool: HttpTool) {
  const cursor = fc.uuid().map(at => writeCursor(`linear__${tool.operation}`, { at }))
  // A step runs with an argument that it looks up.
  const args = argumentsOf(tool.operation.includes(',') ? Type.Required(tool.input) : tool.input, {
    ...(tool.pagination !== undefined && { cursor }),
  })
  const { needsOneOf = [] } = tool
  return args
    .filter(given => needsOneOf.length === 0 || needsOneOf.some(name => Object.hasOwn(given, name)))
    .map(given => ({ ...given, ...keptValues(tool) }))
}

function variablesOf(tool: HttpTool, args: Record<string, unknown>): Record<string, unknown> {
  const compiled = compileTool(linear, tool)
  const { body } = compiled.build(compiled.fill(args, {}).scope)
  return (JSON.parse(String(body)) as { variables: Record<string, unknown> }).variables
}

function faults(schema: GraphQLSchema, document: DocumentNode): string[] {
  return validate(schema, document, [...specifiedRules, NoDeprecatedCustomRule]).map(({ message }) => message)
}

function variableFaults(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Record<string, unknown>,
): string[] {
  return (getVariableValues(schema, variableDefinitions, variables).errors ?? []).map(({ message }) => message)
}

t.test('a date of a project that is given is a day, even if the old one stood for a quarter', async t => {
  const answer = { body: { data: { projectUpdate: { success: true } } } }
  const inputOf = async (args: Record<string, unknown>) => {
    const { sent } = await exchange(
      linear,
      {},
      { operation: 'update_project', args: { project_id: 'p', ...args }, answer },
    )
    return Object(sent.body).variables.input
  }
  t.same(await inputOf({ target_date: '2026-03-31' }), { targetDate: '2026-03-31', targetDateResolution: null })
  t.same(await inputOf({ start_date: null }), { startDate: null, startDateResolution: null })
  t.same(await inputOf({ name: 'Roadmap' }), { name: 'Roadmap' })
})

/** The same document with another name for its first scalar field. */
function misspelled(document: DocumentNode): DocumentNode {
  let done = false
  return visit(document, {
    Field(node) {
      if (done || node.selectionSet !== undefined) return undefined
      done = true
      return { ...node, name: { ...node.name, value: `${node.name.value}OfNothing` } }
    },
  })
}

/** Returns the provider's answer: a value of the declared type for every requested field. */
function answerTo(schema: GraphQLSchema, { operation, selectionSet }: OperationDefinitionNode): unknown {
  const root = schema.getRootType(operation)
  if (root == null) throw new TypeError(`The schema has no ${operation}`)
  return sampleOf(root, selectionSet.selections as readonly FieldNode[])
}

function sampleOf(type: GraphQLOutputType, selections: readonly FieldNode[] | undefined): unknown {
  const nullable = getNullableType(type)
  if (isListType(nullable)) return [sampleOf(nullable.ofType, selections)]
  if (isObjectType(nullable)) {
    const fields = nullable.getFields()
    return Object.fromEntries(
      (selections ?? []).map(({ name, selectionSet }) => {
        const field = fields[name.value]
        if (field === undefined) throw new TypeError(`${nullable.name} has no ${name.value}`)
        return [name.value, sampleOf(field.type, selectionSet?.selections as readonly FieldNode[] | undefined)]
      }),
    )
  }
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name
  const samples: Record<string, unknown> = { Boolean: true, Int: 1, Float: 0.5 }
  return samples[getNamedType(nullable).name] ?? 'some text'
}

/** Returns the picked fields that the answer lacks. */
function missingFields({ result, pagination }: HttpTool, content: Record<string, unknown>): string[] {
  if (result.kind !== 'pick') return []
  const [one] = pagination === undefined ? [content] : (content.items as unknown[])
  return result.fields.filter(field => at(one, `/${field.replaceAll('.', '/')}`) === undefined)
}

function at(json: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, step) => {
      const here = Array.isArray(value) ? value[0] : value
      return (here as Record<string, unknown> | undefined)?.[step]
    }, json)
}
