import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { linearSize } from '../../../lib/linear-pattern.ts'
import type { PinnedSchema } from '../../../services/remote-connectors/snapshot.ts'
import { pinSchema } from '../../../services/remote-connectors/snapshots/pin/pin-schema.ts'
import { createPinnedValidators } from '../../../services/remote-connectors/snapshots/pinned-validators.ts'
import { cpuMs } from '../../fixtures/elapsed.ts'
import fc from '../../fixtures/property.ts'
import { anyArguments, anySchema } from '../../fixtures/random-schemas.ts'

const { refuse } = createPinnedValidators()
let count = 0

/** A pinned tool with a schema. */
function pinned(schema: object): { hash: string; inputSchema: PinnedSchema } {
  const of = pinSchema({ type: 'object', ...schema })
  if ('reason' in of) throw new Error(of.reason)
  return { hash: `${count++}`, inputSchema: of.pinned }
}

t.test('a validation error names each argument, what is expected, and what was sent', async t => {
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
    [undefined, '`path` is required.'],
    [[], 'The arguments must be an object with `path`; got an empty array.'],
    [{ path: 5 }, '`path` must be a string of at least 2 characters; got 5.'],
    [{ path: 'a' }, '`path` must be a string of at least 2 characters; got "a".'],
    [{ path: 'ab', more: 1 }, 'Unknown argument `more`; did you mean `mode`?'],
    [{ path: 'ab', mode: 'x' }, '`mode` must be "r" or "w"; got "x".'],
    [{ path: 'ab', size: 'x' }, '`size` must be an integer or null; got "x".'],
    [{ path: 'ab', list: [{}, { a: 2 }] }, '`list[1].a` must be 1; got 2.'],
    [{ path: 'ab', list: [{ a: 1, b: 2 }, 0, { b: 2, a: 1 }] }, '`list` must not have the same item twice.'],
  ]
  for (const [args, refusal] of refusals) t.equal(refuse(tool, args), refusal)
})

t.test('a required argument with a default may be left out, at every level', async t => {
  const screenshot = {
    properties: {
      type: { type: 'string', enum: ['png', 'jpeg'], default: 'png' },
      name: { type: 'string' },
      clip: {
        type: 'object',
        properties: { scale: { type: 'number', default: 1 }, width: { type: 'number' } },
        required: ['scale', 'width'],
      },
      steps: { items: { $ref: '#/$defs/step' } },
    },
    required: ['type', 'name'],
    additionalProperties: false,
    $defs: {
      step: { type: 'object', properties: { wait: { type: 'integer', default: 0 } }, required: ['wait'] },
    },
  }
  for (const tool of [
    pinned(screenshot),
    pinned({ ...screenshot, $schema: 'http://json-schema.org/draft-07/schema#' }),
  ]) {
    t.same(tool.inputSchema.required, ['type', 'name'], 'the listed schema is unchanged')
    t.equal(refuse(tool, { name: 'a', clip: { width: 1 }, steps: [{}] }), undefined)
    t.equal(refuse(tool, { type: 'jpeg', name: 'a' }), undefined)
    t.equal(refuse(tool, {}), '`name` is required.')
    t.equal(refuse(tool, { name: 'a', type: 'gif' }), '`type` must be "png" or "jpeg"; got "gif".')
    t.equal(refuse(tool, { name: 'a', clip: {} }), '`clip.width` is required.')
  }
})

t.test('a default makes no call invalid that the schema allows', async t => {
  const a = { properties: { a: { default: 1 } }, required: ['a'] }
  const either = pinned({ oneOf: [a, { required: ['b'] }] })
  t.equal(refuse(either, { b: 1 }), undefined, 'only the second alternative')
  t.equal(refuse(either, { a: 1 }), undefined)
  const without = pinned({ not: a })
  t.equal(refuse(without, { b: 1 }), undefined)
  t.type(refuse(without, { a: 1 }), 'string')
})

t.test('arguments that are too large to explain get the first fault, by its name', async t => {
  const item = { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] }
  const tool = pinned({ properties: { a: { items: item } }, additionalProperties: false })
  const items = (last: object) => [...Array(9_000).fill({ b: 'x' }), last]
  t.equal(refuse(tool, { a: items({ b: 1 }) }), '`a[9000].b` must be a string; got 1.')
  t.equal(refuse(tool, { a: items({}) }), '`a[9000].b` is required.')
  t.equal(refuse(tool, { a: items({ b: 'x' }), c: 1 }), 'Unknown argument `c`.')
})

t.test('only rejected arguments are explained', async t => {
  const { hash, inputSchema } = pinned({ properties: { a: { type: 'string' } } })
  let reads = 0
  const get = (schema: PinnedSchema, keyword: string) => {
    reads++
    return schema[keyword]
  }
  const tool = { hash, inputSchema: new Proxy(inputSchema, { get }) }
  refuse(tool, {})
  const compiling = reads
  for (let i = 0; i < 5; i++) t.equal(refuse(tool, { a: 'x' }), undefined)
  t.equal(reads, compiling, 'accepted arguments do not need the schema')
  t.type(refuse(tool, { a: 1 }), 'string')
  t.ok(reads > compiling)
})

