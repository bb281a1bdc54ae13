import { isSpecType } from '@modelcontextprotocol/client'
import { type CallToolResult, CallToolResultSchema, ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { keepDigits } from '../../../lib/exact-numbers.ts'
import { validateTransport } from '../../../plugins/transport-validation/validate-transport.ts'
import { defineTool } from '../../../services/definitions/define-tool.ts'
import { UpstreamError, type UpstreamFailure } from '../../../services/remote-connectors/upstream/upstream.ts'
import { cpuMs } from '../../fixtures/elapsed.ts'
import { askedBy } from '../../fixtures/fixture.ts'
import { madeAccount, madeOauth } from '../../fixtures/made-remote.ts'
import { modern, request, SERVER_INFO } from '../../fixtures/mcp-fixture.ts'
import { brokenRules } from '../../fixtures/provider-rules.ts'
import { ada, bob, errorIn, eve, pinned, remoteToolFixture, remoteWith } from '../../fixtures/remote-tool-fixture.ts'

const remember = defineTool({
  name: 'memory__remember',
  title: 'Remember',
  description: 'Remembers.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: Type.Object({}, { additionalProperties: false }),
  run: async () => ({ content: [] }),
})
/** What a listed output schema also allows. */
const UNMATCHED = { type: 'object', properties: { unmatched_output: {} }, required: ['unmatched_output'] }
const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] })

t.test('an upstream’s tools are listed with its own descriptions, sorted by name with all others', async t => {
  const { remotes, listed, send } = remoteToolFixture({ builtIn: [remember] })
  const inputSchema = { type: 'object' as const, properties: { id: { type: 'string' } }, required: ['id'] }
  const outputSchema = { type: 'object' as const, properties: { page: { type: 'string' } } }
  remotes.push(
    remoteWith('org_1', [
      pinned('read', {
        originalName: 'pages.read',
        title: 'Read a page',
        description: 'Reads a page.',
        inputSchema,
        outputSchema,
        annotations: { readOnlyHint: true, title: 'Read' },
      }),
      pinned('write'),
    ]),
    remoteWith('org_1', [pinned('x')], { id: 'rem_2', slug: 'wiki-2', name: 'Another' }),
  )
  const tools = await listed(ada)
  t.same(
    tools.map(({ name }) => name),
    ['memory__remember', 'org__wiki-2__x', 'org__wiki__read', 'org__wiki__write'],
  )
  t.strictSame(tools[2], {
    name: 'org__wiki__read',
    title: 'Read a page',
    description: 'Reads a page.\n\n(Unverified description by the registered upstream "The wiki".)',
    inputSchema,
    outputSchema: { type: 'object', anyOf: [outputSchema, UNMATCHED] },
    annotations: { readOnlyHint: true, title: 'Read' },
  })
  t.strictSame(tools[3], {
    name: 'org__wiki__write',
    description: 'write: a tool of the registered upstream "The wiki", without a description.',
    inputSchema: { type: 'object', properties: {} },
  })
  const legacy = await send(ada, {}, request('tools/list', {}))
  t.ok(ListToolsResultSchema.safeParse(legacy.result).success)
  const { headers, message } = modern('tools/list')
  t.ok(isSpecType.ListToolsResult((await send(ada, headers, message)).result))
})

t.test('an upstream’s annotations open no gate: no remote tool counts as read-only', async t => {
  const { remotes, surfaces } = remoteToolFixture()
  remotes.push(remoteWith('org_1', [pinned('read', { annotations: { readOnlyHint: true } })]))
  const tool = (await surfaces.of(askedBy(ada))).tools.get('org__wiki__read')
  t.match(tool, { readOnly: false, needsAccount: false, gate: undefined, organization: 'required', deadlineMs: 50_000 })
})

