import { hash } from 'node:crypto'
import { ToolSchema } from '@modelcontextprotocol/sdk/types.js'
import { sql } from 'kysely'
import t from 'tap'
import { canonicalJson } from '../../../lib/canonical-json.ts'
import type { PinnedTool, Snapshot } from '../../../services/remote-connectors/snapshot.ts'
import { takeSnapshot } from '../../../services/remote-connectors/snapshots/pin/take-snapshot.ts'
import { wireNames } from '../../../services/remote-connectors/snapshots/pin/wire-names.ts'
import { createPinnedValidators } from '../../../services/remote-connectors/snapshots/pinned-validators.ts'
import { testDatabase } from '../../fixtures/database.ts'
import fc from '../../fixtures/property.ts'

const CAPABILITY = 'org__abcdefghijklmnopqrst'
const ROOM = 64 - CAPABILITY.length - 2
const take = (...tools: unknown[]) => takeSnapshot(tools, { capability: CAPABILITY })
const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more })
const withSchema = (schema: object) => tool('t', { inputSchema: { type: 'object', ...schema } })

/** A tool as an upstream sends it, made from a pinned one. */
const asSent = ({ originalName, hash, ...rest }: PinnedTool) => ({ ...rest, name: originalName })

async function reasonOf(sent: unknown): Promise<string | undefined> {
  const { tools, rejected } = await take(sent)
  return tools.length === 0 ? rejected.tools[0]?.reason : undefined
}

async function published(sent: unknown): Promise<PinnedTool> {
  const { tools, rejected } = await take(sent)
  if (tools[0] === undefined) throw new Error(rejected.tools[0]?.reason)
  return tools[0]
}

t.test('a faulty tool is rejected with the reason, and the others stay', async t => {
  const { tools, rejected } = await take(
    tool('good'),
    null,
    'text',
    { name: 'text', inputSchema: 'x' },
    tool('array', { inputSchema: { type: 'array' } }),
    tool('title', { title: 5 }),
    tool('words', { description: ['a'] }),
    tool('task', { execution: { taskSupport: 'required' } }),
    tool('also good', { title: null, description: null, outputSchema: null, annotations: null }),
  )
  t.strictSame(
    tools.map(({ name }) => name),
    ['also_good', 'good'],
  )
  t.strictSame(rejected.tools, [
    { originalName: '(no name)', reason: 'It has no name, or its name is too long or contains invisible characters.' },
    { originalName: '(no name)', reason: 'It has no name, or its name is too long or contains invisible characters.' },
    { originalName: 'array', reason: 'Its input schema is not of type "object".' },
    { originalName: 'task', reason: 'It can only be called as a task, which this gateway does not support.' },
    { originalName: 'text', reason: 'Its input schema is missing or is not an object.' },
    { originalName: 'title', reason: 'Its title is not a string.' },
    { originalName: 'words', reason: 'Its description is not a string.' },
  ])
})

