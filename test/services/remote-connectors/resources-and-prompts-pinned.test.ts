import {
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
} from '@modelcontextprotocol/sdk/types.js'
import t from 'tap'
import {
  fromGatewayUri,
  toGatewayTemplate,
  toGatewayUri,
  toUiUri,
} from '../../../services/remote-connectors/resource-uri.ts'
import {
  promptEntry,
  resourceEntry,
  templateEntry,
} from '../../../services/remote-connectors/resources/resources-and-prompts.ts'
import { changesBetween } from '../../../services/remote-connectors/snapshots/diff/changes-between.ts'
import { pinMeta } from '../../../services/remote-connectors/snapshots/pin/pin-meta.ts'
import { pinOffers } from '../../../services/remote-connectors/snapshots/pin/pin-resources-and-prompts.ts'
import type { ListedOffers } from '../../../services/remote-connectors/upstream/upstream.ts'
import { madeSnapshot } from '../../fixtures/made-remote.ts'
import fc from '../../fixtures/property.ts'

const capability = 'org__wiki'

function pin({ resources = [], templates = [], prompts = [], instructions }: Lists = {}) {
  const listed: ListedOffers = {
    announced: { resources: true, prompts: true },
    instructions,
    resources: { items: resources },
    resourceTemplates: { items: templates },
    prompts: { items: prompts },
  }
  return pinOffers(listed, { capability })
}

interface Lists {
  resources?: unknown[]
  templates?: unknown[]
  prompts?: unknown[]
  instructions?: string
}

const reasons = (offers: ReturnType<typeof pin>) => offers.rejected.map(({ reason }) => reason)

t.test('texts are sanitized and cut, and null counts as absent', async t => {
  const { resources, prompts, instructions } = pin({
    instructions: 'Be\u202E good.',
    resources: [
      { uri: 'a:1', name: 'One\u200B', title: null, description: `x${'y'.repeat(5_000)}`, mimeType: 'text/plain' },
    ],
    prompts: [{ name: 'ask it', description: 'a\u0007b', arguments: [{ name: 'q', description: 'c\u2066d' }] }],
  })
  t.equal(instructions, 'Be good.')
  t.match(resources, [{ uri: 'a:1', name: 'One', description: /^xy+…$/, mimeType: 'text/plain' }])
  t.equal(resources[0]?.description?.length, 4_096)
  t.notOk(Object.hasOwn(resources[0] ?? {}, 'title'))
  t.match(prompts, [{ name: 'ask_it', originalName: 'ask it', description: 'ab', arguments: [{ name: 'q' }] }])
})

t.test('faulty resources, templates and prompts are rejected one by one, each with a reason', async t => {
  const deep = Array.from({ length: 70 }).reduce<unknown>(value => ({ value }), 1)
  const offers = pin({
    resources: [
      { uri: 'a:1', name: 'ok' },
      { uri: 'a:1', name: 'again' },
      { name: 'no uri' },
      { uri: 'a:\u200B2', name: 'hidden' },
      { uri: `a:${'b'.repeat(2_048)}`, name: 'long' },
      { uri: 'a:3' },
      { uri: 'a:4', name: 'deep', annotations: deep },
      7,
    ],
    templates: [
      { uriTemplate: 'a:{b}', name: 'ok' },
      { uriTemplate: '', name: 'empty' },
    ],
    prompts: [
      { name: 'ok' },
      { name: 'list', arguments: {} },
      { name: 'many', arguments: Array(51).fill({ name: 'a' }) },
      { name: 'nameless', arguments: [{ description: 'x' }] },
    ],
  })
  t.same([offers.resources.length, offers.templates.length, offers.prompts.length], [1, 1, 1])
  t.same(reasons(offers).sort(), [
    'A resource without uri.',
    'A resource without uri.',
    'An argument has no name, or its name is too long or contains invisible characters.',
    'An earlier resource has the same uri.',
    'It has no name.',
    'It is nested too deeply.',
    'Its arguments are not a list of at most 50.',
    'Its arguments are not a list of at most 50.',
    'The uri of this resource is empty, too long or contains invisible characters.',
    'The uri of this resource is empty, too long or contains invisible characters.',
    'The uriTemplate of this resource template is empty, too long or contains invisible characters.',
  ])
})

t.test('a server publishes a limited number and size of resources and prompts', async t => {
  const many = Array.from({ length: 600 }, (_, i) => ({ uri: `a:${i}`, name: 'x' }))
  const prompts = Array.from({ length: 120 }, (_, i) => ({ name: `p${i}` }))
  const numbered = pin({ resources: many, prompts })
  t.same([numbered.resources.length, numbered.prompts.length, numbered.rejected.length], [500, 100, 100])
  const large = Array.from({ length: 400 }, (_, i) => ({ uri: `a:${i}`, name: 'x', description: 'y'.repeat(4_000) }))
  const sized = pin({ resources: large })
  t.ok(JSON.stringify(sized.resources).length < 1_100_000)
  t.match(reasons(sized)[0], /at most 1024 KiB/)
})

t.test('any lists become offers that the SDK’s clients accept', async t => {
  const value = fc.oneof(fc.string(), fc.constant(null), fc.integer(), fc.jsonValue())
  const item = fc.record(
    {
      uri: fc.string(),
      uriTemplate: fc.string(),
      name: fc.string(),
      title: value,
      description: value,
      mimeType: value,
      size: value,
      annotations: value,
      arguments: value,
      _meta: value,
    },
    { requiredKeys: [] },
  )
  const registration = { slug: 'wiki', name: 'The wiki' }
  const accepted = fc.property(fc.array(fc.oneof(item, value)), items => {
    const offers = pin({ resources: items, templates: items, prompts: items })
    const resources = offers.resources.map(one => resourceEntry(one, registration))
    const resourceTemplates = offers.templates.map(one => templateEntry(one, registration))
    const prompts = offers.prompts.map(one => promptEntry(one, registration))
    ListResourcesResultSchema.parse({ resources })
    ListResourceTemplatesResultSchema.parse({ resourceTemplates })
    ListPromptsResultSchema.parse({ prompts })
    // What is stored and read again is the same.
    return JSON.stringify(JSON.parse(JSON.stringify(offers))) === JSON.stringify(offers)
  })
  t.doesNotThrow(() => fc.assert(accepted))
})

