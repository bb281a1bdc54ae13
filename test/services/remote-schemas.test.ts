import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import type { PinnedSchema } from '../../services/remote-connectors/snapshot.ts'
import { linearSize } from '../../services/remote-connectors/snapshots/linear-pattern.ts'
import { pinSchema } from '../../services/remote-connectors/snapshots/pin-schema.ts'
import { createPinnedValidators } from '../../services/remote-connectors/snapshots/pinned-validators.ts'
import fc from '../property.ts'

const { refuse } = createPinnedValidators()
let count = 0

/** A pinned tool with a schema. */
function pinned(schema: object): { hash: string; inputSchema: PinnedSchema } {
  const of = pinSchema({ type: 'object', ...schema })
  if ('fault' in of) throw new Error(of.fault)
  return { hash: `${count++}`, inputSchema: of.pinned }
}

/** The limit for blocking the event loop, high enough for a slow machine. */
function within(milliseconds: number, work: () => unknown): boolean {
  const begun = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000 < milliseconds
}

t.test('a validation error names the place and the reason in the schema’s terms', async t => {
  const tool = pinned({
    properties: {
      path: { type: 'string', minLength: 2 },
      mode: { enum: ['r', 'w'] },
      size: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      list: { items: { properties: { a: { const: 1 } } }, uniqueItems: true },
    },
    required: ['path'],
    additionalProperties: false,
  })
  const refusals: [unknown, string | undefined][] = [
    [{ path: 'ab', mode: 'w', size: null, list: [{ a: 1 }, {}] }, undefined],
    [undefined, "/ must have required property 'path'"],
    [[], '/ must be object'],
    [{ path: 5 }, '/path must be string'],
    [{ path: 'a' }, '/path must NOT have fewer than 2 characters'],
    [{ path: 'ab', more: 1 }, '/ must NOT have additional properties: more'],
    [{ path: 'ab', mode: 'x' }, '/mode must be equal to one of the allowed values: "r","w"]'],
    [{ path: 'ab', size: 'x' }, '/size must match a schema in anyOf: must be integer, or must be null'],
    [{ path: 'ab', list: [{}, { a: 2 }] }, '/list/1/a must be equal to constant 1'],
    [{ path: 'ab', list: [{ a: 1, b: 2 }, 0, { b: 2, a: 1 }] }, '/list must NOT have duplicate items'],
  ]
  for (const [args, refusal] of refusals) t.equal(refuse(tool, args), refusal)
})

t.test('arguments are validated in the dialect of the schema', async t => {
  const items = [{ type: 'string' }, { type: 'number' }]
  const old = pinned({ $schema: 'http://json-schema.org/draft-07/schema#', properties: { a: { items } } })
  const modern = pinned({ properties: { a: { prefixItems: items } }, unevaluatedProperties: false })
  for (const tool of [old, modern]) {
    t.equal(refuse(tool, { a: ['x', 1] }), undefined)
    t.equal(refuse(tool, { a: ['x', 'y'] }), '/a/1 must be number')
  }
  t.equal(refuse(old, { b: 1 }), undefined)
  t.equal(refuse(modern, { b: 1 }), '/ must NOT have unevaluated properties: b')
})

t.test('Ajv’s extensions of JSON Schema have no effect', async t => {
  const tool = pinned({
    $async: true,
    id: 'x',
    $id: 'https://x.test/a',
    properties: {
      a: { type: 'string', nullable: true },
      b: { nullable: true },
      date: { format: 'date' },
      toString: { type: 'string' },
    },
  })
  t.equal(refuse(tool, { a: null, b: 1, date: 'tomorrow' }), undefined)
  t.equal(refuse(tool, { a: 5 }), '/a must be string')
  t.equal(refuse({ ...tool, hash: 'another with the same $id' }, { toString: 5 }), '/toString must be string')
})

t.test('patterns run in time linear in the text', async t => {
  for (const pattern of ['^(a|a)*$', '(a+)+$', '^(([a-z])+.)+[A-Z]([a-z])+$', '(x+x+)+y']) {
    const tool = pinned({ properties: { a: { pattern }, b: { patternProperties: { [pattern]: {} } } } })
    const text = `${'ax'.repeat(2_500)}!`
    t.ok(
      within(500, () => refuse(tool, { a: text, b: { [text]: 1 } })),
      pattern,
    )
  }
  const tool = pinned({ properties: { a: { pattern: '^(a|a)*$' }, b: { pattern: '^b+$' } } })
  t.equal(refuse(tool, { a: `${'a'.repeat(40)}!` }), '/a must match pattern "^(a|a)*$"')
  t.equal(refuse(tool, { a: 'aa', b: 'bb' }), undefined)
  for (const round of [1, 2, 3]) t.equal(refuse(tool, { a: 'a'.repeat(9_000) }), undefined, `long text, round ${round}`)
  t.equal(refuse(tool, { b: 'a' }), '/b must match pattern "^b+$"', 'each argument has its own')
})