t.test('names on the wire', async t => {
  const names = (...originals: string[]) => Object.fromEntries(wireNames(originals, 24))

  t.test('a valid name stays, an invalid one loses the invalid characters', async t => {
    t.strictSame(names('get_user', 'Get-User', 'files.read', 'café/öffnen', 'a b', 'toString', '__proto__'), {
      get_user: 'get_user',
      'Get-User': 'Get-User',
      'files.read': 'files_read',
      'café/öffnen': 'cafe_offnen',
      'a b': 'a_b',
      toString: 'toString',
      ['__proto__']: '__proto__',
    })
  })

  t.test('a valid name has precedence over an equal result, which gets a hash', async t => {
    const { a_b, ...others } = names('a.b', 'a_b', 'a/b')
    t.equal(a_b, 'a_b')
    t.match(others, { 'a.b': /^a_b_[0-9a-f]{8}$/, 'a/b': /^a_b_[0-9a-f]{8}$/ })
    t.not(others['a.b'], others['a/b'])
    t.match(names('工具').工具, /^tool_[0-9a-f]{8}$/)
  })

  t.test('a long name is shortened in the middle', async t => {
    const long = 'list_all_the_repositories_of_a_user'
    t.match(names(long)[long], /^list_al_[0-9a-f]{8}__a_user$/)
  })

  t.test('a name that imitates the hash of another does not replace it', async t => {
    const [hashed = ''] = Object.values(names('工具'))
    const both = names('工具', hashed)
    t.equal(both[hashed], hashed)
    t.match(both.工具, /^tool_[0-9a-f]{8}$/)
    t.not(both.工具, hashed)
  })

  t.test('names are valid, short enough, unique and independent of the order', async () => {
    const piece = fc.oneof(fc.constantFrom('a', 'b', '_', '-', '.', '/', 'é', '工', 'x'.repeat(20)), fc.string())
    const name = fc
      .array(piece, { maxLength: 5 })
      .map(pieces => pieces.join(''))
      .filter(name => name !== '')
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 40 }), fc.integer({ min: 24, max: 60 }), (originals, room) => {
        const one = wireNames(originals, room)
        const other = wireNames(originals.toReversed(), room)
        const wires = new Set(one.values())
        return (
          one.size === originals.length &&
          wires.size === originals.length &&
          originals.every(original => one.get(original) === other.get(original)) &&
          [...wires].every(wire => /^[A-Za-z0-9_-]+$/.test(wire) && wire.length <= room)
        )
      }),
      { numRuns: 300 },
    )
  })

  t.test('misleading or unusable names are rejected; the first of two equal names stays', async t => {
    for (const name of ['', 'a\u200Bb', 'a\u202Eb', 'a\nb', 'a\u0000', '\uD800', 'a\u{E0041}', 'x'.repeat(257)])
      t.equal(await reasonOf(tool(name)), 'It has no name, or its name is too long or contains invisible characters.')
    const { tools, rejected } = await take(tool('a', { title: 'One' }), tool('a', { title: 'Two' }))
    t.match(tools, [{ name: 'a', title: 'One' }])
    t.match(rejected.tools, [{ originalName: 'a', reason: 'An earlier tool has the same name.' }])
  })
})

t.test('texts for models and people', async t => {
  const describe = async (description: string) => (await published(tool('t', { description }))).description

  t.test('invisible characters are removed, lines and letters stay', async t => {
    t.equal(await describe('a\u202Eb\u200Bc\u{E0041}\u{E0100}d\u00ADe\u0007f\uD800g\u3164'), 'abcdefg')
    t.equal(await describe(' One.\r\n\r\n\r\n\r\n\tTwo \u2028three  \n'), 'One.\n\n\tTwo\nthree')
    t.equal(await describe(`Seen.${' '.repeat(4000)}Unseen.`), 'Seen. Unseen.')
    t.equal(await describe('Žluťoučký 工具 ❤\uFE0F'), 'Žluťoučký 工具 ❤\uFE0F')
    t.equal(await describe('\u200B'), undefined)
  })

  t.test('long texts are truncated', async t => {
    const long = (await describe('é'.repeat(10_000))) ?? ''
    t.equal(long.length, 4096)
    t.ok(long.endsWith('é…'))
    const { title = '' } = await published(tool('t', { title: `A\n${'b'.repeat(500)}` }))
    t.equal(title.length, 128)
    t.ok(title.startsWith('A b'))
  })

  t.test('texts of arguments are sanitized, but values, names and patterns stay', async t => {
    const { inputSchema } = await published(
      withSchema({
        description: 'a\u200Bb',
        properties: {
          description: { type: 'string', title: 'T\n\u200BT', description: 'x\u{E0041}y', enum: ['a\u200Bb'] },
          title: { const: 'a\r\nb', pattern: '^a\u200B$', default: 'a\u00ADb' },
        },
        $defs: { d: { allOf: [{ description: '\u202Ez' }] } },
      }),
    )
    t.strictSame(inputSchema, {
      type: 'object',
      description: 'ab',
      properties: {
        description: { type: 'string', title: 'T T', description: 'xy', enum: ['a\u200Bb'] },
        title: { const: 'a\r\nb', pattern: '^a\u200B$', default: 'a\u00ADb' },
      },
      $defs: { d: { allOf: [{ description: 'z' }] } },
    })
  })

  t.test('a tool with a misleading value is rejected', async t => {
    const selectors = Array.from('obey', letter => String.fromCodePoint(0xe0100 + letter.charCodeAt(0))).join('')
    const zeroWidth = '\u200B\u200C'.repeat(20)
    for (const text of [selectors, zeroWidth, '\u001b[2J', '\uFE01'.repeat(20)])
      for (const schema of [{ default: text }, { enum: [text] }, { properties: { [text]: {} } }, { 'x-note': text }])
        t.equal(
          await reasonOf(withSchema({ properties: { a: schema } })),
          'Its input schema has a name or value with invisible characters.',
        )
  })

  t.test('known annotations stay unchanged, unknown ones are removed', async t => {
    const annotations = {
      title: 'T\u200B',
      readOnlyHint: true,
      destructiveHint: 'no',
      secret: { a: 1 },
      openWorldHint: false,
    }
    t.strictSame((await published(tool('t', { annotations }))).annotations, {
      title: 'T',
      readOnlyHint: true,
      openWorldHint: false,
    })
    t.strictSame((await published(tool('t', { annotations: { x: 1 } }))).annotations, undefined)
  })
})

