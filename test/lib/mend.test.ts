import { isDeepStrictEqual } from 'node:util'
import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { ownRules } from '../../lib/schema-faults/describe-faults.ts'
import { mend } from '../../lib/schema-faults/mend.ts'
import { defineTool, structured } from '../../services/definitions/define-tool.ts'
import { cpuMs } from '../fixtures/elapsed.ts'
import fc from '../fixtures/property.ts'
import { anyArguments, anySchema } from '../fixtures/random-schemas.ts'

const ajv = (schema: object) =>
  new Ajv2020({ strict: false, logger: false, validateFormats: false, ownProperties: true }).compile(schema)

function mended(schema: object, args: unknown): unknown {
  const validate = ajv(schema)
  return mend({ schema, args, rules: ownRules(), accepts: candidate => validate(candidate) })
}

/** What becomes of one optional argument `a`; undefined if it is not mended. */
function argument(schema: object, a: unknown): unknown {
  return mended({ type: 'object', properties: { a: schema }, additionalProperties: false }, { a })
}

const texts = { type: 'array', items: { type: 'string' } }

t.test('arguments in the forms that models send are mended', async t => {
  const filter = { type: 'object', properties: { state: { enum: ['open'] }, limit: { type: 'integer' } } }
  const cases: [object, unknown, unknown][] = [
    [{ type: 'integer' }, '5', 5],
    [{ type: 'number', minimum: 0 }, '-0.5', undefined],
    [{ type: 'number' }, '-0.5', -0.5],
    [{ type: ['integer', 'null'] }, '7', 7],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, '7', 7],
    [{ enum: [1, 2] }, '2', 2],
    [{ type: 'boolean' }, 'false', false],
    [{ type: 'boolean' }, 'true', true],
    [texts, '["bug", "ui"]', ['bug', 'ui']],
    [{ anyOf: [texts, { type: 'object' }] }, ' {"b": 1}', { b: 1 }],
    [filter, '{"state": "open"}', { state: 'open' }],
    [filter, '{"limit": "5"}', { limit: 5 }],
    [filter, { limit: '5', state: 'open' }, { limit: 5, state: 'open' }],
    [{ type: 'array', items: { type: 'integer' } }, '["1", 2]', [1, 2]],
    [{ type: 'array', items: filter }, [{ limit: '5' }, { limit: 6 }], [{ limit: 5 }, { limit: 6 }]],
    [
      { anyOf: [filter, { type: 'object', properties: { all: { type: 'boolean' } }, required: ['all'] }] },
      { limit: '5' },
      { limit: 5 },
    ],
  ]
  for (const [schema, sent, expected] of cases)
    t.same(argument(schema, sent), expected === undefined ? undefined : { a: expected }, JSON.stringify([schema, sent]))
})

t.test('null and an empty string are left out where the argument is optional and may not have them', async t => {
  const absent: [object, unknown][] = [
    [{ type: 'string' }, null],
    [{ type: 'string', minLength: 1 }, ''],
    [{ enum: ['x', 'y'] }, ''],
    [{ type: 'string', pattern: '^x' }, ''],
    [{ type: 'integer' }, ''],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, ''],
    [texts, ''],
  ]
  for (const [schema, sent] of absent) t.same(argument(schema, sent), {}, JSON.stringify([schema, sent]))
  const nested = { type: 'object', properties: { b: { type: 'string' } } }
  t.same(argument(nested, { b: null }), { a: {} })

  const a = { type: 'string', minLength: 1 }
  t.equal(mended({ type: 'object', properties: { a }, required: ['a'] }, { a: null }), undefined, 'a required one')
  t.equal(argument({ type: 'array', items: { type: 'string' } }, [null]), undefined, 'an item of a list')
  const map = { type: 'object', additionalProperties: { type: 'string' } }
  t.equal(argument(map, { label: null }), undefined, 'a member that no schema names')
})

