import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { BudgetExceeded } from '../../lib/compute-budget.ts'
import { restoreNames } from '../../lib/portable-schema/names.ts'
import { portableSchema } from '../../lib/portable-schema/portable-schema.ts'
import fc from '../fixtures/property.ts'
import { brokenRules } from '../fixtures/provider-rules.ts'
import { anySchema } from '../fixtures/random-schemas.ts'

/** The portable form of one argument `a`. */
function argument(schema: object, more: object = {}): unknown {
  const { properties } = portableSchema({ type: 'object', properties: { a: schema }, ...more }).schema
  return (properties as { a: unknown }).a
}

t.test('a value that may be null has one type and is nullable', async t => {
  const cases: [object, object][] = [
    [
      { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }], description: 'A name.' },
      { type: 'string', minLength: 1, description: 'A name.', nullable: true },
    ],
    [
      { type: ['array', 'null'], items: { type: ['object', 'null'] } },
      { type: 'array', items: { type: 'object', nullable: true }, nullable: true },
    ],
    [{ enum: ['x', null] }, { type: 'string', enum: ['x'], nullable: true }],
    [
      { type: 'integer', nullable: true },
      { type: 'integer', nullable: true },
    ],
    [{ oneOf: [{ type: 'null' }, { type: 'boolean' }] }, { type: 'boolean', nullable: true }],
    [
      { anyOf: [{ type: 'integer' }, { type: 'string' }, { type: 'null' }], description: 'An ID.' },
      { anyOf: [{ type: 'integer', nullable: true, description: 'An ID.' }, { type: 'string' }] },
    ],
  ]
  for (const [sent, expected] of cases) t.same(argument(sent), expected, JSON.stringify(sent))
})

t.test('what the form has no keyword for is in words, and the rest is as it was', async t => {
  const cases: [object, object][] = [
    [{ enum: [1, 2] }, { type: 'integer', description: 'One of 1 or 2.' }],
    [{ enum: ['a', ''] }, { type: 'string', enum: ['a'], description: 'One of "a" or "".' }],
    [{ const: 'a' }, { type: 'string', enum: ['a'] }],
    [
      { const: true, description: 'Yes' },
      { type: 'boolean', description: 'Yes. Always true.' },
    ],
    [
      { type: 'integer', exclusiveMinimum: 0, multipleOf: 5 },
      { type: 'integer', minimum: 1, description: 'Above 0. A multiple of 5.' },
    ],
    [
      { type: 'string', format: 'date' },
      { type: 'string', description: 'Format: date.' },
    ],
    [
      { type: 'string', format: 'date-time' },
      { type: 'string', format: 'date-time' },
    ],
    [
      { type: 'array', uniqueItems: true, prefixItems: [{ type: 'string' }, { type: 'number' }] },
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] }, description: 'No item twice.' },
    ],
    [{ type: 'array' }, { type: 'array', items: {} }],
    [
      { type: 'string', examples: ['x', 'y'] },
      { type: 'string', description: 'For example: "x" or "y".' },
    ],
    [
      {
        oneOf: [
          { const: 'a', title: 'First' },
          { const: 'b', description: 'Second' },
        ],
      },
      { type: 'string', enum: ['a', 'b'], description: 'Exactly one of: "a" (First); "b" (Second).' },
    ],
    [
      { type: 'object', patternProperties: { '^x': { type: 'string' } }, additionalProperties: false },
      { type: 'object', additionalProperties: { type: 'string' } },
    ],
    [{ minLength: 2 }, { type: 'string', minLength: 2 }],
    [{}, {}],
  ]
  for (const [sent, expected] of cases) t.same(argument(sent), expected, JSON.stringify(sent))
  t.same(
    portableSchema({ type: 'object', properties: { a: true, b: false, c: { not: {} } } }).schema,
    { type: 'object', properties: { a: {} } },
    'a property that is never allowed is left out',
  )
  t.same(portableSchema({ type: 'object', $schema: 'x', $id: 'y' }).schema, { type: 'object', properties: {} })
})

t.test('alternatives at the top are one object, with the rule in words', async t => {
  const { schema } = portableSchema({
    type: 'object',
    properties: { route: { type: 'string' }, file: { type: 'string' }, depth: { type: 'integer' } },
    required: ['depth'],
    anyOf: [{ required: ['route'] }, { required: ['file'] }],
    additionalProperties: false,
  })
  t.same(schema, {
    type: 'object',
    properties: { route: { type: 'string' }, file: { type: 'string' }, depth: { type: 'integer' } },
    required: ['depth'],
    additionalProperties: false,
    description: 'At least one of: `route`; `file`.',
  })
  const tagged = portableSchema({
    type: 'object',
    oneOf: [
      { properties: { kind: { const: 'id' }, value: { type: 'integer' } }, required: ['kind', 'value'] },
      { properties: { kind: { const: 'name' }, value: { type: 'string' } }, required: ['kind'] },
    ],
  })
  t.same(tagged.schema, {
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['id', 'name'] },
      value: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    },
    required: ['kind'],
    description: 'Together: `kind` "id" and `value`.',
  })
  const parts = [{ properties: { a: { type: 'string' } }, required: ['a'] }, { properties: { b: { type: 'number' } } }]
  t.same(portableSchema({ type: 'object', allOf: parts }).schema, {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'number' } },
    required: ['a'],
  })
})