t.test('a number that a double cannot represent is reported and never reaches an upstream', async t => {
  const { remotes, reached, send } = remoteToolFixture()
  remotes.push(remoteWith('org_1', [pinned('write')]))
  async function call(args: string) {
    const params = `{"name":"org__wiki__write","arguments":${args}}`
    const body = Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`)
    const received = validateTransport(null, body)
    if (received instanceof Error) throw received
    return send(ada, {}, received.message, { argumentsFault: received.argumentsFault })
  }
  const inexact: [args: string, pointer: string, number: string][] = [
    ['{"n":1e400}', 'n', '1e400'],
    ['{"n":-1E+400}', 'n', '-1E+400'],
    ['{"n":1e-400}', 'n', '1e-400'],
    ['{"n":9007199254740993}', 'n', '9007199254740993'],
    ['{"n":-9007199254740993}', 'n', '-9007199254740993'],
    ['{"n":9007199254740993.0}', 'n', '9007199254740993.0'],
    ['{"n":9.007199254740993e15}', 'n', '9.007199254740993e15'],
    ['{"a":[0,{"b/c":12345678901234567890}]}', 'a[1]["b/c"]', '12345678901234567890'],
    [`{"n":${'9'.repeat(400)}}`, 'n', `${'9'.repeat(40)}…`],
    ['{"fault":1,"constructor":2,"n":1e400}', 'n', '1e400'],
  ]
  for (const [args, name, number] of inexact) {
    const text = `Input validation error: Invalid arguments for tool org__wiki__write: \`${name}\` has the number ${number}, which cannot be represented exactly. Send it as a string.`
    t.match(await call(args), { result: { isError: true, content: [{ text }] } }, args)
  }
  t.equal(reached.length, 0)

  const exact = [
    '{"n":9007199254740991}',
    '{"n":-9007199254740991,"m":1e20,"x":1.7976931348623157e+308,"s":"9007199254740993 and 1e400"}',
    '{"n":0.1234567890123456789,"z":0e400,"deep":{"id":"123456789012345678901234567890"}}',
  ]
  for (const args of exact) {
    t.match(await call(args), { result: { content: [{ text: 'ok' }] } }, args)
    t.same(reached.at(-1)?.call.arguments, JSON.parse(args))
  }
})

t.test('private addresses are redacted in an upstream’s error, and stay in a result', async t => {
  const { remotes, call, answers } = remoteToolFixture()
  remotes.push(remoteWith('org_1', [pinned('ping')]))
  const said = { content: [{ type: 'text' as const, text: 'The host 192.168.1.7 is version 10.2.3.4.' }] }
  const resource = { uri: 'log://1', text: 'from 10.0.0.5' }
  const structuredContent = { host: ['10.0.0.5'], port: 1 }
  answers(() => ({ content: [...said.content, { type: 'resource', resource }], structuredContent, isError: true }))
  t.match(await call(ada, 'org__wiki__ping'), {
    isError: true,
    content: [
      { text: 'The host [private address] is version [private address].' },
      { resource: { uri: 'cgw+org://wiki/log%3A%2F%2F1', text: 'from [private address]' } },
    ],
    structuredContent: { host: ['[private address]'], port: 1 },
  })
  answers(() => said)
  t.match(await call(ada, 'org__wiki__ping'), said, 'a member asked for this')
})

t.test('an upstream’s error full of addresses is truncated before it can block the process', async t => {
  const { remotes, call, answers } = remoteToolFixture()
  remotes.push(remoteWith('org_1', [pinned('ping')]))
  const text = '::1 '.repeat(500_000)
  const content = Array.from({ length: 4 }, () => ({ type: 'text' as const, text }))
  answers(() => ({ content, isError: true }))
  let result: unknown
  const took = await cpuMs(async () => {
    result = await call(ada, 'org__wiki__ping')
  })
  // Without the limit it takes 6 s.
  t.ok(took < 1_000, `${took} ms`)
  const texts = (result as { content: { text: string }[] }).content.map(({ text }) => text)
  for (const text of texts)
    t.match(text, /^\[private address\] .*\n\[… \d+ characters are left out …\]\n.*\[private address\] $/s)
  t.notMatch(texts.join(''), '::1')
})

t.test('a long error of an upstream keeps its end, the texts after it, and its structured content', async t => {
  const { remotes, call, answers } = remoteToolFixture()
  remotes.push(remoteWith('org_1', [pinned('ping')]))
  const text = `make: started\n${'compiled a file\n'.repeat(20_000)}make: no rule for 10.0.0.5\n`
  const content = [text, 'THE REASON'].map(text => ({ type: 'text' as const, text }))
  const structuredContent = { status: 'failed', code: 'E42' }
  answers(() => ({ content, structuredContent, isError: true }))
  t.match(await call(ada, 'org__wiki__ping'), {
    content: [
      { text: /^make: started\n.*\n\[… \d+ characters are left out …\]\n.*make: no rule for \[private address\]\n$/s },
      { text: 'THE REASON' },
    ],
    structuredContent,
  })
})

