import { type TSchema, Type } from '@sinclair/typebox'
import t from 'tap'
import type { OpenDatabase } from '../../../lib/database/open-database.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { Account } from '../../../services/accounts/account.ts'
import { labelAccounts } from '../../../services/accounts/aliases.ts'
import { createServices } from '../../../services/create-services.ts'
import { type AnyTool, defineTool, type Gate } from '../../../services/definitions/define-tool.ts'
import type { Idempotency } from '../../../services/idempotency/idempotency.ts'
import { callerOfKey, callerOfUser } from '../../../services/identity/caller.ts'
import { createListCache } from '../../../services/mcp/list-bytes.ts'
import { createToolList } from '../../../services/mcp/tool-list.ts'
import { createCallTool, type ToolOutcome } from '../../../services/tool-calls/call.ts'
import { CallSignal } from '../../../services/tool-calls/call-signal.ts'
import { createRegistry } from '../../../services/tool-calls/registry.ts'
import { createSurfaces, type Surface } from '../../../services/tool-calls/surfaces.ts'
import type { ToolCall } from '../../../services/tool-calls/tool-call.ts'
import { CATALOG } from '../../../tools/catalog.ts'
import { newsHeard, silent, testDatabase } from '../../fixtures/database.ts'
import { directory } from '../../fixtures/directory.ts'
import { askedBy, keyHolder, NO_POLICIES, QUIET_CLIENT, scrub, session, testClock } from '../../fixtures/fixture.ts'
import { keptNowhere, noMetering } from '../../fixtures/no-metering.ts'
import { testSettings } from '../../fixtures/settings.ts'
import { until } from '../../fixtures/until.ts'

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

function tool(
  name: `${string}__${string}`,
  run: () => Promise<never> | Promise<{ content: [] }>,
  gate?: Gate,
  properties: Record<string, TSchema> = { count: Type.Optional(Type.Integer()) },
): AnyTool {
  return defineTool({
    name,
    title: name,
    description: name,
    annotations,
    ...(gate !== undefined && { gate }),
    input: Type.Object(properties, { additionalProperties: false }),
    run,
  })
}

const fine = async () => ({ content: [] as [] })

function account(alias: string, facts: Partial<Account> = {}): Account {
  return {
    id: `acc_${alias}`,
    orgId: 'org_1',
    connector: 'shop',
    userId: 'usr_1',
    scope: 'private',
    alias,
    identity: alias,
    authKind: 'oauth2',
    keyVerified: null,
    status: 'connected',
    settings: {},
    grantedScopes: null,
    ...facts,
  }
}