t.test('a tool whose input schema exceeds a limit is rejected', async t => {
  const properties = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, {}]))
  const nested = (depth: number) => JSON.parse(`${'{"not":'.repeat(depth)}{}${'}'.repeat(depth)}`) as object
  const faults: [string, object][] = [
    ['is larger than 64 KiB', { description: 'x'.repeat(65_536) }],
    ['is nested more than 32 levels deep', nested(32)],
    ['has more than 500 properties', { properties: properties(501) }],
    ['contains more than 2000 schemas', { prefixItems: Array(2_001).fill({}) }],
    ['has more than 1000 keywords', { allOf: Array(1_001).fill({}) }],
    [
      'uses an unsupported dialect: use JSON Schema 2020-12, 2019-09 or draft-07',
      { $schema: 'http://json-schema.org/draft-04/schema#' },
    ],
    [
      'refers to another document, but only references within the schema are supported',
      { properties: { a: { $ref: 'https://x.test/s' } } },
    ],
    ['refers to another document, but only references within the schema are supported', { $ref: 'other.json#/a' }],
    ['refers to a schema that does not exist', { $ref: '#/$defs/none' }],
    ['refers to a schema that does not exist', { default: { type: 'x' }, $ref: '#/default' }],
    ['refers to itself in an infinite cycle', { allOf: [{ $ref: '#' }] }],
    [
      'refers to itself in an infinite cycle',
      { $defs: { a: { $ref: '#/$defs/b' }, b: { not: { $ref: '#/$defs/a' } } } },
    ],
    ['has a value under properties that is not a schema', { properties: { a: 5 } }],
    ['has properties that are not an object', { properties: [] }],
    ['has a list of required arguments that is not a list of strings', { properties: { a: { required: true } } }],
    ['has a pattern that is not a regular expression', { properties: { a: { pattern: '[' } } }],
    ['has a pattern that is not a string', { properties: { a: { pattern: 5 } } }],
    [
      'has a pattern that cannot run in linear time: remove look-around and back-references',
      { not: { pattern: '(a)\\1' } },
    ],
    [
      'has a pattern that cannot run in linear time: remove look-around and back-references',
      { patternProperties: { '^(?!a)': {} } },
    ],
    ['has a number that is out of range', JSON.parse('{"maxProperties": 1e400}')],
    ['has a member named __proto__', JSON.parse('{"properties": {"__proto__": {}}}')],
    ['has a string that is not valid Unicode text', { properties: { a: { const: 'a\u0000' } } }],
    ['has a string that is not valid Unicode text', { properties: { 'a\uD800': {} } }],
    ['has a name or value with invisible characters', { properties: { a: { enum: ['a\u{E0041}'] } } }],
    ['has a name or value with invisible characters', { properties: { 'a\u202Eb': {} } }],
    ['is not valid: type must be JSONType or JSONType[]: text', { properties: { a: { type: 'text' } } }],
    ['is not valid: enum must have non-empty array', { properties: { a: { enum: [] } } }],
    ['has a $recursiveRef that its dialect does not define', { properties: { a: { $recursiveRef: '#' } } }],
    ['refers to a schema that does not exist', { $ref: '#/%' }],
    ['has patterns that are too large', { allOf: Array.from({ length: 9 }, (_, i) => ({ pattern: `a{900}${i}` })) }],
    ['has references and a nested $id', { properties: { a: { $id: 'x', $ref: '#' } } }],
  ]
  const annotations = { number: JSON.parse('1e400'), deep: nested(5_000) }
  t.equal(await reasonOf(tool('t', { annotations })), 'Its output schema or its annotations are nested too deeply.')
  t.equal(await reasonOf(withSchema(nested(5_000))), 'Its input schema is nested more than 32 levels deep.')
  for (const [fault, schema] of faults)
    t.equal(await reasonOf(withSchema(schema)), `Its input schema ${fault}.`, JSON.stringify(schema).slice(0, 80))

  const good: object[] = [
    { properties: properties(500) },
    { $schema: 'http://json-schema.org/draft-07/schema#', properties: { a: { items: [{ type: 'string' }] } } },
    { $id: 'https://x.test/s', properties: { a: { $ref: '#/$defs/a~1b' } }, $defs: { 'a/b': { type: 'string' } } },
    {
      properties: { a: { $ref: '#/%24defs/node' } },
      $defs: { node: { properties: { next: { $ref: '#/$defs/node' } } } },
    },
    { properties: { a: { $ref: '#here' } }, $defs: { a: { $anchor: 'here' } } },
    { properties: { mail: { format: 'email', pattern: '^(?!\\.)[a-z.]+@x$' } } },
    { properties: { constructor: { type: 'string' }, a: true, b: false }, fault: 'none', reason: 'none' },
  ]
  for (const schema of good) t.equal(await reasonOf(withSchema(schema)), undefined, JSON.stringify(schema).slice(0, 80))
})