t.test('organizations with the same slug and snapshot never reach each other’s upstream', async t => {
  const { remotes, surfaces, call, reached, failed } = remoteToolFixture({ builtIn: [remember] })
  const tools = [pinned('read')]
  remotes.push(
    remoteWith('org_1', tools, { id: 'rem_1', upstreamUrl: 'https://one.test/mcp' }),
    remoteWith('org_2', tools, { id: 'rem_2', upstreamUrl: 'https://two.test/mcp' }),
  )
  const [ofAda, ofEve] = [await surfaces.of(askedBy(ada)), await surfaces.of(askedBy(eve))]
  t.equal(await surfaces.of(askedBy(bob)), ofAda, 'members of one organization share a surface')
  t.not(ofEve, ofAda, 'organizations do not share a surface')
  for (const who of [ada, eve, bob, eve, ada]) await call(who, 'org__wiki__read')
  t.same(
    reached.map(({ subject }) => subject.registration.upstreamUrl),
    ['one', 'two', 'one', 'two', 'one'].map(host => `https://${host}.test/mcp`),
  )

  const leaked = ofEve.tools.get('org__wiki__read')
  await t.rejects(
    async () => leaked?.run({}, { ...contextOf(ada) }),
    /org__wiki__read of org_2 was called from org_1/,
    'a leaked tool rejects callers of other organizations',
  )
  t.same(failed, [])
  t.equal(reached.length, 5)
})

t.test('a registration that replaces another one shares nothing with it', async t => {
  const { remotes, call, reached, changed } = remoteToolFixture()
  const before = remoteWith('org_1', [pinned('read')], { id: 'rem_1', auth: { mode: 'bearer' } })
  const after = remoteWith('org_1', [pinned('read')], { id: 'rem_2', auth: { mode: 'bearer' } })
  remotes.push({ ...before, account: madeAccount(before) })
  await call(ada, 'org__wiki__read')
  remotes[0] = { ...after, account: madeAccount(after, { id: 'acc_2' }) }
  changed()
  await call(ada, 'org__wiki__read')
  remotes[0] = { ...after, account: madeAccount(after, { id: 'acc_2', status: 'needs_reauth' }) }
  changed()
  await call(ada, 'org__wiki__read')
  t.same(
    reached.map(({ subject: { registration, account } }) => [registration.id, account?.id, account?.status]),
    [
      ['rem_1', 'acc_1', 'connected'],
      ['rem_2', 'acc_2', 'connected'],
      ['rem_2', 'acc_2', 'needs_reauth'],
    ],
  )
})

t.test('hidden, pending and unlisted registrations have no tools', async t => {
  const { remotes, names, call, reached } = remoteToolFixture({ builtIn: [remember] })
  const tools = [pinned('read')]
  remotes.push(
    remoteWith('org_1', tools, { id: 'rem_1', slug: 'hidden', hidden: true }),
    remoteWith('org_1', tools, { id: 'rem_2', slug: 'pending', auth: { mode: 'oauth', oauth: madeOauth } }),
    remoteWith('org_1', undefined, { id: 'rem_3', slug: 'new', snapshotId: null }),
  )
  t.same(await names(ada), ['memory__remember'])
  for (const slug of ['hidden', 'pending', 'new'])
    t.same(await call(ada, `org__${slug}__read`), {
      content: [
        { type: 'text', text: `Tool org__${slug}__read not found` },
        { type: 'text', text: 'tools/list returns all tools that you can call.' },
      ],
      isError: true,
    })
  t.same(reached, [])
})