t.test('surfaces', async t => {
  async function fixture(t: Parameters<typeof testDatabase>[0], events?: OpenDatabase['events']) {
    const clock = testClock(Date.now())
    const opened = await testDatabase(t)
    const database = { ...opened, ...(events !== undefined && { events }) }
    const services = await createServices(testSettings(), { ...CATALOG, log: silent, scrub, clock, database })
    const org = await directory(services).org()
    const [ada, bob] = [await org.member(), await org.member()]
    await newsHeard(opened)
    const see = (who: { userId: string; orgId: string }) => services.surfaces.of(askedBy(callerOfKey(keyHolder(who))))
    const changed = () => new Promise<void>(resolve => opened.events.on('surface', () => setImmediate(resolve)))
    return { ...services, clock, org, ada, bob, see, changed }
  }

  await t.test('contain what is enabled for the organization and the member, and follow a change at once', async t => {
    const { capabilities, org, ada, bob, see, changed } = await fixture(t)
    const names = async (who: typeof ada) => [...(await see(who)).tools.keys()]
    t.ok((await names(ada)).includes('memory__remember'))

    let heard = changed()
    await capabilities.set({ orgId: org.id, userId: null, capability: 'memory__forget', enabled: false })
    await heard
    t.notOk((await names(ada)).includes('memory__forget'), 'one tool, for all')
    t.ok((await names(bob)).includes('memory__remember'))

    heard = changed()
    await capabilities.set({ orgId: org.id, userId: bob.userId, capability: 'memory', enabled: false })
    await heard
    t.same(
      (await names(bob)).filter(name => name.startsWith('memory__')),
      [],
      'a family, for one member',
    )
    t.ok((await names(ada)).includes('memory__remember'))

    heard = changed()
    await capabilities.set({ orgId: org.id, userId: bob.userId, capability: 'memory__forget', enabled: true })
    await capabilities.set({ orgId: org.id, userId: bob.userId, capability: 'memory', enabled: true })
    await heard
    t.notOk(
      (await names(bob)).includes('memory__forget'),
      'what the organization switched off, a member cannot switch on',
    )
  })

  await t.test('are one object for callers who see the same, and synchronous while cached', async t => {
    const { ada, bob, see } = await fixture(t)
    const surface = await see(ada)
    t.equal(await see(bob), surface)
    t.equal(see(ada), surface)
  })

  await t.test('are never another organization’s', async t => {
    const services = await fixture(t)
    const { capabilities, ada, see } = services
    const other = await (await directory(services).org('Elsewhere')).member()
    await see(other)
    await capabilities.set({ orgId: other.orgId, userId: null, capability: 'memory', enabled: false })
    services.clock.advance(5_000)
    t.notOk((await see(other)).tools.has('memory__remember'))
    t.ok((await see(ada)).tools.has('memory__remember'))
  })

  await t.test('follow a change within five seconds if its event is lost', async t => {
    const deaf = { on: () => () => {}, onReset: () => () => {} }
    const { capabilities, ada, see, clock } = await fixture(t, deaf)
    await see(ada)
    await capabilities.set({ orgId: ada.orgId, userId: null, capability: 'memory', enabled: false })
    t.ok((await see(ada)).tools.has('memory__remember'), 'nothing was heard')
    clock.advance(5_000)
    t.notOk((await see(ada)).tools.has('memory__remember'))
  })

  await t.test('stay available while the database is down', async t => {
    const { ada, see, clock, database } = await fixture(t)
    const surface = await see(ada)
    await database.close()
    clock.advance(5_000)
    t.equal(await see(ada), surface)
  })
})

t.test('tools are sorted by name, regardless of the order of the catalog', async t => {
  const { tools } = createRegistry([tool('b__x', fine), tool('a__y', fine), tool('a__x', fine)])
  t.same(
    tools.map(({ json }) => JSON.parse(json([])).name),
    ['a__x', 'a__y', 'b__x'],
  )
})

t.test('a connector’s tools are visible with an account of it, and their schema names the accounts', async t => {
  const connector = (name: `${string}__${string}`) => ({ ...tool(name, fine), needsAccount: true })
  const registry = createRegistry([tool('memory__x', fine), connector('shop__buy'), connector('mail__read')])
  const accounts = new Map<string, Account[]>([
    ['ada', [account('work'), account('work', { id: 'acc_2', scope: 'shared', userId: 'usr_2' })]],
    ['bob', [account('work', { id: 'acc_3', userId: 'bob' }), account('work', { id: 'acc_2', scope: 'shared' })]],
    ['eve', []],
  ])
  const surfaces = createSurfaces({
    registry,
    toolsAt: async () => registry.tools,
    policies: NO_POLICIES,
    versions: { fresh: () => 1, current: async () => 1, recheck() {} },
    disabledFor: async () => new Set(),
    accountsOf: async ({ userId }) => accounts.get(userId) ?? [],
    createList: (entries, content) =>
      createToolList(entries, { serverInfo: { name: 'test', version: '1' }, lists: createListCache(), content }),
  })
  const of = (userId: string) => surfaces.of(askedBy({ userId, orgId: 'org_1', role: 'member' }))
  const [ada, bob, eve] = [await of('ada'), await of('bob'), await of('eve')]

  t.same([...eve.tools.keys()], ['memory__x'])
  t.same(
    [...(await surfaces.of(askedBy(null))).tools.keys()],
    ['memory__x'],
    'without an organization there are no accounts',
  )
  t.same([...ada.tools.keys()], ['memory__x', 'shop__buy'])
  const { result } = JSON.parse(Buffer.concat([...(await ada.list.plain('legacy', 1))]).toString())
  t.same(result.tools[1].inputSchema.properties.account.enum, ['work', 'shared:work'])
  t.notOk('account' in result.tools[0].inputSchema.properties)
  t.equal(bob.list, ada.list, 'equal names share their bytes')
  t.equal(ada.accounts.get('shop')?.get('work')?.id, 'acc_work')
  t.equal(bob.accounts.get('shop')?.get('work')?.id, 'acc_3', 'and never each other’s accounts')
  t.equal(bob.accounts.get('shop')?.get('shared:work')?.id, 'acc_2')
  t.same((await of('bob')).accounts, bob.accounts, 'nor from the cache')
})

