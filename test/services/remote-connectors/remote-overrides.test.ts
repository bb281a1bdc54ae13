import t from 'tap'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { OverrideChanges } from '../../../schemas/remotes/overrides.ts'
import { explainRemoteTool } from '../../../services/remote-connectors/calls/explain-remote-tool.ts'
import { toRemoteRead } from '../../../services/remote-connectors/to-remote-entry.ts'
import { testDatabase } from '../../fixtures/database.ts'
import { commands } from '../../fixtures/operator-commands.ts'
import { asked, remoteFixture, upstreamTool } from '../../fixtures/registration-fixture.ts'
import { rejectionOf } from '../../fixtures/rejection.ts'
import { ada as caller, pinned, remoteToolFixture, remoteWith } from '../../fixtures/remote-tool-fixture.ts'

const database = await testDatabase(t)

const ORIGIN = 'http://localhost'
const COOLDOWN_MS = 30_000
const schema = {
  type: 'object',
  properties: { space: { type: 'string', enum: ['public', 'private'] }, page: { type: 'string' } },
  required: ['space', 'page'],
  additionalProperties: false,
} as const

/** A registration of three tools and its admin. */
async function registered(t: Parameters<typeof remoteFixture>[0]) {
  const fixture = remoteFixture(t, database)
  const { remotes, directory, upstream, clock } = fixture
  const [ada] = await directory.members('owner')
  const { caller, orgId } = ada
  const read = (fields = {}) =>
    upstreamTool('read', { inputSchema: schema, annotations: { readOnlyHint: true }, ...fields })
  upstream.answer = async () => [read(), upstreamTool('erase'), upstreamTool('list')]
  await remotes.register(caller, asked, ORIGIN)
  const find = async () => {
    const remote = await remotes.find(orgId, 'wiki')
    if (remote === undefined) throw new Error('It was removed')
    return remote
  }
  const update = (overrides: OverrideChanges) => remotes.update(caller, 'wiki', { overrides }, ORIGIN)
  return {
    ...fixture,
    caller,
    read,
    find,
    update,
    refused: (overrides: OverrideChanges) => rejectionOf(update(overrides), GatewayError),
    entry: async (admin = true) => toRemoteRead(await find(), { origin: ORIGIN, admin, commands }).remote,
    /** Sets the tools of the upstream and takes them over as an admin does. */
    async serves(...tools: object[]) {
      upstream.answer = async () => tools
      clock.advance(COOLDOWN_MS)
      return fixture.accepted(caller, 'wiki')
    },
  }
}

t.test('overrides are kept per tool, replaced and removed, and only admins see them', async t => {
  const { update, entry, find, caller } = await registered(t)
  await update({ read: { title: ' Read\u200b ', fixed: { space: 'public' } }, erase: { hidden: true } })
  t.match((await entry()).overrides, [
    { original_name: 'erase', hidden: true, state: 'current', set_by_user_id: caller.userId, set_at: /Z$/ },
    { original_name: 'read', title: 'Read', fixed: { space: 'public' }, state: 'current' },
  ])
  t.notOk('overrides' in (await entry(false)))
  const { tools, tool_count } = await entry(false)
  t.match(tools, [{ original_name: 'erase', hidden: true }, {}, { original_name: 'read', input_schema: schema }])
  t.equal(tool_count, 3, 'the pinned tools are what the server published')
  await update({ read: { class: 'read' }, erase: null })
  t.match((await find()).registration.overrides, [{ originalName: 'read', class: 'read', title: undefined }])
  await update({ read: null, nothing: null })
  t.same((await find()).registration.overrides, [])
})

t.test('an override that cannot apply is rejected, and nothing is stored', async t => {
  const { refused, find, serves, read } = await registered(t)
  const page = 'x'.repeat(9_000)
  const cases: [OverrideChanges, RegExp][] = [
    [{ nothing: { hidden: true } }, /no pinned tool "nothing"/],
    [{ __proto__: null, constructor: { hidden: true } }, /no pinned tool "constructor"/],
    [{ read: { title: '\u200b' } }, /The title for read has no visible characters/],
    [{ read: { fixed: { color: 'red' } } }, /read has no argument "color" to fix/],
    [{ read: { fixed: { space: 'secret' } } }, /not valid: .*`space`/],
    [{ read: { fixed: { page } } }, /larger than 8 KiB/],
  ]
  for (const [overrides, message] of cases)
    t.match(await refused({ erase: { hidden: true }, ...overrides }), { code: 'invalid_request', message })
  await serves(read({ inputSchema: { ...schema, anyOf: [{ required: ['page'] }] } }))
  t.match(await refused({ read: { fixed: { page: 'x' } } }), { message: /its schema connects them with anyOf/ })
  t.same((await find()).registration.overrides, [])
})