t.test('a registration in needs_reauth keeps its tools, and their calls say what to do', async t => {
  const { remotes, names, call, answers } = remoteToolFixture()
  const remote = remoteWith('org_1', [pinned('read')], { auth: { mode: 'oauth', oauth: madeOauth } })
  remotes.push({ ...remote, account: madeAccount(remote, { status: 'needs_reauth' }) })
  answers(() => {
    throw new GatewayError('needs_reauth', 'remote connect wiki')
  })
  t.same(await names(ada), ['org__wiki__read'])
  t.match(errorIn(await call(ada, 'org__wiki__read')), { code: 'needs_reauth', message: /remote connect wiki/ })
})

t.test('capability settings switch off a registration or one tool, for all or for one member', async t => {
  const { remotes, names, disabled, changed } = remoteToolFixture({ builtIn: [remember] })
  remotes.push(remoteWith('org_1', [pinned('read'), pinned('write')]))
  disabled.set('org_1', ['org__wiki__write'])
  disabled.set(bob.userId, ['org__wiki'])
  t.same(await names(ada), ['memory__remember', 'org__wiki__read'])
  t.same(await names(bob), ['memory__remember'])
  disabled.set('org_1', ['org__wiki'])
  changed()
  t.same(await names(ada), ['memory__remember'])
})

t.test('the snapshot is served whatever the upstream does, and a new one immediately', async t => {
  const { remotes, listed, call, reached, changed } = remoteToolFixture()
  const schema = (argument: string) => ({
    type: 'object' as const,
    properties: { [argument]: { type: 'string' } },
    required: [argument],
    additionalProperties: false,
  })
  const first = pinned('read', { originalName: 'page/read', inputSchema: schema('id') })
  remotes.push(remoteWith('org_1', [first]))
  const before = await listed(ada)
  changed()
  t.same(await listed(ada), before, 'to the letter')

  const refused = await call(ada, 'org__wiki__read', { path: 'x' })
  t.match(refused, {
    isError: true,
    content: [{ text: /^Input validation error: Invalid arguments for tool org__wiki__read: / }],
  })
  t.same(reached, [], 'what the pinned schema refuses never leaves')
  await call(ada, 'org__wiki__read', { id: 'x' })
  t.match(reached, [{ call: { name: 'page/read', arguments: { id: 'x' }, inputSchema: first.inputSchema } }])

  const [remote] = remotes
  if (remote?.snapshot === undefined) throw new TypeError('It was given one')
  const second = pinned('read', { originalName: 'page/read', inputSchema: schema('path') })
  remotes[0] = { ...remote, snapshot: { ...remote.snapshot, id: 'snp_2', tools: [second] } }
  changed()
  t.match(await listed(ada), [{ inputSchema: { required: ['path'] } }])
  t.notOk((await call(ada, 'org__wiki__read', { path: 'x' })).isError)
})

t.test('a call contains only what the upstream needs and nothing else of the caller', async t => {
  const { remotes, callModern, call, reached } = remoteToolFixture()
  remotes.push(remoteWith('org_1', [pinned('read')]))
  const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'v=1', baggage: 'k=v' }
  await call(ada, 'org__wiki__read', { q: 1 }, { ...trace, progressToken: 7, 'connector-gateway/idempotency-key': 'k' })
  await callModern(ada, 'org__wiki__read', {
    capabilities: { elicitation: { url: {} }, roots: {}, extensions: { x: {} } },
  })
  const [legacy, called] = reached.map(({ call }) => call)
  t.strictSame(legacy, {
    name: 'read',
    arguments: { q: 1 },
    inputSchema: { type: 'object' },
    trace,
    clientCapabilities: {},
  })
  t.strictSame(called?.clientCapabilities, { elicitation: { url: {} }, roots: {} })
})