t.test('a tool without a type or an input schema takes an object, and says what was corrected', async t => {
  const properties = { a: { type: 'string' } }
  const cases: [object, object, string | undefined][] = [
    [{}, { type: 'object' }, 'It has no input schema. The gateway accepts any arguments.'],
    [{ inputSchema: null }, { type: 'object' }, 'It has no input schema. The gateway accepts any arguments.'],
    [{ inputSchema: {} }, { type: 'object' }, 'Its input schema has no type. The gateway uses type "object".'],
    [
      { inputSchema: { properties } },
      { type: 'object', properties },
      'Its input schema has no type. The gateway uses type "object".',
    ],
    [
      { inputSchema: { type: ['object', 'null'], properties } },
      { type: 'object', properties },
      'Its input schema also allows null. The gateway uses only type "object".',
    ],
    [{ inputSchema: { type: 'object' } }, { type: 'object' }, undefined],
  ]
  for (const [sent, inputSchema, correction] of cases) {
    const pinned = await published({ name: 't', ...sent })
    t.strictSame(pinned.inputSchema, inputSchema, JSON.stringify(sent))
    t.strictSame(pinned.corrections, correction && [correction])
    t.ok(ToolSchema.safeParse({ ...pinned, corrections: undefined }).success)
  }
  for (const inputSchema of [{ type: ['array', 'null'] }, { type: 'string' }, { type: null }])
    t.equal(await reasonOf({ name: 't', inputSchema }), 'Its input schema is not of type "object".')
})

t.test('a schema of JSON Schema 2019-09 is accepted, with its recursion', async t => {
  const { inputSchema } = await published(
    withSchema({
      $schema: 'https://json-schema.org/draft/2019-09/schema#',
      $recursiveAnchor: true,
      properties: { pair: { items: [{ type: 'string' }] }, child: { $recursiveRef: '#' } },
      unevaluatedProperties: false,
    }),
  )
  const { refuse } = createPinnedValidators()
  const pinned = { hash: '2019', inputSchema }
  t.equal(refuse(pinned, { pair: ['x', 1], child: { pair: [] } }), undefined)
  t.equal(refuse(pinned, { child: { pair: [5] } }), '`child.pair[0]` must be a string; got 5.')
  t.equal(refuse(pinned, { more: 1 }), 'Unknown argument `more`.')
})

t.test('a faulty output schema is omitted, and its tool stays', async t => {
  const faulty = await published(tool('t', { outputSchema: { type: 'array' } }))
  t.strictSame(faulty.corrections, [
    'Its output schema is not of type "object". The gateway lists the tool without it.',
  ])
  t.strictSame(
    (await published(tool('t', { outputSchema: { type: 'object', $ref: '#/none' } }))).outputSchema,
    undefined,
  )
  t.strictSame((await published(tool('t', { outputSchema: { type: 'array' } }))).outputSchema, undefined)
  t.strictSame((await published(tool('t', { outputSchema: { type: 'object', title: 'A\n' } }))).outputSchema, {
    type: 'object',
    title: 'A',
  })
})