t.test('arguments are validated in the dialect of the schema', async t => {
  const items = [{ type: 'string' }, { type: 'number' }]
  const old = pinned({ $schema: 'http://json-schema.org/draft-07/schema#', properties: { a: { items } } })
  const modern = pinned({ properties: { a: { prefixItems: items } }, unevaluatedProperties: false })
  for (const tool of [old, modern]) {
    t.equal(refuse(tool, { a: ['x', 1] }), undefined)
    t.equal(refuse(tool, { a: ['x', 'y'] }), '`a[1]` must be a number; got "y".')
  }
  t.equal(refuse(old, { b: 1 }), undefined)
  t.equal(refuse(modern, { b: 1 }), 'Unknown argument `b`.')
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
  t.equal(refuse(tool, { a: 5 }), '`a` must be a string or null; got 5.')
  t.equal(
    refuse({ ...tool, hash: 'another with the same $id' }, { toString: 5 }),
    '`toString` must be a string; got 5.',
  )
})

t.test('patterns run in time linear in the text', async t => {
  for (const pattern of ['^(a|a)*$', '(a+)+$', '^(([a-z])+.)+[A-Z]([a-z])+$', '(x+x+)+y']) {
    const tool = pinned({ properties: { a: { pattern }, b: { patternProperties: { [pattern]: {} } } } })
    const text = `${'ax'.repeat(2_500)}!`
    t.ok((await cpuMs(() => refuse(tool, { a: text, b: { [text]: 1 } }))) < 500, pattern)
  }
  const tool = pinned({ properties: { a: { pattern: '^(a|a)*$' }, b: { pattern: '^b+$' } } })
  t.equal(
    refuse(tool, { a: `${'a'.repeat(40)}!` }),
    '`a` must be a string that matches `^(a|a)*$`; got "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…" (41 characters).',
  )
  t.equal(refuse(tool, { a: 'aa', b: 'bb' }), undefined)
  for (const round of [1, 2, 3]) t.equal(refuse(tool, { a: 'a'.repeat(9_000) }), undefined, `long text, round ${round}`)
  t.equal(refuse(tool, { b: 'a' }), '`b` must be a string that matches `^b+$`; got "a".', 'each argument has its own')
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
  const tooMuch = "The arguments take too long to validate against the tool's schema. Send fewer or shorter values."
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
    t.ok((await cpuMs(() => (refusal = refuse(tool, args)))) < 1_000, JSON.stringify(schema).slice(0, 80))
    t.equal(refusal, tooMuch, JSON.stringify(schema).slice(0, 80))
  }
  const items = Array.from({ length: 5_000 }, (_, i) => ({ id: i, tags: ['a', 'b'] }))
  const unique = pinned({ properties: { a: { uniqueItems: true } } })
  t.ok((await cpuMs(() => t.equal(refuse(unique, { a: items }), undefined))) < 500, '5,000 objects are told apart')
  t.equal(refuse(unique, { a: Array(100_001).fill(0) }), 'The arguments have more than 100000 values. Send fewer.')
  t.equal(
    refuse(unique, deep(65)),
    'The arguments are nested more than 64 levels deep. Send less deeply nested values.',
  )
  t.equal(
    refuse(unique, JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)),
    'The arguments are nested more than 64 levels deep. Send less deeply nested values.',
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
    t.ok((await cpuMs(() => refuse(tool, {}))) < 250, name)
  }
})

t.test('a validator is compiled once, cached while there is room, and compiled again after eviction', async t => {
  // The cache holds at most 4 Mi characters of schemas.
  const description = 'd'.repeat(60_000)
  const tools = Array.from({ length: 75 }, (_, i) => pinned({ properties: { a: { const: i + 1 } }, description }))
  for (const round of [1, 2])
    for (const [i, tool] of tools.entries())
      t.equal(refuse(tool, { a: 99 }), `\`a\` must be ${i + 1}; got 99.`, `round ${round}`)
  const [first, second] = tools
  // The hash identifies the schema, so the cached validator applies.
  t.equal(refuse({ ...first!, hash: 'same' }, { a: 1 }), undefined)
  t.equal(refuse({ ...second!, hash: 'same' }, { a: 1 }), undefined)
})

t.test('a schema that does not compile rejects all arguments and never throws', async t => {
  const advice =
    "The arguments cannot be validated, because the tool's schema does not compile. An admin must refresh the connector."
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
  const seen = { true: 0, false: 0 }
  fc.assert(
    fc.property(anySchema, fc.array(anyArguments, { minLength: 1, maxLength: 4 }), (sent, many) => {
      const modern = sent.$schema === undefined
      const whole = pinSchema(sent)
      if ('reason' in whole) return
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
    }),
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