t.test('a pattern that the linear engine does not support is left to the upstream', async t => {
  const patterns = ['^(?!x)y', '(a)\\1', '^(?:[a-z]{100}){100}$', '(?<=a)b', 'a{2000}']
  for (const pattern of patterns) {
    t.equal(linearSize(pattern), undefined, pattern)
    t.equal(refuse(pinned({ properties: { a: { pattern, maxLength: 5 } } }), { a: 'zzz' }), undefined)
  }
  for (const pattern of ['^[a-z0-9-]{1,63}$', '^\\p{L}+$', '^(?<year>\\d{4})-\\d\\d$', '\\u00e9', '[\\w-.]'])
    t.type(linearSize(pattern), 'number', pattern)
})

t.test('no schema and no arguments can make a validation block for long', async t => {
  const chain = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `a${i}`,
      { anyOf: [{ $ref: `#/$defs/a${i + 1}` }, { $ref: `#/$defs/a${i + 1}` }] },
    ]),
  )
  const branch = { properties: { x: { $ref: '#/$defs/tree' } }, required: ['x'] }
  const tree = { anyOf: [branch, branch] }
  const deep = (depth: number): object => (depth === 0 ? {} : { x: deep(depth - 1) })
  const tooMuch = "/ takes too long to validate against the tool's schema: send fewer or shorter values"
  const attacks: [object, unknown][] = [
    [{ $defs: { ...chain, a40: { type: 'string' } }, properties: { a: { $ref: '#/$defs/a0' } } }, { a: 1 }],
    [{ $defs: { tree }, properties: { a: { $ref: '#/$defs/tree' } } }, { a: deep(60) }],
    [
      { properties: { a: { items: { enum: Array.from({ length: 5_000 }, (_, i) => i) } } } },
      { a: Array(5_000).fill(4_999) },
    ],
    [{ properties: { a: { anyOf: Array(300).fill({ maxLength: 1 }) } } }, { a: 'é'.repeat(500_000) }],
    [{ properties: { a: { pattern: '^(?:(a|b|ab)?){100}\\b$' } } }, { a: 'ab'.repeat(10_000) }],
    [
      { properties: { a: { items: { allOf: Array(100).fill({ uniqueItems: true }) } } } },
      { a: [Array.from({ length: 20_000 }, (_, i) => [i])] },
    ],
  ]
  for (const [schema, args] of attacks) {
    const tool = pinned(schema)
    let refusal: string | undefined
    t.ok(
      within(1_000, () => (refusal = refuse(tool, args))),
      JSON.stringify(schema).slice(0, 80),
    )
    t.equal(refusal, tooMuch, JSON.stringify(schema).slice(0, 80))
  }
  const items = Array.from({ length: 5_000 }, (_, i) => ({ id: i, tags: ['a', 'b'] }))
  const unique = pinned({ properties: { a: { uniqueItems: true } } })
  t.ok(
    within(500, () => t.equal(refuse(unique, { a: items }), undefined)),
    '5,000 objects are told apart',
  )
  t.equal(refuse(unique, { a: Array(100_001).fill(0) }), '/ has more than 100000 values')
  t.equal(refuse(unique, deep(65)), '/ is nested more than 64 levels deep')
  t.equal(
    refuse(unique, JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)),
    '/ is nested more than 64 levels deep',
  )
})

t.test('the largest schema compiles without blocking for long', async t => {
  const many = (count: number, schema: (i: number) => object) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, schema(i)]))
  const large: [string, object][] = [
    ['properties', { properties: many(499, () => ({ type: 'string', minLength: 1 })) }],
    ['alternatives', { properties: many(330, () => ({ anyOf: [{ type: 'string' }, { type: 'null' }] })) }],
    ['patterns', { properties: many(240, i => ({ type: 'string', pattern: `^a${i}$`, maxLength: 9 })) }],
    ['oneOf', { oneOf: Array.from({ length: 490 }, (_, i) => ({ minProperties: i })) }],
    [
      'references',
      { $defs: many(190, () => ({ type: 'string' })), properties: many(190, i => ({ $ref: `#/$defs/p${i}` })) },
    ],
  ]
  for (const [name, schema] of large) {
    const tool = pinned(schema)
    // It takes 50 ms on an idle machine with warm code.
    t.ok(
      within(250, () => refuse(tool, {})),
      name,
    )
  }
})