t.test('a tool with an invalid x-mcp-header mark is rejected', async t => {
  const marked = (mark: unknown, type: string) => ({ type, 'x-mcp-header': mark })
  const faults: [RegExp, object][] = [
    [/not a valid header name/, { properties: { a: marked('', 'string') } }],
    [/not a valid header name/, { properties: { a: marked('My Region', 'string') } }],
    [/not a valid header name/, { properties: { a: marked('Region:Primary', 'string') } }],
    [/not a valid header name/, { properties: { a: marked('Région', 'string') } }],
    [/not a valid header name/, { properties: { a: marked('Region\t1', 'string') } }],
    [/not a valid header name/, { properties: { a: marked(5, 'string') } }],
    [/not a string, integer or boolean/, { properties: { a: marked('A', 'number') } }],
    [/not a string, integer or boolean/, { properties: { a: marked('A', 'object') } }],
    [/twice/, { properties: { a: marked('MyField', 'string'), b: marked('myfield', 'string') } }],
    [/where it is not allowed/, { 'x-mcp-header': 'A' }],
    [/where it is not allowed/, { properties: { a: { items: marked('A', 'string') } } }],
    [/where it is not allowed/, { properties: { a: { items: { properties: { b: marked('A', 'string') } } } } }],
    [/where it is not allowed/, { $defs: { a: marked('A', 'string') } }],
    [/where it is not allowed/, { anyOf: [{ properties: { b: marked('A', 'string') } }] }],
  ]
  for (const [fault, schema] of faults) t.match(await reasonOf(withSchema(schema)), fault, JSON.stringify(schema))
  const nested = { type: 'object', properties: { c: marked('C', 'boolean') } }
  const good = { properties: { a: marked('A', 'string'), b: nested, 'x-mcp-header': marked('X', 'integer') } }
  t.equal(await reasonOf(withSchema(good)), undefined)
})

t.test('hashes', async t => {
  const sent = {
    name: 'a.b',
    title: 'T',
    description: 'D\u200B',
    inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
    outputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  }

  t.test('cover the canonical JSON of what was sent', async t => {
    const { tools, hash: whole } = await take({ ...sent, _meta: { a: 1 }, icons: [] }, tool('Z'))
    const [z, a] = tools
    t.equal(a?.hash, hash('sha256', canonicalJson(sent)))
    t.equal(z?.hash, hash('sha256', '{"inputSchema":{"type":"object"},"name":"Z"}'))
    // Sorted by original name: "Z" comes before "a.b".
    t.equal(whole, hash('sha256', canonicalJson([tool('Z'), sent])))
    for (const part of Object.keys(sent).filter(part => part !== 'inputSchema'))
      t.not(
        (await take({ ...sent, [part]: undefined, ...(part === 'name' && { name: 'x' }) })).hash,
        (await take(sent)).hash,
        part,
      )
  })

  t.test('do not depend on the order of tools and members, nor on rejected tools', async t => {
    const reversed = Object.fromEntries(Object.entries(sent).reverse())
    const one = await take(sent, tool('b'), tool('c'))
    const other = await take(tool('c'), tool('b'), { name: 'bad', inputSchema: 'x' }, reversed)
    t.equal(one.hash, other.hash)
    t.strictSame(one.tools, other.tools)
  })

  t.test('differ for texts that are equal after sanitizing', async t => {
    const one = await published(tool('t', { description: 'a' }))
    const other = await published(tool('t', { description: 'a\uD800' }))
    t.equal(one.description, other.description)
    t.not(one.hash, other.hash)
  })

  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.string({ unit: 'binary' }), async (value, text) => {
      const of = async (outputSchema: unknown) => (await take(tool('t', { outputSchema, description: text }))).hash
      return (await of({ a: value, b: 1 })) === (await of(JSON.parse(JSON.stringify({ b: 1, a: value }))))
    }),
    { numRuns: 20 },
  )
})

t.test('a snapshot is limited', async t => {
  t.test('to the first 500 tools by name, and names 100 of the others', async t => {
    const sent = Array.from({ length: 620 }, (_, i) => tool(`t${String(i).padStart(3, '0')}`))
    const { tools, rejected } = await take(...sent.toReversed())
    t.equal(tools.length, 500)
    t.equal(tools.at(-1)?.name, 't499')
    t.equal(rejected.count, 120)
    t.equal(rejected.tools.length, 100)
    t.match(rejected.tools[0], { originalName: 't500', reason: 'Only the first 500 tools by name are published.' })
    t.match(rejected.tools.at(-1), { originalName: 't599' })
  })

  t.test('to 2 MiB of JSON', async t => {
    const sent = Array.from({ length: 40 }, (_, i) => ({
      ...withSchema({ properties: { a: { const: 'x'.repeat(60_000) } } }),
      name: `t${i}`,
    }))
    const { tools, rejected } = await take(...sent)
    t.ok(JSON.stringify(tools).length <= 2 * 1024 * 1024)
    t.equal(tools.length + rejected.count, 40)
    t.match(rejected.tools[0], { reason: 'The tools of a connector may have at most 2 MiB together.' })
  })
})