t.test('an argument that the rest of the schema refers to cannot be fixed', async t => {
  const { update, refused, serves, read, find } = await registered(t)
  const text = { type: 'string' }
  const record = { type: 'object', properties: { id: text } }
  const list = { type: 'array', items: { $ref: '#/properties/from' } }
  const cases: [label: string, properties: object, fixed: Record<string, unknown>][] = [
    ['another argument', { from: text, to: { $ref: '#/properties/from' } }, { from: 'x' }],
    ['a part of it', { from: record, to: { $ref: '#/properties/from/properties/id' } }, { from: { id: 'x' } }],
    ['a nested schema', { from: text, to: { type: 'object', properties: { ids: list } } }, { from: 'x' }],
    ['its anchor', { from: { ...text, $anchor: 'id' }, to: { $ref: '#id' } }, { from: 'x' }],
    ['the whole schema', { from: text, to: { type: 'array', items: { $ref: '#' } } }, { from: 'x' }],
    ['an escaped name', { 'a/b%': text, to: { $ref: '#/properties/a~1b%25' } }, { 'a/b%': 'x' }],
  ]
  for (const [label, properties, fixed] of cases) {
    await serves(read({ inputSchema: { type: 'object', properties } }))
    const message = /another part of its schema refers to one of them/
    t.match(await refused({ read: { fixed } }), { message }, label)
  }
  t.same((await find()).registration.overrides, [])

  const tree = { type: 'object', properties: { child: { $ref: '#/properties/from' } } }
  await serves(
    read({
      inputSchema: { type: 'object', properties: { from: tree, fromage: text, to: { $ref: '#/properties/fromage' } } },
    }),
  )
  await update({ read: { fixed: { from: { child: {} } } } })
  t.match((await find()).registration.overrides, [{ fixed: { from: { child: {} } } }], 'only its own references')
})

t.test('the overrides of a registration are bounded', async t => {
  const { update, refused, serves } = await registered(t)
  const names = Array.from({ length: 40 }, (_, i) => `tool_${i}`)
  await serves(...names.map(name => upstreamTool(name)))
  const described = (from: number, to: number) =>
    Object.fromEntries(names.slice(from, to).map(name => [name, { description: `${name} ${'word '.repeat(800)}` }]))
  await update(described(0, 20))
  t.match(await refused(described(20, 40)), { message: /larger than 128 KiB together/ })
})

t.test('an override survives refreshes and renames, and is flagged once its tool has changed', async t => {
  const { update, entry, serves, read, find } = await registered(t)
  await update({ read: { title: 'Ours' }, erase: { hidden: true }, list: { class: 'read' } })
  const states = async () => (await entry()).overrides?.map(({ original_name, state }) => `${original_name} ${state}`)
  await serves(read(), upstreamTool('erase'), upstreamTool('list'), upstreamTool('more'))
  t.same(await states(), ['erase current', 'list current', 'read current'])
  await serves(
    read({ description: 'Reads, and more.' }),
    upstreamTool('wipe', { description: 'Does erase.' }),
    upstreamTool('more'),
  )
  t.same(await states(), ['erase missing', 'list missing', 'read changed', 'wipe changed'])
  t.match(explainRemoteTool([await find()], 'org__wiki__wipe', commands), { reason: 'hidden' }, 'it stays hidden')
  await update({ read: { title: 'Ours' } })
  t.ok((await states())?.includes('read current'), 'setting it again confirms it')
})