t.test('a validator is compiled once, cached while there is room, and compiled again after eviction', async t => {
  // The cache holds at most 4 Mi characters of schemas.
  const description = 'd'.repeat(60_000)
  const tools = Array.from({ length: 75 }, (_, i) => pinned({ properties: { a: { const: i + 1 } }, description }))
  for (const round of [1, 2])
    for (const [i, tool] of tools.entries())
      t.equal(refuse(tool, { a: 99 }), `/a must be equal to constant ${i + 1}`, `round ${round}`)
  const [first, second] = tools
  // The hash identifies the schema, so the cached validator applies.
  t.equal(refuse({ ...first!, hash: 'same' }, { a: 1 }), undefined)
  t.equal(refuse({ ...second!, hash: 'same' }, { a: 1 }), undefined)
})

t.test('a schema that does not compile rejects all arguments and never throws', async t => {
  const advice = "/ cannot be validated: the tool's schema does not compile. An admin must refresh the connector."
  for (const schema of [
    { $ref: '#/none' },
    { type: 'object', enum: 5 },
    { $schema: 'https://x.test' },
    { required: true },
  ]) {
    const tool = { hash: `${count++}`, inputSchema: schema as unknown as PinnedSchema }
    t.equal(refuse(tool, {}), advice)
    t.equal(refuse(tool, {}), advice)
  }
})

t.test('a pinned validator agrees with Ajv', async t => {
  const name = fc.constantFrom('a', 'b', 'c')
  const value = fc.jsonValue({ maxDepth: 2 })
  const number = fc.integer({ min: 0, max: 4 })
  const types = ['object', 'array', 'string', 'integer', 'null', ['string', 'object'], ['array', 'number']]
  const { schema } = fc.letrec<{ schema: object; inner: object }>(tie => {
    const inner = tie('inner')
    const list = fc.array(inner, { minLength: 1, maxLength: 2 })
    const keywords: Record<string, fc.Arbitrary<unknown>> = {
      type: fc.constantFrom<unknown>(...types),
      enum: fc.array(value, { minLength: 1, maxLength: 15 }),
      const: value,
      minimum: number,
      multipleOf: fc.constantFrom(1, 2, 0.5),
      maxLength: number,
      pattern: fc.constantFrom('^a', '[0-9]+', '^.?$'),
      uniqueItems: fc.boolean(),
      minItems: number,
      contains: inner,
      items: inner,
      properties: fc.dictionary(name, inner, { maxKeys: 3 }),
      required: fc.uniqueArray(name),
      additionalProperties: fc.oneof(fc.boolean(), inner),
      patternProperties: fc.dictionary(fc.constantFrom('^a', 'b'), inner, { maxKeys: 2 }),
      propertyNames: inner,
      maxProperties: number,
      dependentRequired: fc.dictionary(name, fc.uniqueArray(name)),
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: inner,
      unevaluatedProperties: fc.oneof(fc.boolean(), inner),
      $ref: fc.constant('#/$defs/d'),
    }
    const keyword = fc
      .constantFrom(...Object.keys(keywords))
      .chain(name => fc.tuple(fc.constant(name), keywords[name]!))
    const some = fc.array(keyword, { maxLength: 3 }).map(entries => Object.fromEntries(entries))
    return { schema: some, inner: fc.oneof({ maxDepth: 3 }, fc.constant({}), some) }
  })
  const args = fc.dictionary(
    name,
    fc.oneof(value, fc.dictionary(name, value), fc.array(fc.constantFrom(1, '1', { a: 1 }))),
  )
  const seen = { true: 0, false: 0 }
  fc.assert(
    fc.property(
      schema,
      schema,
      fc.boolean(),
      fc.array(args, { minLength: 1, maxLength: 4 }),
      (made, d, modern, many) => {
        const { $ref, ...definition } = d as { $ref?: string }
        const $schema = modern ? {} : { $schema: 'http://json-schema.org/draft-07/schema#' }
        const sent = { ...made, type: 'object', ...$schema, $defs: { d: definition } }
        const whole = pinSchema(sent)
        if ('fault' in whole) return
        const tool = { hash: `${count++}`, inputSchema: whole.pinned }
        const options = { strict: false, logger: false as const, ownProperties: true, validateSchema: false }
        const validate = (modern ? new Ajv2020(options) : new Ajv(options)).compile(sent)
        for (const args of many) {
          const passes = judged(validate, args)
          const refused = refuse(tool, args)
          if (passes === undefined) continue
          seen[`${passes}`]++
          if ((refused === undefined) !== passes) throw new Error(JSON.stringify({ sent, args, passes }))
        }
      },
    ),
    { numRuns: 300 },
  )
  t.ok(seen.true > 50 && seen.false > 50, JSON.stringify(seen))
})

/** Undefined if Ajv generates code that throws, as for `not: {}` before a `oneOf` of items. */
function judged(validate: ValidateFunction, args: unknown): boolean | undefined {
  try {
    return validate(args) === true
  } catch (error) {
    if (error instanceof ReferenceError) return undefined
    throw error
  }
}