t.test(
  'any list becomes a snapshot that the SDK’s client accepts and that is stable when it is taken again',
  async t => {
    const { db } = await testDatabase(t)
    const word = fc.constantFrom(
      ...['type', 'object', 'properties', 'a', 'items', '$ref', '#', '__proto__', 'title', 'enum'],
    )
    const json = fc.letrec(tie => ({
      value: fc.oneof({ maxDepth: 5 }, fc.jsonValue({ maxDepth: 1 }), word, tie('object'), fc.array(tie('value'))),
      object: fc.dictionary(fc.oneof(word, fc.string({ unit: 'binary' })), tie('value'), { maxKeys: 4 }),
    }))
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string())
    const mostly = <T>(arbitrary: fc.Arbitrary<T>) =>
      fc.oneof({ weight: 9, arbitrary }, { weight: 1, arbitrary: json.value as fc.Arbitrary<unknown> })
    const argument = fc.record(
      {
        title: text,
        description: text,
        type: fc.constantFrom('string', 'integer'),
        default: fc.jsonValue(),
        enum: fc.array(text),
      },
      { requiredKeys: [] },
    )
    const schema = fc.oneof(
      json.object.map(schema => ({ ...schema, type: 'object' })),
      fc.dictionary(fc.string(), mostly(argument)).map(properties => ({ type: 'object', properties })),
    )
    const sent = fc.record(
      {
        name: mostly(fc.string({ minLength: 1 })),
        title: mostly(text),
        description: mostly(text),
        inputSchema: schema,
        outputSchema: mostly(schema),
        annotations: mostly(fc.dictionary(fc.constantFrom('title', 'readOnlyHint', 'x'), json.value)),
      },
      { requiredKeys: ['name', 'inputSchema'] },
    )
    let kept = 0
    const all: Snapshot[] = []
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 5, arbitrary: sent }, json.value), { maxLength: 6 }),
        async tools => {
          const one = await take(...tools)
          const names = one.tools.map(({ name }) => name)
          t.strictSame(names, names.toSorted())
          t.ok(names.every(name => /^[A-Za-z0-9_-]+$/.test(name) && name.length <= ROOM))
          const again = await take(...one.tools.map(asSent).toReversed())
          const shown = ({ hash, corrections, ...rest }: PinnedTool) => rest
          t.strictSame(again.tools.map(shown), one.tools.map(shown))
          t.strictSame(again.rejected, { tools: [], count: 0 })
          const same = again.tools.every((tool, i) => tool.hash === one.tools[i]?.hash)
          t.equal(again.hash === one.hash, same)
          for (const tool of one.tools) ToolSchema.parse(asSent(tool))
          kept += one.tools.length
          all.push(one)
        },
      ),
      { numRuns: 60 },
    )
    const { rows } = await sql<{ kept: Snapshot[] }>`select ${JSON.stringify(all)}::jsonb as kept`.execute(db)
    t.strictSame(rows[0]?.kept, JSON.parse(JSON.stringify(all)))
    t.ok(kept > 25, `${kept} tools were published`)
  },
)

t.test('a recursive schema is accepted', async t => {
  for (const $schema of ['https://json-schema.org/draft/2020-12/schema', 'http://json-schema.org/draft-07/schema#']) {
    const children = { type: 'array', items: { $ref: '#' } }
    t.match(await published(withSchema({ $schema, properties: { children } })), {
      inputSchema: { properties: { children } },
    })
  }
})

t.test('the size of the validated tools is limited, including faulty ones', async t => {
  const wide = {
    properties: Object.fromEntries(
      Array.from({ length: 450 }, (_, i) => [
        `p${i}`,
        { pattern: '(?=a)', not: { pattern: '(?=b)' }, title: 'x'.repeat(60) },
      ]),
    ),
  }
  const { tools, rejected } = await take(
    ...Array.from({ length: 110 }, (_, i) => ({ ...withSchema(wide), name: `t${i}` })),
  )
  t.equal(tools.length, 0)
  t.ok(rejected.tools.some(({ reason }) => /^It was not validated/.test(reason)))
})