t.test('a tool is listed in a form that all model providers take, and called by its own schema and names', async t => {
  const { remotes, call, listed, reached } = remoteToolFixture()
  const inputSchema = {
    type: 'object' as const,
    properties: {
      'Due date': { anyOf: [{ type: 'string', minLength: 2 }, { type: 'null' }] },
      route: { $ref: '#/$defs/route' },
      file: { type: ['string', 'null'] },
    },
    oneOf: [{ required: ['route'] }, { required: ['file'] }],
    $defs: { route: { type: 'object', properties: { $id: {} }, additionalProperties: false } },
  }
  remotes.push(remoteWith('org_1', [pinned('read', { inputSchema })]))
  const [tool] = await listed(ada)
  t.same(brokenRules(tool?.inputSchema), [])
  t.match(tool, { inputSchema: { properties: { Due_date: { type: 'string', nullable: true } } } })
  t.notOk((await call(ada, 'org__wiki__read', { Due_date: null, route: { id: 1 } })).isError)
  t.notOk((await call(ada, 'org__wiki__read', { Due_date: 'soon', route: '{"id": 1}' })).isError)
  t.ok((await call(ada, 'org__wiki__read', { route: {}, file: 'x' })).isError, 'both')
  t.ok((await call(ada, 'org__wiki__read', { Due_date: 'x', file: 'x' })).isError, 'too short')
  t.same(
    reached.map(one => [one.call.arguments, one.call.inputSchema]),
    [
      [{ 'Due date': null, route: { $id: 1 } }, inputSchema],
      [{ 'Due date': 'soon', route: { $id: 1 } }, inputSchema],
    ],
  )
})

t.test('an upstream gets mended arguments, of the form that its schema requires', async t => {
  const { remotes, call, reached, finished } = remoteToolFixture()
  const inputSchema = {
    type: 'object' as const,
    required: ['labels'],
    additionalProperties: false,
    properties: { labels: { type: 'array', items: { type: 'string' } }, limit: { type: 'integer' }, space: {} },
  }
  const fixed = { space: 'public' }
  const overrides = [{ originalName: 'read', hash: '', setBy: 'usr_ada', setAt: 0, fixed }]
  remotes.push(remoteWith('org_1', [pinned('read', { inputSchema })], { overrides }))
  t.notOk((await call(ada, 'org__wiki__read', { labels: '["bug"]', limit: '5' })).isError)
  t.ok((await call(ada, 'org__wiki__read', { labels: '["bug"]', limit: '5', space: 'secret' })).isError)
  t.ok((await call(ada, 'org__wiki__read', { labels: 'bug' })).isError)
  t.same(
    reached.map(one => one.call.arguments),
    [{ labels: ['bug'], limit: 5, space: 'public' }],
  )
  t.same(
    finished.map(({ mended }) => mended),
    [true, false, false],
  )
})

t.test('arguments whose names take too long to restore are refused', async t => {
  const { remotes, surfaces } = remoteToolFixture()
  const anyOf = Array.from({ length: 400 }, (_, i) => ({ type: 'object', properties: { [`n ${i}`]: {} } }))
  const inputSchema = { type: 'object' as const, properties: { list: { type: 'array', items: { anyOf } } } }
  remotes.push(remoteWith('org_1', [pinned('write', { inputSchema })]))
  const tool = (await surfaces.of(askedBy(ada))).tools.get('org__wiki__write')
  const list = Array.from({ length: 10_000 }, () => ({ n_1: 1 }))
  t.match(tool?.refuse({ list }), /take too long to validate/)
  t.equal(tool?.mend({ list }), undefined)
  t.equal(tool?.refuse({ list: list.slice(0, 10) }), undefined)
})

t.test('mending restores names within the budget of one restoring', async t => {
  const { remotes, surfaces } = remoteToolFixture()
  // The validator is content with the first form, and the names are looked up in all.
  const forms = Array.from({ length: 400 }, (_, i) => ({ type: 'object', properties: { [`n ${i}`]: {} } }))
  const items = { anyOf: [{ type: 'object' }, ...forms] }
  const properties = { list: { type: 'array', items }, limit: { type: 'integer' } }
  remotes.push(remoteWith('org_1', [pinned('write', { inputSchema: { type: 'object', properties } })]))
  const tool = (await surfaces.of(askedBy(ada))).tools.get('org__wiki__write')
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`m${i}`, 1]))
  t.equal(tool?.refuse({ list: [many, many, many] }), undefined)
  t.match(tool?.mend({ list: [many], limit: '5' }), { limit: 5 })
  t.equal(tool?.mend({ list: [many, many, many], limit: '5' }), undefined)
})

t.test('the client’s disconnect aborts the call of the upstream', async t => {
  const { remotes, send, answers, finished } = remoteToolFixture()
  remotes.push(remoteWith('org_1', [pinned('read')]))
  let leave = () => {}
  answers(
    ({ options: { signal } }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new UpstreamError('aborted', 'gone', { unsettled: true })))
        leave()
      }),
  )
  await send(ada, {}, request('tools/call', { name: 'org__wiki__read' }), {
    onDisconnect(listener) {
      leave = listener
    },
  })
  t.match(finished, [{ tool: 'org__wiki__read', outcome: 'timeout', accountId: null }])
})

