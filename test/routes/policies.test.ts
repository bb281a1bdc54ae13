import { sql } from 'kysely'
import t from 'tap'
import { runCommand } from '../../cli/run-command.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { newsHeard } from '../fixtures/database.ts'
import { remoteJourney } from '../fixtures/remote-journey.ts'
import { scriptedServer } from '../upstreams/scripted-server.ts'

type Json = Record<string, unknown>

const built = await remoteJourney(t)
const { app, services, as, directory, clock } = built

/** An organization with an owner and a member, the member's key, and an agent of theirs with a key. */
async function team() {
  const [owner, member] = await directory.members('owner', 'member')
  const agent = await member.agent()
  const [own, agents] = [await member.key(), await member.key({ agentId: agent.id })]
  await newsHeard(services.database)
  return { owner: as(owner), member: as(member), agent, own, agents }
}

/** Sends a message to /mcp with a key. */
async function mcp(key: string, method: string, params: object = {}, more: Record<string, string> = {}, url = '/mcp') {
  const response = await app.inject({
    method: 'POST',
    url,
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'x-api-key': key,
      ...more,
    },
    payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return { status: response.statusCode, body: response.json() }
}

async function listed(key: string, more: Record<string, string> = {}, url = '/mcp'): Promise<string[]> {
  const { body } = await mcp(key, 'tools/list', {}, more, url)
  return body.result.tools.map(({ name }: { name: string }) => name)
}

const call = async (key: string, name: string, args: object = {}, more: Record<string, string> = {}) =>
  (await mcp(key, 'tools/call', { name, arguments: args }, more)).body.result

async function changed(answer: Promise<{ status: number; body: Json }>) {
  const { status, body } = await answer
  await newsHeard(services.database)
  return { status, body }
}

const READ_ONLY = { mode: 'read_only' }
const NO_MEMORY = { mode: 'all', rules: [{ match: 'memory', do: 'deny' }] }

t.test('a policy of a key bounds what it lists and calls, in both at once, and only that key', async t => {
  const { member, own, agents } = await team()
  t.ok((await listed(own.key)).includes('memory__remember'))
  const { status, body } = await changed(member.http('PATCH', `/api-keys/${own.id}`, { policy: READ_ONLY }))
  t.match({ status, body }, { status: 200, body: { id: own.id, policy: READ_ONLY } })

  const names = await listed(own.key)
  t.ok(names.includes('memory__search_memory'))
  t.notOk(names.includes('memory__remember'))
  const refused = await call(own.key, 'memory__remember', { memory: 'x' })
  t.match(
    refused,
    { isError: true, content: [{ text: 'Tool memory__remember not found' }] },
    'like a tool that does not exist',
  )
  t.ok((await listed(agents.key)).includes('memory__remember'), 'another key is not bound')
  const explained = await call(own.key, 'manage__explain_tool', { name: 'memory__remember' })
  t.match(explained.structuredContent, {
    callable: false,
    reason: 'denied_by_policy',
    explanation: /policy of the API key/,
  })

  const { api_keys: keys } = (await member.http('GET', '/api-keys')).body as {
    api_keys: { id: string; policy: unknown }[]
  }
  t.same(
    new Map(keys.map(({ id, policy }) => [id, policy])),
    new Map([
      [own.id, READ_ONLY],
      [agents.id, null],
    ]),
  )
  await changed(member.http('PATCH', `/api-keys/${own.id}`, { policy: null }))
  t.ok((await listed(own.key)).includes('memory__remember'), 'null removes it')
})

t.test('the policies of the organization, the role, the agent and the key all apply', async t => {
  const { owner, member, agent, agents, own } = await team()
  const steps = [
    () => owner.http('PUT', '/policy', { mode: 'all', rules: [{ match: 'web', do: 'deny' }] }),
    () => owner.http('PUT', '/policy/roles/member', { mode: 'all', rules: [{ match: 'social__*', do: 'deny' }] }),
    () => member.http('PATCH', `/agents/${agent.id}`, { policy: NO_MEMORY }),
    () =>
      member.http('PATCH', `/api-keys/${agents.id}`, {
        policy: { mode: 'listed', rules: [{ match: 'manage', do: 'allow' }] },
      }),
  ]
  let before = await listed(agents.key)
  for (const step of steps) {
    t.equal((await changed(step())).status, 200)
    const after = await listed(agents.key)
    t.ok(
      after.every(name => before.includes(name)),
      'no layer adds a tool',
    )
    before = after
  }
  t.ok(before.length > 0 && before.every(name => name.startsWith('manage__')))
  t.ok((await listed(own.key)).includes('memory__remember'), 'the policy of the agent does not bind the member')

  const explain = async (body: object) => (await member.http('POST', '/policy/explain', body)).body
  t.match(await explain({ tool: 'memory__remember', agent_id: agent.id }), {
    decision: 'deny',
    layer: 'agent',
    rule: { index: 0, match: 'memory' },
    explanation: /^The policy of the agent denies it: rule 1 \(memory\)\./,
  })
  t.match(await explain({ tool: 'memory__remember', key_id: agents.id }), { decision: 'deny', layer: 'agent' })
  t.match(await explain({ tool: 'files__upload', key_id: agents.id }), {
    decision: 'deny',
    layer: 'key',
    mode: 'listed',
  })
  t.match(await explain({ tool: 'memory__remember' }), { decision: 'allow' })
  t.match(await member.http('POST', '/policy/explain', { tool: 'nothing__here' }), { status: 400 })
  t.match(await member.http('POST', '/policy/explain', { tool: 'memory__remember', key_id: 'key_none' }), {
    status: 404,
  })
  t.match(await owner.http('GET', '/policy'), { body: { mode: 'all', rules: [{ match: 'web', do: 'deny' }] } })
  t.match(await member.http('GET', '/policy/roles/admin'), { body: { mode: 'all', rules: [] } }, 'without one')
})

t.test('only admins with a sign-in set the policies of the organization, and only an owner that of owners', async t => {
  const { owner, member, own } = await team()
  t.match(await member.http('PUT', '/policy', READ_ONLY), { status: 403, body: { code: 'FORBIDDEN' } })
  const [first] = await directory.members('admin')
  const admin = as(first)
  t.match(await admin.http('PUT', '/policy/roles/owner', READ_ONLY), { status: 403 })
  t.match(await admin.http('PUT', '/policy/roles/member', READ_ONLY), { status: 200 })
  const byKey = await app.inject({
    method: 'PATCH',
    url: `/api-keys/${own.id}`,
    headers: { 'x-api-key': own.key, 'content-type': 'application/json' },
    payload: JSON.stringify({ policy: null }),
  })
  t.equal(byKey.statusCode, 403, 'an API key edits no policy')
  t.match(await owner.http('GET', '/policy'), { body: { mode: 'all' } })
})

t.test('a policy that means nothing is rejected with its place, and changes nothing', async t => {
  const { owner, member, own } = await team()
  const set = (policy: unknown) => member.http('PATCH', `/api-keys/${own.id}`, { policy })
  for (const [policy, words] of [
    [{ mode: 'some' }, /`policy\.mode` must be/],
    [{ mode: 'all', rule: [] }, /policy.*rule/],
    [{ mode: 'all', rules: [{ match: 'memory', do: 'ask me' }] }, /`policy\.rules\[0\]\.do` must be/],
    [
      { mode: 'all', rules: [{ match: 'memory', do: 'deny', unless: 1 }] },
      /Unknown field `policy\.rules\[0\]\.unless`/,
    ],
    [{ mode: 'all', rules: [{ match: 'memmory', do: 'deny' }] }, /`rules\[0\]\.match` "memmory" matches no tool/],
    [{ mode: 'all', accounts: ['acc_none'] }, /`accounts\[0\]` "acc_none"/],
    [
      { mode: 'all', rules: Array.from({ length: 201 }, () => ({ match: 'memory', do: 'deny' })) },
      /`policy\.rules` must be an array of at most 200/,
    ],
  ] as const)
    t.match(await set(policy), { status: 400, body: { error: words } }, JSON.stringify(policy).slice(0, 60))
  t.match(await owner.http('PUT', '/policy', { rules: [] }), { status: 400 }, 'mode is required')
  t.ok((await listed(own.key)).includes('memory__remember'))
})

t.test('a policy binds the tools, resources and prompts of a registered server', async t => {
  const { owner, member, own } = await team()
  const server = await scriptedServer(t, 'modern', {
    'server/discover': ({ result }) =>
      result({
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {}, resources: {}, prompts: {} },
      }),
    'tools/list': ({ result }) =>
      result({
        resultType: 'complete',
        tools: [
          { name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
          { name: 'drop', inputSchema: { type: 'object' } },
        ],
      }),
    'resources/list': ({ result }) => result({ resultType: 'complete', resources: [{ uri: 'wiki://a', name: 'a' }] }),
    'resources/templates/list': ({ result }) => result({ resultType: 'complete', resourceTemplates: [] }),
    'prompts/list': ({ result }) => result({ resultType: 'complete', prompts: [{ name: 'greet' }] }),
    'prompts/get': ({ result }) => result({ resultType: 'complete', messages: [] }),
    'resources/read': ({ result }) => result({ resultType: 'complete', contents: [{ uri: 'wiki://a', text: 'A' }] }),
  })
  await owner.register('wiki', server.url)
  const offered = async (more: Record<string, string> = {}) => {
    // Without anything to offer, the methods do not exist.
    const of = async (method: string) => (await mcp(own.key, method, {}, more)).body.result ?? {}
    return {
      tools: (await listed(own.key, more)).filter(name => name.startsWith('org__')),
      resources: (await of('resources/list')).resources ?? [],
      prompts: ((await of('prompts/list')).prompts ?? []).map(({ name }: { name: string }) => name),
    }
  }
  const set = (policy: object) => changed(member.http('PATCH', `/api-keys/${own.id}`, { policy }))
  const all = await offered()
  t.match(all, { tools: ['org__wiki__drop', 'org__wiki__read'], prompts: ['org__wiki__greet'] })
  const [{ uri }] = all.resources as [{ uri: string }]

  await set({ mode: 'all', rules: [{ match: 'org__wiki', do: 'deny' }] })
  t.same(await offered(), { tools: [], resources: [], prompts: [] })
  t.match((await mcp(own.key, 'resources/read', { uri })).body, { error: { message: /not found/ } })
  t.match((await mcp(own.key, 'prompts/get', { name: 'org__wiki__greet' })).body, { error: { message: /not found/ } })

  await set({ mode: 'listed', rules: [{ match: 'org__wiki', do: 'allow' }] })
  t.same(await offered(), all)
  t.ok((await mcp(own.key, 'resources/read', { uri })).body.result)

  await set(READ_ONLY)
  t.same((await offered()).tools, [], 'what a server claims about its tools counts once an admin has confirmed it')
  const { full_schema_hash: hash } = (await owner.read('wiki')).remote
  t.match(await changed(owner.http('POST', '/connectors/org/wiki/confirm', { hash })), { status: 200 })
  t.same((await offered()).tools, ['org__wiki__read'])

  await set({ mode: 'all' })
  t.same(await offered({ 'x-mcp-toolsets': 'memory' }), { tools: [], resources: [], prompts: [] })
  t.same((await offered({ 'x-mcp-readonly': 'true' })).prompts, ['org__wiki__greet'])
})

t.test('a request narrows its list and its calls alike, by headers or the query, and never widens them', async t => {
  const { member, own } = await team()
  const more = { 'x-mcp-toolsets': 'memory', 'x-mcp-readonly': '1' }
  const narrow = await listed(own.key, more)
  t.ok(narrow.length > 0 && narrow.every(name => name.startsWith('memory__')))
  t.notOk(narrow.includes('memory__remember'))
  t.same(await listed(own.key, {}, '/mcp?toolsets=memory&readonly=1'), narrow)
  t.match(await call(own.key, 'memory__remember', { memory: 'x' }, more), {
    isError: true,
    content: [{ text: /not found/ }],
  })
  t.notOk((await call(own.key, 'memory__remember', { memory: 'x' })).isError)

  await changed(member.http('PATCH', `/api-keys/${own.id}`, { policy: NO_MEMORY }))
  t.same(await listed(own.key, { 'x-mcp-toolsets': 'memory' }), [], 'what the policy denies stays denied')
  for (const [headers, url] of [
    [{ 'x-mcp-toolsets': 'githup' }, '/mcp'],
    [{ 'x-mcp-readonly': 'maybe' }, '/mcp'],
    [{}, '/mcp?tools=nothing__here'],
  ] as const)
    t.match(await mcp(own.key, 'tools/list', {}, headers, url), {
      status: 400,
      body: { jsonrpc: '2.0', id: 1, error: { code: -32602, message: /^Invalid params: / } },
    })
})

t.test('every change of a policy has an audit row with before and after', async t => {
  const { owner, member, own } = await team()
  await member.http('PATCH', `/api-keys/${own.id}`, { policy: READ_ONLY })
  clock.advance(1)
  await owner.http('PATCH', `/api-keys/${own.id}`, { policy: null })
  const { changes } = (await owner.http('GET', '/audit?action=policy')).body as { changes: Json[] }
  t.match(
    changes.filter(({ target }) => target === own.id),
    [
      { action: 'policy.remove', detail: { layer: 'key', policy: null, before: READ_ONLY } },
      { action: 'policy.set', detail: { layer: 'key', policy: READ_ONLY, before: null } },
    ],
  )
})

t.test('the operator sets, reads and removes each policy, and a fault names its place', async t => {
  const { owner, agent, own } = await team()
  const { orgId } = owner.who
  const run = async (line: string, ...json: string[]) => {
    const answer = await runCommand(services, [...`policy ${line} --org ${orgId}`.split(' '), ...json])
    await newsHeard(services.database)
    return answer
  }
  for (const target of ['', ' --role member', ` --agent ${agent.id}`, ` --key ${own.id}`]) {
    t.same(await run(`set${target}`, '--policy', JSON.stringify(NO_MEMORY)), { policy: NO_MEMORY }, target)
    t.notOk((await listed(own.key)).includes('memory__remember') && !target.includes('agent'), target)
    t.same(await run(`get${target}`), { policy: NO_MEMORY })
    await run(`set${target}`, '--none')
    t.ok((await listed(own.key)).includes('memory__remember'))
  }
  const [, other] = await directory.members('owner', 'member')
  const foreign = await other.key()
  for (const [line, json, words] of [
    ['set', ['--policy', '{'], /^--policy is not JSON/],
    ['set', ['--policy', '{"mode":"none"}'], /^--policy is no policy: `mode` must be/],
    [
      'set',
      ['--policy', '{"mode":"all","rules":[{"match":"x","do":"deny"}]}'],
      /`rules\[0\]\.match` "x" matches no tool/,
    ],
    ['set', [], /^Give either --policy JSON or --none/],
    ['get --role chief', [], /^--role must be owner, admin, member/],
    [`get --role member --key ${own.id}`, [], /^Give only one of/],
    [`set --key ${foreign.id}`, ['--policy', '{"mode":"all"}'], /^There is no key/],
  ] as const)
    await t.rejects(run(line, ...json), { message: words }, line)
})

t.test('conditions on arguments decide about calls, and explanations ask about them', async t => {
  const { member, own } = await team()
  const policy = {
    mode: 'all',
    rules: [{ match: 'memory__remember', do: 'deny', when: [{ pointer: '/memory', matches: '.*secret.*' }] }],
  }
  t.match(await changed(member.http('PATCH', `/api-keys/${own.id}`, { policy })), { status: 200, body: { policy } })
  t.ok((await listed(own.key)).includes('memory__remember'))
  t.notOk((await call(own.key, 'memory__remember', { memory: 'The sky is blue.' })).isError)
  const refused = await call(own.key, 'memory__remember', { memory: 'A SECRET of the team.' })
  t.match(JSON.parse(refused.content[0].text), {
    error: { code: 'denied_by_policy', message: /when \/memory matches/ },
  })

  const explain = async (args?: object) => {
    const asked = { tool: 'memory__remember', key_id: own.id, ...(args && { arguments: args }) }
    return (await member.http('POST', '/policy/explain', asked)).body
  }
  t.match(await explain(), { decision: 'allow', depends_on_arguments: true })
  t.match(await explain({ memory: 'x' }), { decision: 'allow', depends_on_arguments: undefined })
  t.match(await explain({ memory: 'a secret' }), { decision: 'deny', conditions: '/memory matches ".*secret.*"' })
  t.match(
    await member.http('PATCH', `/api-keys/${own.id}`, {
      policy: { mode: 'all', rules: [{ match: 'memory', do: 'deny', when: [{ pointer: '/memory', is: 'x' }] }] },
    }),
    { status: 400, body: { error: /`rules\[0\]\.when\[0\]\.pointer` "\/memory" is no argument of memory__/ } },
  )
})

t.test('a key that a policy binds cannot change over HTTP what it may not change with a tool', async t => {
  const { owner, member } = await team()
  const server = await scriptedServer(t, 'modern', {
    'tools/list': ({ result }) =>
      result({ resultType: 'complete', tools: [{ name: 'drop', inputSchema: { type: 'object' } }] }),
  })
  await owner.register('wiki', server.url)
  const key = await owner.who.key()
  const agent = await owner.who.agent()
  const agents = await owner.who.key({ agentId: agent.id })
  const send = async (sent: string, method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) => {
    const response = await app.inject({
      method,
      url,
      headers: { 'x-api-key': sent, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { payload: JSON.stringify(body) }),
    })
    return { status: response.statusCode, body: response.body === '' ? undefined : response.json() }
  }
  const overrides = { overrides: { drop: { class: 'read' } } }
  const { full_schema_hash: hash } = (await owner.read('wiki')).remote
  await changed(owner.http('PATCH', `/api-keys/${key.id}`, { policy: READ_ONLY }))
  await changed(owner.http('PATCH', `/agents/${agent.id}`, { policy: { mode: 'listed' } }))
  for (const bound of [key.key, agents.key])
    for (const [method, url, body] of [
      ['PATCH', '/connectors/org/wiki', overrides],
      ['POST', '/connectors/org/wiki/confirm', { hash }],
      ['POST', '/connectors/org/wiki/refresh', {}],
      ['DELETE', '/connectors/org/wiki', undefined],
      ['POST', '/connectors/org', { slug: 'x', name: 'X', upstream_url: server.url, auth: { mode: 'none' } }],
      ['DELETE', '/connectors/github/accounts/acc_1', undefined],
      ['DELETE', '/connectors/github', undefined],
    ] as const)
      t.match(
        await send(bound, method, url, body),
        { status: 403, body: { error: /denied_by_policy|policy/ } },
        `${method} ${url}`,
      )
  t.same(await listed(key.key, { 'x-mcp-toolsets': 'org__wiki' }), [])
  await changed(owner.http('PATCH', `/api-keys/${key.id}`, { policy: NO_MEMORY }))
  t.match(await send(key.key, 'PATCH', '/connectors/org/wiki', overrides), { status: 200 }, 'what no policy denies')
  t.match(await member.http('GET', '/connectors'), { status: 200 })
})

t.test('a tool that a server renames stays denied', async t => {
  const { owner, member, own } = await team()
  const drop = (name: string) => ({
    name,
    description: 'Deletes a page.',
    inputSchema: { type: 'object', properties: { page: { type: 'string' } } },
  })
  let tools = [drop('drop')]
  const server = await scriptedServer(t, 'modern', {
    'tools/list': ({ result }) => result({ resultType: 'complete', tools, ttlMs: 0, cacheScope: 'private' }),
  })
  await owner.register('wiki', server.url)
  const policy = { mode: 'all', rules: [{ match: 'org__wiki__drop', do: 'deny' }] }
  await changed(member.http('PATCH', `/api-keys/${own.id}`, { policy }))
  tools = [drop('erase')]
  t.match(await owner.refreshAndAccept('wiki'), { body: { applied: true } })
  t.ok((await owner.tools('wiki')).length === 1)
  t.same(
    (await listed(own.key)).filter(name => name.startsWith('org__')),
    [],
  )
  const { api_keys: keys } = (await member.http('GET', '/api-keys')).body as {
    api_keys: { id: string; policy: object }[]
  }
  t.match(keys.find(({ id }) => id === own.id)?.policy, {
    rules: [{ match: 'org__wiki__drop' }, { match: 'org__wiki__erase' }],
  })
})

t.test('500 policies of one member do not keep admins from setting one', async t => {
  const { owner, member, own } = await team()
  const { orgId, userId } = member.who
  await sql`insert into api_keys (org_id, id, user_id, name, hash, pepper_id, prefix, last4, created_at)
    select ${orgId}, 'key_' || md5(${orgId} || i::text), ${userId}, 'x', md5(${orgId} || i::text), 'x', 'x', 'x', now()
    from generate_series(1, 500) as i`.execute(acrossOrgs(services.database.db))
  await sql`insert into policies (org_id, layer, subject, policy, updated_at)
    select ${orgId}, 'key', id, '{"mode": "all"}', now() from api_keys where org_id = ${orgId} and name = 'x'`.execute(
    acrossOrgs(services.database.db),
  )
  t.match(await member.http('PATCH', `/api-keys/${own.id}`, { policy: READ_ONLY }), {
    status: 400,
    body: { error: /^500 keys of one member/ },
  })
  t.match(await owner.http('PUT', '/policy', NO_MEMORY), { status: 200 })
  const other = await owner.who.key()
  t.match(await owner.http('PATCH', `/api-keys/${other.id}`, { policy: READ_ONLY }), { status: 200 })
})