t.test('references are written out, up to a bound', async t => {
  const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' }, at: { $ref: '#place' } } }
  const $defs = { node, place: { $anchor: 'place', type: 'string' } }
  const inner = { type: 'object', description: 'In the same form as the value that has it.' }
  t.same(argument({ $ref: '#/$defs/node', description: 'The first.' }, { $defs }), {
    type: 'object',
    properties: { next: inner, at: { type: 'string' } },
    description: 'The first.',
  })
  const chain = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => {
      const next = { $ref: `#/$defs/a${i + 1}` }
      return [`a${i}`, { type: 'object', properties: { x: next, y: next } }]
    }),
  )
  const wide = portableSchema({
    type: 'object',
    properties: { a: { $ref: '#/$defs/a0' }, b: { $ref: '#' } },
    $defs: { ...chain, a40: {} },
  })
  t.ok(JSON.stringify(wide.schema).length < 64 * 1024)
  t.same(brokenRules(wide.schema), [])
})

t.test('the mark of an argument that is also a header is not repeated by references', async t => {
  const marked = { type: 'object', properties: { h: { type: 'string', 'x-mcp-header': 'H' } } }
  const { schema } = portableSchema({ type: 'object', properties: { a: marked, b: { $ref: '#/properties/a' } } })
  t.same(schema.properties, { a: marked, b: { type: 'object', properties: { h: { type: 'string' } } } })
})

t.test('a hostile schema costs no more than its size', async t => {
  let reads = 0
  const nested = (levels: number): object => ({
    type: ['object', 'object', 'array', 'object'],
    get properties() {
      reads++
      return levels === 0 ? {} : { a: nested(levels - 1) }
    },
  })
  argument(nested(6))
  t.ok(reads < 1000, 'a repeated type is one type')

  const everywhere = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`p${i}`, { $ref: '#/$defs/large' }]))
  for (const large of [{ type: 'string', default: 'x'.repeat(40_000) }, { enum: ['x'.repeat(40_000)] }]) {
    const { schema } = portableSchema({ type: 'object', properties: everywhere, $defs: { large } })
    t.ok(JSON.stringify(schema).length < 128 * 1024, 'references add no more than 64 KiB')
  }

  // The square of these would take minutes.
  const values = Array.from({ length: 300_000 }, (_, i) => i)
  t.match(argument({ allOf: [{ type: 'integer', enum: values }, { enum: values }] }), { type: 'integer' })
  const required = Array.from({ length: 60_000 }, (_, i) => String.fromCodePoint(0x20000 + i))
  const { schema, originals } = portableSchema({ type: 'object', required })
  t.equal(new Set(schema.required as string[]).size, required.length)
  t.equal(originals.size, required.length)
  t.same(brokenRules(schema), [])
})

t.test('names are mapped to unique ones, and back wherever the schema has them', async t => {
  const filter = { type: 'object', properties: { '@type': { type: 'string' } }, required: ['@type'] }
  const root = {
    type: 'object',
    properties: {
      'Due date': { type: 'string' },
      Due_date: { type: 'string' },
      ['x'.repeat(70)]: { type: 'string' },
      filters: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/filter' }, { type: 'string' }] } },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      工: {},
    },
    required: ['Due date'],
    $defs: { filter },
  }
  const { schema, originals } = portableSchema(root)
  const names = Object.keys(schema.properties as object)
  t.same(names, ['Due_date_2', 'Due_date', 'x'.repeat(64), 'filters', 'labels', 'argument'])
  t.same(schema.required, ['Due_date_2'])
  t.same(brokenRules(schema), [])
  const long = 'x'.repeat(70)
  const sent = {
    Due_date_2: 'a',
    Due_date: 'b',
    ['x'.repeat(64)]: 'c',
    argument: 1,
    filters: [{ type: 'd' }, 'e'],
    labels: { type: 'free', argument: 'free' },
  }
  t.same(restoreNames(root, sent, originals), {
    'Due date': 'a',
    Due_date: 'b',
    [long]: 'c',
    工: 1,
    filters: [{ '@type': 'd' }, 'e'],
    labels: { type: 'free', argument: 'free' },
  })
  t.same(restoreNames(root, { 'Due date': 'a' }, originals), { 'Due date': 'a' }, 'the original ones are known, too')
  t.equal(restoreNames(root, 'text', originals), 'text')
})