t.test('a member that may be a string is not touched, and neither are other mistakes', async t => {
  const either = { anyOf: [{ type: 'integer' }, { type: 'string', maxLength: 1 }] }
  const forms = [
    { type: 'object', properties: { v: { type: 'integer' } } },
    { type: 'object', properties: { v: { type: 'string' }, k: {} }, required: ['k'] },
  ]
  const cases: [object, unknown][] = [
    [either, '55'],
    [{ type: 'string', maxLength: 1 }, '["x"]'],
    [{ anyOf: forms }, { v: '5' }],
    [{ type: 'integer' }, '5.5'],
    [{ type: 'integer' }, '007'],
    [{ type: 'integer' }, '5 apples'],
    [{ type: 'integer' }, '0x10'],
    [{ type: 'integer' }, '1e3'],
    [{ type: 'integer' }, '9007199254740993'],
    [{ type: 'integer', maximum: 4 }, '5'],
    [{ type: 'integer' }, true],
    [{ type: 'boolean' }, 'yes'],
    [{ type: 'boolean' }, 1],
    [texts, 'bug'],
    [texts, '["bug"'],
    [texts, '[1]'],
    [texts, '{"a": 1}'],
    [{ type: 'array' }, '[9007199254740993]'],
    [{ type: 'object' }, '{"__proto__": {"b": 1}}'],
    [{ type: 'array' }, `${'['.repeat(65)}${']'.repeat(65)}`],
    [{ type: 'array' }, `[${'0,'.repeat(10_000)}0]`],
  ]
  for (const [schema, sent] of cases)
    t.equal(argument(schema, sent), undefined, JSON.stringify([schema, sent]).slice(0, 80))
  t.equal(mended({ type: 'object', properties: { a: { type: 'integer' } } }, '{"a": 1}'), undefined, 'the arguments')
  t.equal(argument({ type: 'integer' }, undefined), undefined)
  const two = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } }
  t.equal(mended(two, { a: '1', b: 'x' }), undefined, 'all or nothing')
})

t.test(
  'the sent arguments stay as they are, and what a tool of the gateway refuses by itself stays refused',
  async t => {
    const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
    const tool = defineTool({
      name: 'test__a',
      title: 'A',
      description: 'A.',
      annotations: hints,
      input: Type.Object({ a: Type.Optional(Type.Integer()), at: Type.Optional(Type.String({ minLength: 1 })) }),
      refuse: (args, check) => check(args) ?? ((args as { a?: number }).a === 13 ? 'Not 13.' : undefined),
      run: async () => structured({}),
    })
    const sent = { a: '5', at: null }
    t.same(tool.mend(sent), { a: 5 })
    t.same(sent, { a: '5', at: null })
    t.equal(tool.mend({ a: '13' }), undefined)
  },
)

t.test('valid arguments are never changed, whatever the schema', async t => {
  let valid = 0
  fc.assert(
    fc.property(anySchema, fc.array(anyArguments, { minLength: 5, maxLength: 10 }), ({ $schema, ...schema }, many) => {
      const accepts = tolerant(schema)
      for (const args of many) {
        const before = JSON.stringify(args)
        const result = mend({ schema, args, rules: ownRules(), accepts })
        const isValid = accepts(args)
        if (isValid) valid++
        if (JSON.stringify(args) !== before || (result !== undefined && (isValid || !accepts(result))))
          throw new Error(JSON.stringify({ schema, before, result }))
      }
    }),
    { numRuns: 60 },
  )
  t.ok(valid > 50, `${valid}`)
})

/** Whether a schema accepts a value; false if Ajv generates code that throws, or cannot compile it. */
function tolerant(schema: object): (value: unknown) => boolean {
  try {
    const validate = ajv(schema)
    return value => {
      try {
        return validate(value)
      } catch {
        return false
      }
    }
  } catch {
    return () => false
  }
}