t.test('hints count once an admin has confirmed them, until a risky change', async t => {
  const { entry, remotes, caller, serves, read, upstream, clock } = await registered(t)
  const classes = async () =>
    Object.fromEntries((await entry(false)).tools.map(tool => [tool.original_name, tool.class ?? 'unknown']))
  const confirm = async (hash?: string | null) =>
    remotes.confirm(caller, 'wiki', hash ?? (await entry()).full_schema_hash ?? '')
  t.same(await classes(), { erase: 'unknown', list: 'unknown', read: 'unknown' })
  t.match(await rejectionOf(confirm('f'.repeat(64)), GatewayError), { code: 'preview_expired' })
  await confirm()
  t.same(await classes(), { erase: 'destructive', list: 'destructive', read: 'read' })
  t.match((await entry(false)).confirmed, { confirmed_by_user_id: caller.userId })

  upstream.answer = async () => [read(), upstreamTool('list')]
  clock.advance(COOLDOWN_MS)
  t.match(await remotes.refresh(caller, 'wiki'), { applied: true })
  t.same(await classes(), { list: 'destructive', read: 'read' }, 'a harmless change keeps them')
  await serves(
    read({ description: 'Reads, and more.' }),
    upstreamTool('list', { annotations: { destructiveHint: false } }),
  )
  t.same(await classes(), { list: 'unknown', read: 'unknown' })
  await confirm()
  t.same(await classes(), { list: 'write', read: 'read' })
  await remotes.update(
    caller,
    'wiki',
    { upstream_url: 'https://unknown.test/mcp', overrides: { list: { class: 'read' } } },
    ORIGIN,
  )
  t.same(await classes(), { list: 'read', read: 'unknown' }, 'another server is not confirmed')
  t.match(await rejectionOf(remotes.confirm({ ...caller, role: 'member' }, 'wiki', 'x'), GatewayError), {
    code: 'admin_required',
  })
})

/** The surfaces of an organization with one registration whose tools have these overrides. */
function served(overrides: OverrideChanges) {
  const fixture = remoteToolFixture()
  const read = pinned('read', {
    title: 'Theirs',
    description: 'Reads.',
    inputSchema: schema,
    annotations: { openWorldHint: true },
  })
  const erase = pinned('erase')
  const stored = Object.entries(overrides).map(([originalName, override]) => ({
    originalName,
    hash: read.hash,
    setBy: 'usr_1',
    setAt: 0,
    ...override,
  }))
  fixture.remotes.push(remoteWith(caller.orgId, [erase, read], { overrides: stored }))
  return fixture
}

t.test('an overridden tool is listed as the admin says, under its own name', async t => {
  const { listed, remoteTools } = served({
    read: { title: 'Ours', description: 'Reads a public page.', fixed: { space: 'public' }, class: 'read' },
  })
  const [, read] = await listed(caller)
  t.same(read, {
    name: 'org__wiki__read',
    title: 'Ours',
    description: 'Reads a public page.\n\n(Described by an admin; a tool of the registered upstream "The wiki".)',
    inputSchema: { ...schema, properties: { page: { type: 'string' } }, required: ['page'] },
    annotations: { openWorldHint: true, readOnlyHint: true, destructiveHint: false },
  })
  t.match(await remoteTools.explain(caller, 'org__wiki__read'), { class: 'read', entry: { title: 'Ours' } })
})

t.test('fixed arguments are sent with every call, and callers cannot send them', async t => {
  const { call, reached } = served({ read: { fixed: { space: 'public' } } })
  await call(caller, 'org__wiki__read', { page: 'Home' })
  t.match(reached, [{ call: { name: 'read', arguments: { page: 'Home', space: 'public' }, inputSchema: schema } }])
  for (const space of ['private', 'public', undefined]) {
    const { isError, content } = await call(caller, 'org__wiki__read', { page: 'Home', space })
    t.match({ isError, content }, { isError: true, content: [{ text: /`space` is set by an admin .* Omit it/ }] })
  }
  t.match(await call(caller, 'org__wiki__read', {}), { isError: true, content: [{ text: /`page` is required/ }] })
  t.equal(reached.length, 1)
})

t.test('a hidden tool is not listed and not found, and the explanation says why', async t => {
  const { names, call, remoteTools, reached } = served({ erase: { hidden: true } })
  t.same(await names(caller), ['org__wiki__read'])
  t.match(await call(caller, 'org__wiki__erase'), { content: [{ text: 'Tool org__wiki__erase not found' }] })
  t.same(reached, [])
  for (const name of ['org__wiki__erase', 'erase'])
    t.match(await remoteTools.explain(caller, name), {
      reason: 'hidden',
      explanation: /An admin of your organization has hidden this tool of The wiki/,
    })
})