t.test('a result passes unchanged, except for URIs and the _meta members that only this gateway may set', async t => {
  const { remotes, call, callModern, answers, finished } = remoteToolFixture()
  remotes.push(remoteWith('org_1', [pinned('read')]))
  const contentAt = (uri: string) => [
    { type: 'text', text: 'words', annotations: { audience: ['user'] }, _meta: { a: 1 } },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    { type: 'resource_link', uri, name: 'a', description: 'A file.', mimeType: 'text/plain' },
    { type: 'resource', resource: { uri, text: 'inside' } },
  ]
  const content = contentAt('cgw+org://wiki/file%3A%2F%2F%2Fa')
  const passes = { content, structuredContent: { deep: { list: [1, null, 'x'] } }, unknown: { member: true } }
  answers(
    () =>
      ({
        ...passes,
        content: contentAt('file:///a'),
        resultType: 'complete',
        _meta: {
          'upstream.test/cost': 3,
          'connector-gateway/account': { id: 'acc_forged' },
          [SERVER_INFO]: { name: 'upstream', version: '0' },
        },
      }) as never,
  )
  const legacy = await call(ada, 'org__wiki__read')
  t.strictSame(legacy, { ...passes, _meta: { 'upstream.test/cost': 3 } })
  t.ok(CallToolResultSchema.safeParse(legacy).success)
  const answered = await callModern(ada, 'org__wiki__read')
  t.match(answered, {
    ...passes,
    resultType: 'complete',
    _meta: { 'upstream.test/cost': 3, [SERVER_INFO]: { name: 'connector-gateway' } },
  })
  t.ok(isSpecType.CallToolResult(answered))

  answers(() => ({ ...text('No such page.'), isError: true }))
  t.strictSame(await call(ada, 'org__wiki__read'), { ...text('No such page.'), isError: true })
  t.match(finished.at(-1), { outcome: 'error' })
})

t.test('structured content without any other content is also a text, after it was redacted', async t => {
  const { remotes, call, callModern, answers } = remoteToolFixture()
  remotes.push(remoteWith('org_1', [pinned('ping')]))
  const text = (value: unknown) => [{ type: 'text', text: JSON.stringify(value) }]
  answers(() => ({ content: [], structuredContent: { city: 'Oslo' } }))
  t.match(await call(ada, 'org__wiki__ping'), { content: text({ city: 'Oslo' }), structuredContent: { city: 'Oslo' } })
  answers(() => ({ content: [], structuredContent: ['10.0.0.5'] as never, isError: true }))
  t.strictSame(await call(ada, 'org__wiki__ping'), { isError: true, content: text(['[private address]']) })
  const modern = await callModern(ada, 'org__wiki__ping')
  t.match(modern, { content: text(['[private address]']), structuredContent: ['[private address]'] })
  answers(() => ({ content: [] }))
  t.strictSame(await call(ada, 'org__wiki__ping'), { content: [] })
})

t.test('large numbers in a result reach clients with their digits', async t => {
  const { remotes, answers, call } = remoteToolFixture()
  remotes.push(remoteWith('org_1', [pinned('ping')]))
  const json = '{"id":9007199254740993,"list":[12345678901234567890]}'
  for (const isError of [false, true]) {
    answers(() => ({ content: [], structuredContent: JSON.parse(json, keepDigits(json)), isError }))
    t.match(await call(ada, 'org__wiki__ping'), { content: [{ type: 'text', text: json }] })
  }
  const large = JSON.parse('[9007199254740993]', keepDigits('[9007199254740993]'))[0]
  answers(() => ({ content: [], structuredContent: large }))
  t.strictSame(await call(ada, 'org__wiki__ping'), { content: [{ type: 'text', text: '9007199254740993' }] })
})