t.test('a name that is only required differs from the mapped ones, and is mapped back', async t => {
  const cases: [properties: string[], required: string[], sent: object, restored: object][] = [
    [['a b'], ['a_b'], { a_b_2: 1, a_b: 2 }, { 'a b': 1, a_b: 2 }],
    [['a_b'], ['a b'], { a_b_2: 1, a_b: 2 }, { 'a b': 1, a_b: 2 }],
    [[], ['a b', 'a_b'], { a_b_2: 1, a_b: 2 }, { 'a b': 1, a_b: 2 }],
    [[], ['a b'], { a_b: 1 }, { 'a b': 1 }],
  ]
  for (const [named, required, sent, restored] of cases) {
    const properties = Object.fromEntries(named.map(name => [name, { type: 'integer' }]))
    const root = { type: 'object', properties, required }
    const { schema, originals } = portableSchema(root)
    const names = Object.keys(schema.properties as object)
    t.same(names.toSorted(), Object.keys(sent).toSorted(), JSON.stringify(root))
    t.same((schema.required as string[]).length, required.length)
    t.same(restoreNames(root, sent, originals), restored, JSON.stringify(root))
  }
})

t.test('restoring the names of hostile arguments ends at a bound', async t => {
  const anyOf = Array.from({ length: 400 }, (_, i) => ({ type: 'object', properties: { [`n ${i}`]: {} } }))
  const root = { type: 'object', properties: { 'a list': { type: 'array', items: { anyOf } } } }
  const { originals } = portableSchema(root)
  const lists = (length: number) => ({ a_list: Array.from({ length }, () => ({ n_1: 1 })) })
  t.same(restoreNames(root, lists(1), originals), { 'a list': [{ 'n 1': 1 }] })
  t.throws(() => restoreNames(root, lists(10_000), originals), BudgetExceeded)
})

/** Schemas that published servers have, each with arguments that it allows. */
const PUBLISHED: [object, unknown[]][] = [
  [
    { anyOf: [{ required: ['route'] }, { required: ['file'] }], properties: { route: {}, file: {} } },
    [{ route: 'x' }, { file: 'x', route: 'y' }],
  ],
  [
    { properties: { list: { type: ['array', 'null'], items: { type: ['object', 'null'], properties: { v: true } } } } },
    [{ list: null }, { list: [null, { v: 1 }] }, {}],
  ],
  [
    {
      properties: { n: { $ref: '#/$defs/n' } },
      $defs: { n: { type: 'object', properties: { n: { $ref: '#/$defs/n' } } } },
    },
    [{ n: { n: { n: {} } } }],
  ],
  [
    {
      properties: {
        v: { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'string', pattern: '^b' }, { type: 'null' }] },
      },
    },
    [{ v: 'a' }, { v: 'bb' }, { v: null }],
  ],
  [
    {
      properties: {
        v: { oneOf: [{ type: 'array', items: { type: 'integer' } }, { type: 'integer' }, { enum: ['all'] }] },
      },
    },
    [{ v: [1] }, { v: 1 }, { v: 'all' }],
  ],
  [
    { properties: { level: { enum: [0, 1, 2] }, exact: { const: 5 }, rate: { type: 'number', exclusiveMinimum: 0 } } },
    [{ level: 0, exact: 5, rate: 0.1 }],
  ],
  [
    { allOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { properties: { b: { type: 'integer' } } }] },
    [{ a: 'x', b: 1, c: 2 }],
  ],
  [
    {
      properties: {
        map: { type: 'object', patternProperties: { '^x': { type: 'string' } }, additionalProperties: false },
      },
    },
    [{ map: { xa: 'y' } }],
  ],
  [
    {
      if: { properties: { a: { const: 1 } } },
      ...Object.fromEntries([['then', { required: ['b'] }]]),
      dependentRequired: { a: ['b'] },
      minProperties: 1,
    },
    [{ a: 1, b: 2 }],
  ],
]

t.test('a portable schema allows what the original allows, in a form that all providers take', async t => {
  for (const [sent, many] of PUBLISHED) {
    const root = { type: 'object', ...sent }
    const { schema } = portableSchema(root)
    t.same(brokenRules(schema), [], JSON.stringify(sent))
    const ajv = new Ajv2020({ strict: false })
    const [original, portable] = [ajv.compile(root), ajv.compile(schema)]
    for (const args of many) t.ok(original(args) && portable(args), JSON.stringify([schema, args]))
  }
  t.ok(
    brokenRules({ anyOf: [{}], properties: { 'a b': { type: ['array', 'null'] }, c: true } }).length > 5,
    'the rules',
  )
})

t.test('every schema has a form that all providers take', async () => {
  fc.assert(
    fc.property(anySchema, root => {
      const { schema } = portableSchema(root)
      const broken = brokenRules(schema)
      if (broken.length > 0) throw new Error(JSON.stringify({ root, schema, broken }))
    }),
    { numRuns: 300 },
  )
})