const MEMBERS = [
  { type: 'integer', minimum: 0 },
  { type: 'boolean' },
  { type: 'array', items: { type: 'integer' } },
  { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false },
  { type: 'string' },
  { type: 'string', minLength: 1 },
  { enum: ['2', 'true'] },
  { type: ['integer', 'null'] },
  { anyOf: [{ type: 'integer' }, { type: 'string' }] },
  { oneOf: [{ type: 'array' }, { type: 'boolean' }, { type: 'null' }] },
].map(schema => ({ schema, accepts: ajv(schema) }))
const SENT = [null, '', '2', '-2', 'true', '[1]', '["1"]', '{"a":1}', '{"a":"1"}', '{"b":1}', 2, true, [1], { a: 1 }]

t.test('only members that failed are changed, and the result is valid', async t => {
  let count = 0
  const name = fc.constantFrom('a', 'b', 'c')
  fc.assert(
    fc.property(
      fc.dictionary(name, fc.constantFrom(...MEMBERS), { minKeys: 1 }),
      fc.uniqueArray(name),
      fc.array(fc.dictionary(name, fc.constantFrom(...SENT), { minKeys: 1 }), { minLength: 5, maxLength: 20 }),
      (members, required, many) => {
        const properties = Object.fromEntries(Object.entries(members).map(([key, { schema }]) => [key, schema]))
        const schema = { type: 'object', properties, required: required.filter(key => Object.hasOwn(members, key)) }
        const validate = ajv(schema)
        for (const args of many) {
          const result = mend({ schema, args, rules: ownRules(), accepts: value => validate(value) })
          if (result === undefined) continue
          count++
          const kept = Object.entries(args).filter(([key, value]) => members[key]?.accepts(value) ?? true)
          const isKept = kept.every(([key, value]) =>
            isDeepStrictEqual((result as Record<string, unknown>)[key], value),
          )
          if (!isKept || !validate(result)) throw new Error(JSON.stringify({ properties, args, result }))
        }
      },
    ),
    { numRuns: 60 },
  )
  t.ok(count > 15, `${count}`)
})

t.test('a call that was valid before its members became texts is valid again', async () => {
  const input = Type.Object({
    count: Type.Integer(),
    ratio: Type.Optional(Type.Number()),
    flag: Type.Boolean(),
    labels: Type.Array(Type.String({ maxLength: 5 })),
    filter: Type.Object({ limit: Type.Integer(), note: Type.Optional(Type.String()) }),
    note: Type.Optional(Type.String()),
  })
  const check = TypeCompiler.Compile(input)
  const note = fc.string({ maxLength: 5 })
  const args = fc.record({
    count: fc.integer(),
    ratio: fc.integer().map(n => n / 8),
    flag: fc.boolean(),
    labels: fc.array(note),
    filter: fc.record({ limit: fc.integer(), note }),
    note,
  })
  fc.assert(
    fc.property(
      args,
      fc.array(fc.constantFrom('count', 'ratio', 'flag', 'labels', 'filter'), { minLength: 1 }),
      (valid, names) => {
        const asTexts = Object.fromEntries(names.map(name => [name, JSON.stringify(valid[name as keyof typeof valid])]))
        const result = mend({
          schema: input,
          args: { ...valid, ...asTexts },
          rules: ownRules(),
          accepts: value => check.Check(value),
        })
        if (JSON.stringify(result) !== JSON.stringify({ ...valid, ...asTexts, ...valid }))
          throw new Error(JSON.stringify({ valid, result }))
      },
    ),
    { numRuns: 60 },
  )
})

t.test('arguments that cannot be mended cost little', async t => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'array', items: { type: 'array', items: { type: 'integer' } } } },
  }
  const many = { a: Array(5_000).fill('["x"]') }
  const large = { a: Array(400).fill(`[${'0,'.repeat(4_000)}"x"]`) }
  for (const args of [many, large]) t.ok((await cpuMs(() => mended(schema, args))) < 1_000)
})