t.test('two tools with the same name, or an invalid name, are rejected at startup', async t => {
  t.throws(() => createRegistry([tool('memory__x', fine), tool('memory__x', fine)]), /Two tools are named memory__x/)
  t.throws(() => tool('memory__x.y', fine), /invalid wire name/)
})

t.test('call', async t => {
  const finished: ToolOutcome[] = []
  const failed: unknown[] = []
  const call = createCallTool({
    once: (_scope, run) => run(keptNowhere),
    metering: noMetering,
    isTool: name => name === 'test__switched_off',
    finished: outcome => void finished.push(outcome),
    failed: error => void failed.push(error),
    deadlineMs: 20,
  })
  const surface: Surface = {
    tools: new Map(
      [
        tool('test__fine', fine),
        tool('test__session', fine, 'session'),
        tool('test__admin', fine, 'admin'),
        tool('test__refusing', () => Promise.reject(new GatewayError('not_found', 'There is none.'))),
        tool('test__broken', () => Promise.reject(new Error('password=hunter2'))),
        tool('test__endless', () => new Promise(() => {})),
        ...['shop__buy' as const, 'mail__read' as const].map(name => ({
          ...tool(name, fine, undefined, { account: Type.Optional(Type.String()) }),
          needsAccount: true,
          refuse: () => undefined,
        })),
      ].map(tool => [tool.entry.name, tool]),
    ),
    conditional: [],
    list: undefined as never,
    accounts: new Map([
      ['shop', labelAccounts([account('work'), account('home')])],
      ['mail', labelAccounts([account('only', { scope: 'shared' })])],
    ]),
  }
  const identity = keyHolder({ role: 'member' })
  const toolCall = (name: string, args: unknown): ToolCall => ({
    name,
    arguments: args,
    identity,
    caller: callerOfKey(identity),
    idempotencyKey: 'a key',
    origin: 'http://localhost',
    client: QUIET_CLIENT,
    onDisconnect() {},
    argumentsFault: null,
  })
  const ask = async (name: string, args: unknown = {}, who: Partial<ToolCall> = {}) => {
    const { result, outcome } = await call(surface, { ...toolCall(name, args), ...who })
    const [block] = result.content ?? []
    return { isError: result.isError === true, text: block?.type === 'text' ? block.text : '', outcome }
  }
  const code = async (...args: Parameters<typeof ask>) => JSON.parse((await ask(...args)).text).error.code

  await t.test('answers an unknown name and invalid arguments with the fixed texts', async t => {
    t.same(await ask('test__nowhere'), { isError: true, text: 'Tool test__nowhere not found', outcome: 'not_found' })
    const bad = await ask('test__fine', { count: 'three' })
    t.match(bad, { isError: true, outcome: 'invalid_request' })
    t.match(bad.text, /^Input validation error: Invalid arguments for tool test__fine: `count` must be /)
    t.match((await ask('test__fine', { unknown: 1 })).text, /^Input validation error/, 'an unknown argument is refused')
    t.same(await ask('test__fine', { count: 3 }), { isError: false, text: '', outcome: 'ok' })
  })

  await t.test('answers arguments that are not an object as an input validation error', async t => {
    for (const args of [[], [{ count: 3 }], 'x', '', null, 0, false])
      t.same(
        await ask('test__fine', args),
        {
          isError: true,
          text: 'Input validation error: Invalid arguments for tool test__fine: Send `arguments` as an object.',
          outcome: 'invalid_request',
        },
        JSON.stringify(args),
      )
    t.equal((await ask('test__nowhere', [])).text, 'Tool test__nowhere not found')
    t.equal(await code('test__session', []), 'jwt_session_required')
  })

  await t.test('mends arguments in the form that models send, and reports that it did', async t => {
    const got: unknown[] = []
    const stated = defineTool({
      name: 'test__listing',
      title: 'List',
      description: 'Lists.',
      annotations: { ...annotations, readOnlyHint: false },
      input: Type.Object(
        {
          count: Type.Optional(Type.Integer({ maximum: 9 })),
          names: Type.Array(Type.String()),
          cursor: Type.Optional(Type.String({ minLength: 1 })),
        },
        { additionalProperties: false },
      ),
      async run(args) {
        got.push(args)
        throw new GatewayError('not_found', `There is no ${args.names.join()} of ${args.count}.`)
      },
    })
    const claimed: unknown[] = []
    const mending = createCallTool({
      once(claim, run) {
        claimed.push(claim.args)
        return run(keptNowhere)
      },
      metering: noMetering,
      isTool: () => false,
      finished: outcome => void finished.push(outcome),
      failed() {},
    })
    const send = (args: unknown) =>
      mending({ ...surface, tools: new Map([['test__listing', stated]]) }, toolCall('test__listing', args))
    finished.length = 0
    const sent = { count: '5', names: '["ada-lovelace"]', cursor: null }
    t.equal((await send(sent)).outcome, 'not_found')
    await send({ names: ['bob'] })
    await send({ names: ['bob'], count: '50' })
    t.same(got, [{ count: 5, names: ['ada-lovelace'] }, { names: ['bob'] }])
    t.same(claimed, [sent, { names: ['bob'] }], 'a repetition is recognized by what was sent')
    t.match(finished, [
      { mended: true, failure: 'There is no … of 5.' },
      { mended: false },
      { mended: false, outcome: 'invalid_request', failure: /`count` must be/ },
    ])
    const [text] = (await send('{"names": ["bob"]}')).result.content as { text: string }[]
    t.match(text?.text, /Send `arguments` as an object/, 'the arguments themselves are never decoded')
  })

  await t.test('checks the gates before the arguments', async t => {
    t.equal(await code('test__session', { wrong: true }), 'jwt_session_required')
    t.notMatch((await ask('test__session')).text, 'MCP_ISSUER', 'clients can sign in here')
    t.equal(await code('test__admin', { wrong: true }), 'admin_required')
    const user = { identity: session(), caller: null }
    t.equal(await code('test__fine', {}, user), 'no_active_org')
    t.match((await ask('test__nowhere', {}, user)).text, 'not found', 'an unknown name is not found first')
    const admin = callerOfUser(session(), { orgId: 'org_1', role: 'admin' })
    t.notOk((await ask('test__admin', {}, { identity: session(), caller: admin })).isError)
  })

  await t.test('turns every failure into a tool error, without the text of unexpected errors', async t => {
    t.equal(await code('test__refusing'), 'not_found')
    const broken = await ask('test__broken')
    t.equal(JSON.parse(broken.text).error.code, 'internal_error')
    t.notMatch(broken.text, 'hunter2')
    t.match(failed, [{ message: 'password=hunter2' }], 'which is reported')
    t.equal(await code('test__endless'), 'timeout')
  })

  await t.test('aborts the signal at the end of a call, whether the tool reads it before or after', async t => {
    const gone = new CallSignal(listener => listener(), 10_000)
    t.match(gone.abortSignal, { aborted: true, reason: { message: 'The client has disconnected.' } })

    let leave = () => {}
    const leaving = new CallSignal(listener => {
      leave = listener
    }, 10_000)
    t.equal(leaving.abortSignal.aborted, false)
    leave()
    t.equal(leaving.abortSignal.aborted, true)

    const over = new CallSignal(() => {}, 5)
    await t.rejects(over.withTimeout(new Promise(() => {})), { code: 'timeout' })
    t.match(over.abortSignal, { aborted: true, reason: { code: 'timeout' } })
  })

  await t.test('lets a tool throw its own error shortly after the deadline', async t => {
    const ends = (say: (reason: unknown) => Error | undefined) => {
      const signal = new CallSignal(() => {}, 5)
      const running = new Promise<never>((_resolve, reject) => {
        signal.abortSignal.addEventListener('abort', () => {
          const said = say(signal.abortSignal.reason)
          if (said !== undefined) setImmediate(reject, said)
        })
      })
      return signal.withTimeout(running)
    }
    const own = new GatewayError('timeout', 'It was not sent.')
    await t.rejects(
      ends(() => own),
      own,
    )
    const late = { code: 'timeout', message: /aborted/, unsettled: true }
    await t.rejects(
      ends(() => new Error('broken by its end')),
      late,
    )
    await t.rejects(
      ends(() => undefined),
      late,
    )
  })

  await t.test('separates the idempotency keys of callers and of a user’s OAuth clients', async t => {
    const holders: string[] = []
    const once: Idempotency['once'] = (claim, run) => {
      holders.push(claim.holder)
      return run(keptNowhere)
    }
    const readOnly = tool('test__writing', fine)
    const writing = {
      ...readOnly,
      readOnly: false,
      entry: { ...readOnly.entry, annotations: { ...annotations, readOnlyHint: false } },
    }
    const remembering = createCallTool({ once, metering: noMetering, isTool: () => false, finished() {}, failed() {} })
    for (const who of [
      identity,
      session(),
      session({ via: 'mcp-oauth', clientId: 'one' }),
      session({ clientId: 'two' }),
    ])
      await remembering(
        { ...surface, tools: new Map([['test__writing', writing]]) },
        {
          name: 'test__writing',
          arguments: {},
          identity: who,
          caller: callerOfKey(identity),
          idempotencyKey: 'again',
          origin: 'http://localhost',
          client: QUIET_CLIENT,
          onDisconnect() {},
          argumentsFault: null,
        },
      )
    const { userId } = session()
    t.same(holders, [identity.keyId, userId, `${userId} one`, `${userId} two`])
  })

  await t.test('uses the named or only account, and asks if there are several', async t => {
    finished.length = 0
    t.notOk((await ask('mail__read')).isError)
    t.notOk((await ask('shop__buy', { account: 'home' })).isError)
    t.notOk((await ask('mail__read', { account: '' })).isError, 'an empty one is none')
    t.notOk((await ask('mail__read', { account: 'shared:only' })).isError, 'a label from when there was an own one too')
    t.same(
      finished.map(({ accountId }) => accountId),
      ['acc_only', 'acc_home', 'acc_only', 'acc_only'],
    )
    t.ok((await ask('shop__buy', { account: 'shared:work' })).isError, 'which never means an own account')
    const several = await ask('shop__buy')
    t.match(JSON.parse(several.text).error, { code: 'account_required', message: /"work", "home"/ })
    const foreign = await ask('shop__buy', { account: 'only' })
    t.match(
      foreign.text,
      /^Input validation error: Invalid arguments for tool shop__buy: `account` must be "work" or "home"; got "only"\.$/,
    )
    t.match(finished.at(-1), {
      tool: 'shop__buy',
      accountId: null,
      outcome: 'invalid_request',
      failure: '`account` must be "work" or "home"; got "…".',
    })
  })

  await t.test('reports the outcome of each call, and unknown names without the name', async t => {
    finished.length = 0
    await ask('test__fine')
    await ask('test__refusing')
    await ask('test__nowhere')
    await ask('test__switched_off')
    await until(async () => finished.length === 4)
    t.match(finished, [
      { tool: 'test__fine', outcome: 'ok', durationMs: Number },
      { tool: 'test__refusing', outcome: 'not_found' },
      { tool: 'unknown tool', outcome: 'not_found', failure: 'No tool has this name.' },
      { tool: 'test__switched_off', outcome: 'not_found', failure: /is not in the list of the caller/ },
    ])
    t.notMatch(JSON.stringify(finished), 'test__nowhere')
  })
})