t.test('a _meta is bounded, cleaned and loses the members that only the gateway may set', async t => {
  const forged = { 'connector-gateway/account': 'x', 'io.modelcontextprotocol/serverInfo': {} }
  t.strictSame(pinMeta({ ...forged, a: ['b\u202Ec', { d: null }], 'e\u200B': 1 }), { a: ['bc', { d: null }] })
  t.equal(pinMeta(forged), undefined)
  t.equal(pinMeta({ a: 'b'.repeat(8_200) }), undefined, 'too large')
  t.equal(pinMeta(JSON.parse(`${'{"a":'.repeat(10)}1${'}'.repeat(10)}`)), undefined, 'too deep')
  t.equal(pinMeta('x'), undefined)
  t.strictSame(Object.keys(pinMeta(JSON.parse('{"__proto__":{"x":1},"y":2}')) ?? {}), ['y'])
})

t.test('every URI of an upstream comes back from its URI at the gateway, and only for its slug', async t => {
  const uris = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
  const comesBack = fc.property(uris, uri => {
    const named = [toGatewayUri('wiki', uri), toUiUri('wiki', uri)].map(fromGatewayUri)
    return named.every(one => one?.slug === 'wiki' && one.uri === uri)
  })
  t.doesNotThrow(() => fc.assert(comesBack, { examples: [['a/../b?c=%2F#d'], ['file:///my file.txt']] }))
  const foreign = ['cgw+org://Wiki/a', 'cgw+org://wiki', 'cgw+org://wiki/', 'cgw+org:///a', 'cgw+org://wiki/%ff', 'x:a']
  for (const uri of foreign) t.equal(fromGatewayUri(uri), undefined, uri)
  t.equal(toGatewayTemplate('wiki', 'db://{table}/rows{?limit}'), 'cgw+org://wiki/db%3A%2F%2F{table}%2Frows{?limit}')
})

t.test('every new or changed text is a risky change, also a tool’s interface', async t => {
  const at = (offers: ReturnType<typeof pin>, meta?: object) => ({
    ...madeSnapshot,
    tools: madeSnapshot.tools.map(tool => ({ ...tool, ...(meta !== undefined && { meta: { ...meta } }) })),
    offers,
  })
  const before = pin({ resources: [{ uri: 'a:1', name: 'x' }], prompts: [{ name: 'p', description: 'old' }] })
  const after = pin({ resources: [{ uri: 'a:1', name: 'y' }], prompts: [{ name: 'p', description: 'new' }] })
  const changes = changesBetween(at(before), at(after, { ui: { resourceUri: 'ui://x' } }), capability)
  t.match(
    changes.changed.map(({ name, risky, changes: [first] }) => [name, risky, first?.what]),
    [
      ['org__wiki__read', true, 'meta'],
      ['cgw+org://wiki/a%3A1', true, 'resource'],
      ['org__wiki__p', true, 'prompt'],
    ],
  )
  const same = pin({ resources: [{ uri: 'a:1', name: 'x', size: 9 }], prompts: [{ name: 'p', description: 'old' }] })
  t.same(changesBetween(at(before), at(same), capability).changed, [], 'the size of a resource is no change')
  const claiming = (claims: object, meta?: object) => {
    const claimed = { annotations: claims, ...(meta !== undefined && { _meta: meta }) }
    const resources = [{ uri: 'a:1', name: 'x', ...claimed }]
    return pin({
      resources,
      templates: [{ uriTemplate: 'a:{b}', name: 'x', ...claimed }],
      prompts: [{ name: 'p', ...claimed }],
    })
  }
  const edited = (from: ReturnType<typeof pin>, to: ReturnType<typeof pin>) =>
    changesBetween(at(from), at(to), capability).changed.map(({ name, risky, changes }) => [name, risky, ...changes])
  t.same(edited(claiming({ lastModified: '2026-01-01T00:00:00Z' }), claiming({})), [], 'nor is the time of its change')
  t.match(edited(claiming({ priority: 0.5 }), claiming({ priority: 1 })), [
    ['cgw+org://wiki/a%3A1', true, { what: 'resource', before: { priority: 0.5 }, after: { priority: 1 } }],
    ['cgw+org://wiki/a%3A{b}', true, { what: 'resource_template', after: { priority: 1 } }],
  ])
  t.match(edited(claiming({}), claiming({}, { 'a.test/b': 'Do it.' })), [
    ['cgw+org://wiki/a%3A1', true, { what: 'resource', after: { 'a.test/b': 'Do it.' } }],
    ['cgw+org://wiki/a%3A{b}', true, { what: 'resource_template', after: { 'a.test/b': 'Do it.' } }],
    ['org__wiki__p', true, { what: 'prompt', after: { 'a.test/b': 'Do it.' } }],
  ])
  const told = pin({ resources: [{ uri: 'a:1', name: 'x' }], prompts: [], instructions: 'Do it.' })
  t.match(changesBetween(at(before), at(told), capability), {
    changed: [{ name: 'org__wiki', risky: true, changes: [{ what: 'instructions', after: 'Do it.' }] }],
    removed: [{ name: 'org__wiki__p', risky: false }],
  })
})
