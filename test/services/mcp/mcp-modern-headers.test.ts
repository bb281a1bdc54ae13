import t from 'tap'
import { ask, CAPABILITIES, marked, mcpFixture, modern, request, search, VERSION } from '../../fixtures/mcp-fixture.ts'

t.test('a modern request without its _meta answers 400 with -32602', async t => {
  const { headers } = modern('tools/list')
  const metas: unknown[] = [
    undefined,
    {},
    { [VERSION]: '2026-07-28' },
    { [CAPABILITIES]: {} },
    { [VERSION]: 20260728, [CAPABILITIES]: {} },
    { [VERSION]: '2026-07-28', [CAPABILITIES]: [] },
    { [VERSION]: '2026-07-28', [CAPABILITIES]: null },
  ]
  for (const _meta of metas) {
    const answer = await ask(t, headers, request('tools/list', { ...(_meta !== undefined && { _meta }) }))
    t.match(answer, { status: 400, body: { id: 7, error: { code: -32602 } } }, JSON.stringify(_meta))
  }
  t.match(await ask(t, headers, request('tools/list')), { status: 400, body: { error: { code: -32602 } } })
})

t.test('an unsupported version answers 400 with -32022 and the supported ones', async t => {
  for (const version of ['2027-01-01', 'v999.0.0', '2025-11-25', '']) {
    for (const known of [true, false]) {
      const { headers, message } = modern('server/discover', {}, { [VERSION]: version })
      const answer = await ask(t, known ? { ...headers, 'mcp-protocol-version': version } : {}, message)
      t.match(answer, { status: 400, body: { id: 7, error: { code: -32022 } } })
      t.strictSame(answer.body?.error?.data, { supported: ['2026-07-28'], requested: version })
    }
  }
})

t.test('headers that do not repeat the body answer 400 with -32020', async t => {
  const call = modern('tools/call', { name: search.name, arguments: { query: 'x' } })
  const cases: Array<[name: string, change: Record<string, string | undefined>]> = [
    ['no version', { 'mcp-protocol-version': undefined }],
    ['another version', { 'mcp-protocol-version': '2025-11-25' }],
    ['no method', { 'mcp-method': undefined }],
    ['another method', { 'mcp-method': 'tools/list' }],
    ['the method in another case', { 'mcp-method': 'TOOLS/CALL' }],
    ['no name', { 'mcp-name': undefined }],
    ['another name', { 'mcp-name': 'wrong' }],
    ['an empty name', { 'mcp-name': '' }],
    ['a name of bad base64', { 'mcp-name': '=?base64?bWVtb3J5X19zZWFyY2hfbWVtb3J5A?=' }],
    ['a name of no UTF-8', { 'mcp-name': '=?base64?/w==?=' }],
    ['another name in base64', { 'mcp-name': '=?base64?d3Jvbmc=?=' }],
  ]
  for (const [name, change] of cases) {
    const { calls, deps } = mcpFixture()
    const answer = await ask(t, { ...call.headers, ...change }, call.message, deps)
    t.match(answer, { status: 400, body: { id: 7, error: { code: -32020 } } }, name)
    t.equal(calls.length, 0, `${name}: nothing runs`)
  }
})

t.test('a name may be in base64, and white space around a header is ignored', async t => {
  const { headers, message } = modern('tools/call', { name: search.name })
  const encoded = Buffer.from(search.name).toString('base64')
  for (const name of [`=?base64?${encoded}?=`, `  ${search.name}\t`])
    t.equal((await ask(t, { ...headers, 'mcp-name': name, 'mcp-method': ' tools/call ' }, message)).status, 200)
})

t.test('arguments that the schema marks with x-mcp-header', async t => {
  const base64 = (value: string) => `=?base64?${Buffer.from(value).toString('base64')}?=`
  const cases: Array<[name: string, args: object, headers: Record<string, string | string[]>, status: number]> = [
    ['are repeated', { region: 'eu' }, { 'mcp-param-region': 'eu' }, 200],
    ['are missed', { region: 'eu' }, {}, 400],
    ['differ', { region: 'eu' }, { 'mcp-param-region': 'us' }, 400],
    ['are sent twice', { region: 'a, b' }, { 'mcp-param-region': ['a', 'b'] }, 400],
    ['differ in case', { region: 'eu' }, { 'mcp-param-region': 'EU' }, 400],
    ['stand in base64', { region: 'Zürich' }, { 'mcp-param-region': base64('Zürich') }, 200],
    ['differ in base64', { region: 'Hello' }, { 'mcp-param-region': base64('Hallo') }, 400],
    ['stand in base64 without its padding', { region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8?=' }, 400],
    ['stand in no base64', { region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVs!!!bG8=?=' }, 400],
    ['are literal without the prefix', { region: 'SGVsbG8=' }, { 'mcp-param-region': 'SGVsbG8=' }, 200],
    [
      'are literal without the suffix',
      { region: '=?base64?SGVsbG8=' },
      { 'mcp-param-region': '=?base64?SGVsbG8=' },
      200,
    ],
    ['are absent', { note: 'x' }, { 'mcp-param-region': 'eu' }, 200],
    ['are null', { region: null }, {}, 200],
    ['are a number', { count: 42 }, { 'mcp-param-count': '42' }, 200],
    ['are the same number in other digits', { count: 42 }, { 'mcp-param-count': '42.0' }, 200],
    ['are another number', { count: 42 }, { 'mcp-param-count': '43' }, 400],
    ['are no number in the header', { count: 0 }, { 'mcp-param-count': '' }, 400],
    ['are true', { express: true }, { 'mcp-param-express': 'true' }, 200],
    ['are false', { express: false }, { 'mcp-param-express': 'true' }, 400],
    ['stand deeper', { to: { city: 'Bern' } }, { 'mcp-param-city': 'Bern' }, 200],
    ['stand deeper and are missed', { to: { city: 'Bern' } }, {}, 400],
    ['are of another type than the schema says', { region: { a: 1 }, to: 'Bern' }, {}, 200],
    ['are none of them', { note: 'x' }, {}, 200],
  ]
  for (const [name, args, extra, status] of cases) {
    const { calls, deps } = mcpFixture()
    const { headers, message } = modern('tools/call', { name: marked.name, arguments: args })
    const answer = await ask(t, { ...headers, ...extra }, message, deps)
    t.equal(answer.status, status, name)
    t.equal(calls.length, status === 200 ? 1 : 0)
    if (status === 400)
      t.match(answer.body, { id: 7, error: { code: -32020, message: /^Header mismatch: the Mcp-Param-/ } })
  }
})

t.test('marks have no effect in legacy requests or for tools that the caller does not see', async t => {
  const params = { name: marked.name, arguments: { region: 'eu' } }
  t.equal((await ask(t, {}, request('tools/call', params))).status, 200)
  const { headers, message } = modern('tools/call', params)
  t.equal((await ask(t, headers, message, mcpFixture({ inputSchema: () => undefined }).deps)).status, 200)
})