t.test('every failure of an upstream says what to do and whether the call may have been executed', async t => {
  const { remotes, call, answers, thrown } = remoteToolFixture()
  const remote = remoteWith('org_1', [pinned('read')], {
    auth: { mode: 'oauth', oauth: { ...madeOauth, scopes: ['read'] } },
  })
  remotes.push({ ...remote, account: madeAccount(remote) })
  const bearer = (scope: string) => ({
    challenge: `Bearer error="insufficient_scope", scope="${scope}"`,
    status: 403,
  })
  const cases: [UpstreamFailure, ConstructorParameters<typeof UpstreamError>[2], string, RegExp, object?][] = [
    [
      'rpc',
      { rpcCode: -32602 },
      'upstream_rejected',
      /The wiki rejected the call: “said by wiki.test” \(-32602\). Correct/,
    ],
    ['rpc', { rpcCode: -32601 }, 'upstream_rejected', /no longer have this tool.*manage__remote_refresh/],
    ['rpc', {}, 'upstream_rejected', /Correct the call/],
    ['unauthorized', {}, 'upstream_rejected', /registered without one/],
    [
      'insufficient_scope',
      bearer('read'),
      'scope_missing',
      /requires the scopes read for this call.*remote connect wiki --org org_1/,
      { scopes: ['read'], account: 'acc_1' },
    ],
    [
      'insufficient_scope',
      bearer('read write'),
      'scope_missing',
      /An admin must send `auth` with `scopes`: read, write, with .* then sign in again\./,
      { scopes: ['read', 'write'] },
    ],
    ['insufficient_scope', {}, 'scope_missing', /more access than its credential has/],
    ['timeout', {}, 'timeout', /did not answer in time/],
    ['aborted', {}, 'timeout', /did not answer in time/],
    ['too_large', {}, 'upstream_rejected', /exceeds the gateway's size limit. Request less/],
    ['malformed', {}, 'upstream_unavailable', /returned an invalid MCP response/],
    ['unreachable', {}, 'upstream_unavailable', /is unreachable: said by wiki.test. Retry later/],
    ['refused', {}, 'upstream_unavailable', /EGRESS_ALLOW/],
    ['busy', { retryAfter: 5 }, 'upstream_unavailable', /too many concurrent calls.*Wait 5 s/, { retry_after: 5 }],
    ['open', { retryAfter: 17.2 }, 'upstream_unavailable', /failed repeatedly.*Wait 18 s/, { retry_after: 18 }],
    [
      'status',
      { status: 429, retryAfter: 9 },
      'upstream_rate_limited',
      /limits its rate of calls. Wait 9 s/,
      { retry_after: 9 },
    ],
    ['status', { status: 404 }, 'upstream_unavailable', /\(HTTP 404\).*no longer be an MCP server at its URL/],
    ['status', { status: 502 }, 'upstream_unavailable', /\(HTTP 502\). Retry later/],
  ]
  for (const [kind, options, code, message, details = {}] of cases)
    for (const unsettled of [false, true]) {
      answers(() => {
        throw new UpstreamError(kind, 'said by wiki.test', { ...options, unsettled })
      })
      const key = { 'connector-gateway/idempotency-key': 'k' }
      const error = errorIn(await call(ada, 'org__wiki__read', {}, key))
      t.match(error, { code, ...details, ...(!unsettled && { message }) }, `${kind} ${error.message}`)
      t.match(thrown.pop(), { code, unsettled }, `idempotency receives the error (${kind})`)
      const doubtful = ['rpc', 'timeout', 'aborted', 'too_large', 'malformed', 'unreachable', 'busy', 'open']
      if (unsettled && doubtful.includes(kind)) t.match(error.message, /may have been executed/, kind)
    }
})

t.test('marked arguments are required in the headers of modern calls', async t => {
  const { remotes, send, reached } = remoteToolFixture()
  const inputSchema = {
    type: 'object' as const,
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  }
  remotes.push(remoteWith('org_1', [pinned('read', { inputSchema })]))
  const { headers, message } = modern('tools/call', { name: 'org__wiki__read', arguments: { region: 'eu' } })
  t.match(await send(ada, headers, message), { error: { code: -32020, message: /Mcp-Param-Region/ } })
  t.same(reached, [])
  await send(ada, { ...headers, 'mcp-param-region': 'eu' }, message)
  t.match(reached, [{ call: { arguments: { region: 'eu' }, inputSchema } }])
})

t.test('a capability is known only in the organization that registered it', async t => {
  const { remotes, organizationTools: names } = remoteToolFixture({ builtIn: [remember] })
  remotes.push(
    remoteWith('org_1', [pinned('read')], { hidden: true }),
    remoteWith('org_1', undefined, { id: 'rem_2', slug: 'new', snapshotId: null }),
  )
  for (const name of ['memory', 'memory__remember', 'org__wiki', 'org__wiki__read', 'org__new'])
    t.equal(await names.isCapability(name, 'org_1'), true, name)
  for (const name of ['org__wiki__write', 'org__', 'org', 'wiki', 'org__wiki__'])
    t.equal(await names.isCapability(name, 'org_1'), false, name)
  t.equal(await names.isCapability('org__wiki', 'org_2'), false)
  t.equal(await names.isCapability('memory', 'org_2'), true)

  t.same(await names.similarTo('org__wiki__raed', 'org_1'), ['org__wiki__read'])
  t.same(await names.similarTo('org__wkii', 'org_1'), ['memory', 'org__wiki', 'org__new'])
  t.same(await names.similarTo('memory__recall', 'org_1'), ['memory__remember'])
  t.same(await names.similarTo('org__wiki__raed', 'org_2'), ['memory'])
})

function contextOf(caller: typeof ada) {
  return {
    caller,
    identity: undefined as never,
    origin: 'http://localhost',
    account: undefined,
    idempotencyDigest: undefined,
    reportCost() {},
    client: { generation: 'legacy' as const, capabilities: {}, trace: {} },
    signal: new AbortController().signal,
  }
}

t.test(
  'a result that breaks the output schema of its own tool reaches a strict client, beside the promise',
  async t => {
    const { remotes, call, listed, answers } = remoteToolFixture()
    const outputSchema = {
      type: 'object' as const,
      $id: 'https://x.test/out',
      properties: { count: { type: 'integer' }, at: { type: 'string', format: 'date' }, next: { $ref: '#' } },
      required: ['count'],
      additionalProperties: false,
    }
    remotes.push(remoteWith('org_1', [pinned('count', { outputSchema }), pinned('free')]))
    const [tool] = await listed(ada)
    const { outputSchema: promise } = ListToolsResultSchema.parse({ tools: [tool] }).tools[0] ?? {}
    // As the client of the SDK does it: it throws without structured content, and if it does not match.
    const valid = new AjvJsonSchemaValidator().getValidator(promise as never)
    const LARGE = '{"count": 12345678901234567890}'
    const results: [CallToolResult, unknown][] = [
      [{ content: [], structuredContent: { count: 1, at: 'tomorrow', next: { count: 2 } } }, undefined],
      [{ content: [], structuredContent: JSON.parse(LARGE, keepDigits(LARGE)) }, undefined],
      [{ content: [], structuredContent: { count: 'one' } }, { unmatched_output: { count: 'one' } }],
      [{ content: [], structuredContent: { count: 1, next: {} } }, { unmatched_output: { count: 1, next: {} } }],
      [{ content: [{ type: 'text', text: 'One.' }] }, { unmatched_output: null }],
      [{ content: [], structuredContent: { why: 'x' }, isError: true }, { unmatched_output: { why: 'x' } }],
    ]
    for (const [sent, expected] of results) {
      answers(() => sent)
      const result = await call(ada, 'org__wiki__count')
      t.same(
        JSON.stringify(result.structuredContent),
        JSON.stringify(expected ?? JSON.parse(JSON.stringify(sent.structuredContent))),
      )
      t.ok(valid(result.structuredContent).valid, JSON.stringify(result))
      t.equal(result.isError, sent.isError, 'it is as successful as it was')
      t.match((result.content as { text: string }[])[0]?.text, /One|count|why/, 'and its text is there')
    }
    answers(() => ({ content: [{ type: 'text', text: 'No.' }], isError: true }))
    t.same(await call(ada, 'org__wiki__count'), { content: [{ type: 'text', text: 'No.' }], isError: true })
    answers(() => ({ content: [], structuredContent: { any: 1 } }))
    t.match(await call(ada, 'org__wiki__free'), { structuredContent: { any: 1 } })
  },
)
