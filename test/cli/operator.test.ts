import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { bootstrap } from '../../cli/bootstrap.ts'
import { printAnswer } from '../../cli/commands/serialize.ts'
import { controlSocketPath, sendToGateway, serveControlSocket } from '../../cli/control-socket.ts'
import { COMMANDS, exitCodeOf, help, runCommand, runForOperator } from '../../cli/run-command.ts'
import { readCounts } from '../../cli/start-message.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { createServices } from '../../services/create-services.ts'
import { CATALOG } from '../../tools/catalog.ts'
import { silent, testDatabase } from '../fixtures/database.ts'
import { scrub } from '../fixtures/fixture.ts'
import { testSettings } from '../fixtures/settings.ts'

// Embedded database: commands reach it through the gateway that has it open.

async function fixture(t: Parameters<typeof testDatabase>[0]) {
  const database = await testDatabase(t)
  const services = await createServices(testSettings(), { ...CATALOG, log: silent, scrub, database })
  const run = (line: string) => runCommand(services, line.split(' ')) as Promise<Record<string, string>>
  /** What a command lists. */
  const list = async (line: string) => Object.values(await run(line)).flat() as unknown as Record<string, unknown>[]
  return { ...services, run, list }
}

t.test('the commands create an organization, its users, agents and keys, and leave an audit trail', async t => {
  const { run, identity, database } = await fixture(t)
  t.same(await run('migrate'), { migrated: true })
  const org = await run('org create --name Analytical')
  const ada = await run(
    `user create --org ${org.id} --email ada@example.test --role owner --issuer https://id.example --subject ada`,
  )
  const agent = await run(`agent create --org ${org.id} --owner ${ada.id} --name Helper`)
  const key = await run(
    `key create --org ${org.id} --user ${ada.id} --agent ${agent.id} --name first --expires 2999-01-01T00:00:00Z`,
  )
  t.match(await identity.apiKeys.verify(key.key ?? ''), {
    keyId: key.id,
    agent: { id: agent.id, status: 'active' },
    role: 'owner',
  })
  await run(`agent suspend ${agent.id}`)
  await run(`agent resume ${agent.id}`)
  await run(`key revoke ${key.id}`)

  const second = await run('org create --name Second')
  t.same(await run(`member add --org ${second.id} --user ${ada.id} --role member`), { id: ada.id })
  t.same(await run(`capability disable memory --org ${second.id} --user ${ada.id}`), {
    capability: 'memory',
    enabled: false,
  })
  t.same(await run(`capability enable memory --org ${second.id}`), { capability: 'memory', enabled: true })

  const trail = await acrossOrgs(database.db)
    .selectFrom('audit')
    // Of the same instant as the organization it comes with: such rows have no order.
    .where('action', '!=', 'wallet.credit')
    .orderBy('id')
    .select(['action', 'target'])
    .execute()
  t.same(
    trail.map(({ action }) => action),
    [
      'org.create',
      'member.add',
      'agent.create',
      'key.create',
      'agent.suspend',
      'agent.resume',
      'key.revoke',
      'org.create',
      'member.add',
      'capability.disable',
      'capability.enable',
    ],
  )
  t.notMatch(JSON.stringify(trail), key.key, 'no secret in it')
})

t.test('the commands change the role of a member, remove them, and reassign their agent', async t => {
  const { run, list, keys, jobs } = await fixture(t)
  const org = await run('org create --name Analytical')
  t.match(await list('org list'), [
    { id: org.id, name: 'Analytical', members: 0, created_at: /^\d{4}-.*Z$/, standing: 'active' },
  ])
  const ada = await run(`user create --org ${org.id} --email ada@example.test --role owner`)
  const eve = await run(`user create --org ${org.id} --email eve@example.test --role member`)
  const roles = async () =>
    (await list(`member list --org ${org.id}`)).map(({ email, role }) => `${email} ${role}`).sort()
  t.same(await roles(), ['ada@example.test owner', 'eve@example.test member'])
  t.same(await run(`member role --org ${org.id} --user ${eve.id} --role admin`), { id: eve.id })
  t.same(await roles(), ['ada@example.test owner', 'eve@example.test admin'])

  const agent = await run(`agent create --org ${org.id} --owner ${eve.id} --name Helper`)
  const own = await run(`key create --org ${org.id} --user ${eve.id}`)
  const agents = await run(
    `key create --org ${org.id} --user ${eve.id} --agent ${agent.id} --expires 2999-01-01T00:00:00Z`,
  )
  t.same(await run('key peppers'), { peppers: [{ id: 'test', keys: 2, configured: true }] })
  t.same(await run(`member remove --org ${org.id} --user ${eve.id}`), { id: eve.id })
  t.same(await roles(), ['ada@example.test owner'])
  t.match(await list(`agent list --org ${org.id}`), [
    { id: agent.id, name: 'Helper', owner_id: eve.id, status: 'suspended', orphaned: true, created_at: String },
  ])

  t.same(await run(`agent assign ${agent.id} --owner ${ada.id}`), { id: agent.id })
  t.match(await list(`agent list --org ${org.id}`), [{ owner_id: ada.id, status: 'active', orphaned: false }])
  const keyOf = async (id: string | undefined) => (await list(`key list --org ${org.id}`)).find(key => key.id === id)
  t.strictSame(Object.keys((await keyOf(own.id)) ?? {}), [
    ...['id', 'prefix', 'last4', 'name', 'user_id', 'agent_id', 'created_at', 'expires_at', 'revoked_at'],
    ...['previous_last4', 'previous_expires_at', 'monthly_cap_micros', 'spent_this_month_micros'],
    'last_used_at',
    'policy',
  ])
  t.match(await keyOf(own.id), { user_id: eve.id, agent_id: null, expires_at: null, revoked_at: /Z$/ })
  t.match(await keyOf(agents.id), { user_id: ada.id, expires_at: '2999-01-01T00:00:00.000Z', revoked_at: null })

  t.same(await run(`agent retire ${agent.id}`), { id: agent.id })
  t.match(await list(`agent list --org ${org.id}`), [{ status: 'retired' }])
  await jobs.runDue()
  t.match(await keyOf(agents.id), { revoked_at: null }, 'not at once')
  t.match(await run(`key rotate ${agents.id} --overlap 7d`), {
    id: agents.id,
    key: /^cgw_dev_/,
    previous_expires_at: /Z$/,
  })
  t.match(await keyOf(agents.id), { previous_last4: String, previous_expires_at: /Z$/ })
  for (const overlap of ['8d', '604801s', '-1s', '1', '1w'])
    await t.rejects(run(`key rotate ${agents.id} --overlap=${overlap}`), {
      message: /--overlap must be a time of at most 7/,
    })
  await t.rejects(run('key claim --token nothing'), { code: 'not_found' })
  t.same(await run(`key revoke ${agents.id}`), { id: agents.id, revoked: true })
  t.same(await run(`key revoke ${agents.id}`), { id: agents.id, already_revoked: true })
  t.equal((await keys.list(org.id ?? '')).length, 2)
})

t.test('the commands credit, cap and suspend, and the audit confirms the result', async t => {
  const { run, list, database } = await fixture(t)
  const { id: org } = await run('org create --name Analytical')
  const wallet = { standing: 'active', balance_micros: 5_000_000, held_micros: 0, available_micros: 5_000_000 }
  const text = { threshold_micros: 0, balance: '$5.00', held: '$0.00', available: '$5.00' }
  t.strictSame(await run(`wallet show --org ${org}`), { ...wallet, ...text })
  t.match(await run(`wallet credit --org ${org} --usd 0.000001 --description Thanks`), {
    id: /^txn_/,
    standing: 'active',
    balance_micros: 5_000_001,
  })
  t.same(await run(`org suspend ${org}`), { id: org, standing: 'suspended' })
  t.same(await run(`org suspend ${org}`), { id: org, standing: 'suspended', already_suspended: true })
  const credit = await run(`wallet credit --org ${org} --usd 1000 --reference 7`)
  t.match(credit, { standing: 'suspended', balance: '$1005.000001' })
  const { id, ...after } = credit
  t.same(await run(`wallet credit --org ${org} --usd 1000 --reference 7`), { id, already_credited: true, ...after })
  t.match(await list('org list'), [{ standing: 'suspended' }])
  t.same(await run(`org resume ${org}`), { id: org, standing: 'active' })
  t.same(await run(`org resume ${org}`), { id: org, standing: 'active', not_suspended: true })
  t.match(await list(`wallet list --org ${org}`), [
    { kind: 'credit', amount: '$1000.00', at: /^\d{4}-.*Z$/, key_id: null, hold_id: null },
    { amount_micros: 1, amount: '$0.000001', description: 'Thanks' },
    { amount: '$5.00' },
  ])
  t.equal((await list(`wallet list --org ${org} --limit 1`)).length, 1)

  const ada = await run(`user create --org ${org} --email ada@example.test --role owner`)
  const { id: key } = await run(`key create --org ${org} --user ${ada.id} --monthly-cap-usd 0`)
  const cap = async () => (await list(`key list --org ${org}`))[0]?.monthly_cap_micros
  t.equal(await cap(), 0)
  t.same(await run(`key cap ${key} --usd 2.5`), { id: key, monthly_cap_micros: 2_500_000, monthly_cap: '$2.50' })
  t.equal(await cap(), 2_500_000)
  t.same(await run(`key cap ${key} --none`), { id: key, monthly_cap_micros: null, monthly_cap: 'none' })
  t.equal(await cap(), null)

  const { balance } = await run(`wallet show --org ${org}`)
  const none = [
    '-1',
    '1e3',
    'NaN',
    'five',
    '9007199254740993',
    '0.0000001',
    '1,5',
    '$5',
    '0x10',
    '5.',
    '.5',
    'Infinity',
  ]
  for (const amount of none) {
    const refused = {
      code: 'invalid_request',
      message: /^--usd must be a number of dollars, more than 0, up to 1000 million/,
    }
    await t.rejects(run(`wallet credit --org ${org} --usd=${amount}`), refused, amount)
    await t.rejects(
      run(`key cap ${key} --usd=${amount}`),
      { message: /^--usd must be a number of dollars, 0 or more/ },
      amount,
    )
    await t.rejects(run(`key cap ${key} --usd ${amount}`), { message: /^--usd must be a number of dollars/ }, amount)
    const create = run(`key create --org ${org} --user ${ada.id} --monthly-cap-usd=${amount}`)
    await t.rejects(create, { message: /^--monthly-cap-usd must be a number of dollars, 0 or more/ }, amount)
  }
  await t.rejects(run(`wallet credit --org ${org} --usd 0`), {
    message: /^--usd must be a number of dollars, more than 0/,
  })
  for (const both of ['', ' --usd 1 --none'])
    await t.rejects(async () => run(`key cap ${key}${both}`), { message: 'Give either --usd N or --none.' })
  t.match(await run(`wallet show --org ${org}`), { balance })
  t.equal(await cap(), null)
  t.equal((await list(`key list --org ${org}`)).length, 1)

  const well = await run('billing audit')
  t.match(well, { ok: true, organizations: 1, postings: 3, holds_pending: 0, found: 0, differences: [] })
  t.equal(exitCodeOf(well), 0)
  await acrossOrgs(database.db).updateTable('wallets').set({ held_micros: 1 }).execute()
  const wrong = await run('billing audit')
  t.match(wrong, {
    ok: false,
    found: 1,
    differences: [{ org, kind: 'wallet_held', what: /^The wallet holds 1,/ }],
  })
  t.equal(exitCodeOf(wrong), 1)
  t.match(printAnswer(wrong), /^ok: false\n.*\nfound: 1\norg +kind +what\norg_.* wallet_held +The wallet holds/s)
})

t.test('a person who signed in before they were added is linked to the member who was created for them', async t => {
  const { run, list, database } = await fixture(t)
  const org = await run('org create --name Analytical')
  const create = `user create --org ${org.id} --role member --email`
  const ada = await run(`${create} ada@example.test --issuer https://id.example --subject ada`)
  const signIn = '--issuer https://id.example --subject auth0|1'
  await t.rejects(run(`${create} ADA@example.test ${signIn}`), {
    code: 'invalid_request',
    message: new RegExp(
      `^${ada.id} \\(ada@example.test\\) is already a member of .*--force.* user link --user ${ada.id} --issuer https://id.example --subject 'auth0\\|1'$`,
    ),
  })
  t.match(await run(`user link --user ${ada.id} ${signIn}`), {
    id: ada.id,
    subject: 'auth0|1',
    warning: /^This issuer is neither SESSION_ISSUER nor MCP_ISSUER here/,
  })
  t.match(await run(`user link --user ${ada.id} ${signIn}`), { already_linked: true })

  const second = await run(`${create} Ada@example.test --force`)
  t.same(await run(`user email --user ${second.id} --email eve@example.test`), {
    id: second.id,
    email: 'eve@example.test',
  })
  const back = `user email --user ${second.id} --email Ada@example.test`
  await t.rejects(run(back), { message: /is already a member of .*--force/ })
  t.match(await run(`${back} --force`), { email: 'Ada@example.test' })
  t.same(await run(`org rename ${org.id} --name Analytical`), {
    id: org.id,
    name: 'Analytical',
    already_named: true,
  })
  await run(`member remove --org ${org.id} --user ${second.id}`)
  const add = `member add --org ${org.id} --user ${second.id} --role admin`
  await t.rejects(run(add), { message: new RegExp(`^${ada.id} .*user link --user ${ada.id} .*SUBJECT$`) })
  t.same(await run(`${add} --force`), { id: second.id })
  await run(`member remove --org ${org.id} --user ${second.id}`)

  const members = [
    {
      id: ada.id,
      email: 'ada@example.test',
      role: 'member',
      state: 'active',
      created_at: /Z$/,
      sign_ins: [
        { issuer: 'https://id.example', subject: 'ada' },
        { issuer: 'https://id.example', subject: 'auth0|1' },
      ],
    },
    { id: second.id, email: 'Ada@example.test', role: 'admin', state: 'removed', sign_ins: [] },
  ]
  t.match(await list(`member list --org ${org.id}`), members.slice(0, 1))
  t.match(await list(`member list --org ${org.id} --all`), members)
  t.match(
    printAnswer(await run(`member list --org ${org.id} --all`)),
    /Z +https:\/\/id.example ada, https:\/\/id.example auth0\|1\n.*Z +-$/,
  )

  t.same(await run(`user unlink --user ${ada.id} ${signIn}`), {
    id: ada.id,
    unlinked: [{ issuer: 'https://id.example', subject: 'auth0|1' }],
  })
  const { id: other } = await database.db
    .insertInto('users')
    .values({ id: `usr_${'1'.repeat(32)}`, email: null, created_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await run(`user link --user ${other} ${signIn}`)
  await t.rejects(run(`user link --user ${ada.id} ${signIn}`), {
    message: new RegExp(`belong to user ${other}, .*--move$`),
  })
  t.match(await run(`user link --user ${ada.id} ${signIn} --move`), { id: ada.id, moved_from: other })
})

t.test('every command that takes a user takes their email', async t => {
  for (const { usage } of COMMANDS) t.notMatch(usage, /--(?:user|owner) (?!USER\|EMAIL)/, usage)

  const database = await testDatabase(t)
  const settings = testSettings({ dashboardUrl: 'https://dashboard.example' })
  const services = await createServices(settings, { ...CATALOG, log: silent, scrub, database })
  const run = (line: string) => runCommand(services, line.split(' ')) as Promise<Record<string, string>>
  const [org, other] = [await run('org create --name Analytical'), await run('org create --name Second')]
  const ada = await run(`user create --org ${org.id} --email Ada@example.test --role owner`)
  t.match(await run('user sign-in-link --user ada@example.test'), { link: /^https:\/\/dashboard\.example\// })
  t.match(await run(`key create --org ${org.id} --user ADA@example.test`), { key: /^cgw_/ })
  t.same(await run(`member add --org ${other.id} --user ada@example.test --role member`), { id: ada.id })
  const agent = await run(`agent create --org ${org.id} --owner ada@example.test --name Helper`)
  t.same(await run(`agent assign ${agent.id} --owner ada@example.test`), { id: agent.id })
  await t.rejects(run('user sign-in-link --user eve@example.test'), {
    code: 'invalid_request',
    message: /^There is no user with the email eve@example\.test\. .*member list --org ORG$/,
  })

  const twin = await run(`user create --org ${other.id} --email ada@example.test --role member --force`)
  await t.rejects(run('user sign-in-link --user ada@example.test'), {
    message: `Several users have the email ada@example.test. Give an ID: ${ada.id} (${org.id}, ${other.id}), ${twin.id} (${other.id}).`,
  })
  t.same(
    await run(`member role --org ${org.id} --user ada@example.test --role owner`),
    { id: ada.id },
    'one is a member',
  )
  await run(`member remove --org ${other.id} --user ${twin.id}`)
  t.match(
    await run('user sign-in-link --user ada@example.test'),
    { link: String },
    'the other one is a member of nothing',
  )
  const third = await run('org create --name Third')
  await t.rejects(
    run(`member add --org ${third.id} --user ada@example.test --role owner`),
    { message: /^Several users have the email ada@example\.test\. Give an ID: / },
    'membership elsewhere does not say which of them joins',
  )
  await services.close()
})

t.test('answers are printed as lines and lists as tables, and no name can imitate a row', async t => {
  t.equal(printAnswer({ id: 'key_1', key: 'cgw_dev_x' }), 'id: key_1\nkey: cgw_dev_x')
  t.equal(printAnswer({ keys: [] }), 'no keys')
  const agents = [
    { id: 'agt_1', name: 'Helper', owner_id: null },
    { id: 'agt_22', name: 'E\nv\u001b[2J', owner_id: '' },
  ]
  t.equal(printAnswer({ agents }), ['id      name     owner_id', 'agt_1   Helper   -', 'agt_22  E?v?[2J  -'].join('\n'))
})

t.test('a list that is wider than the terminal is printed as blocks', async t => {
  const signIns = [
    { issuer: 'https://id.example', subject: 'ada' },
    { issuer: 'https://id.example', subject: 'E\nv' },
  ]
  const members = [
    { id: 'usr_1', email: 'ada@example.test', sign_ins: signIns, keys: 10 },
    { id: 'usr_2', email: null, sign_ins: [], keys: 9 },
  ]
  const table = [
    'id     email             sign_ins                                            keys',
    'usr_1  ada@example.test  https://id.example ada, https://id.example E?v    10',
    'usr_2  -                 -                                                    9',
  ]
  const printed = printAnswer({ members }).split('\n')
  t.same(
    printed.map(line => line.replaceAll(/ +/g, ' ')),
    table.map(line => line.replaceAll(/ +/g, ' ')),
  )
  const [{ length } = ''] = printed
  t.same(
    printed.map(line => line.length),
    [length, length, length],
    'numbers end in one column',
  )
  t.equal(printAnswer({ members }, length), printed.join('\n'), 'as long as it fits')
  const blocks = [
    'usr_1',
    '  email     ada@example.test',
    '  sign_ins  https://id.example ada',
    '            https://id.example E?v',
    '  keys      10',
    '',
    'usr_2',
    '  email     -',
    '  sign_ins  -',
    '  keys      9',
  ]
  t.equal(printAnswer({ total: 2, members }, length - 1), ['total: 2', ...blocks].join('\n'))
  t.equal(printAnswer({ rows: [{ a: 1, b: 2 }, { b: 3 }] }), 'a  b\n1  2\n-  3', 'a missing field moves no other')
})

t.test('a command explains its invalid arguments', async t => {
  const { run } = await fixture(t)
  for (const [line, message] of [
    ['nonsense', /Unknown command/],
    ['org create', /--name is missing.*org create --name N/],
    ['org create --name A --color red', /color/],
    ['key revoke', /Usage: key revoke ID/],
    ['key revoke key_1', /There is no key key_1/],
    ['user create --org org_1 --email e --role king', /--role must be one of owner, admin, member/],
    ['user create --org org_1 --email e@e --role owner', /There is no organization org_1/],
    ['user create --org org_1 --email e --role owner', /The email must have the form name@example.com/],
    ['user email --user usr_1 --email e', /The email must have the form name@example.com/],
    ['user email --user usr_1 --email e@e', /There is no user usr_1/],
    ['org rename org_1 --name N', /There is no organization org_1/],
    ['user create --org org_1 --email e@e --role owner --issuer i --subject s', /The issuer must be a URL/],
    ['user link --user usr_1 --issuer i --subject s', /The issuer must be a URL/],
    ['user create --org org_1 --email e --role owner --issuer i', /Use --issuer and --subject together/],
    ['key create --org org_1 --user usr_1 --expires tomorrow', /RFC 3339/],
    ['agent create --org org_1 --owner usr_1 --name A', /There is no organization org_1/],
    ['agent resume agt_1', /There is no agent agt_1/],
    ['agent retire agt_1', /There is no agent agt_1/],
    ['agent assign agt_1', /--owner is missing.*agent assign ID --owner USER\|EMAIL/],
    ['agent assign agt_1 --owner usr_1', /There is no agent agt_1/],
    ['agent list --org org_1', /There is no organization org_1/],
    ['key list --org org_1', /There is no organization org_1/],
    ['key cap key_1 --usd 1 --usd 2', /^--usd is given more than once\. Give it once\. Usage: key cap ID/],
    ['key cap key_1 --usd --none', /^--usd takes N, but the next word .* Join .*: --usd=-….* Usage: key cap ID/],
    ['key cap key_1 --none --none', /^--none is given more than once/],
    ['wallet list --org org_1', /There is no organization org_1/],
    ['wallet list --org org_1 --limit 201', /^--limit must be a number of rows from 1 to 200/],
    ['billing reconciliations --org org_1', /There is no organization org_1/],
    ['billing reconciliations --limit 0', /^--limit must be a number of rows/],
    ['key cap key_1 --none', /There is no key key_1/],
    ['org suspend org_1', /There is no organization org_1/],
    ['wallet show --org org_1', /There is no organization org_1/],
    ['wallet credit --org org_1 --usd 1', /There is no organization org_1/],
    ['key create --org org_1 --user usr_1 --expires 2001-01-01T00:00:00Z', /expiry of a key must be in the future/],
    ['member list --org org_1', /There is no organization org_1/],
    ['member add --org org_1 --user usr_1 --role member', /There is no organization org_1/],
    ['member role --org org_1 --user usr_1 --role king', /--role must be one of owner, admin, member/],
    ['member role --org org_1 --user usr_1 --role admin', /There is no organization org_1/],
    ['member remove --org org_1 --user usr_1', /There is no organization org_1/],
    [
      'capability disable memroy --org org_1',
      /No family, connector or tool is named memroy. Did you mean: .*\bmemory, /,
    ],
    ['capability disable memory --org org_1', /There is no organization org_1/],
  ] as const)
    await t.rejects(async () => run(line), { message }, line)
  for (const { name, internal } of COMMANDS) if (!internal) t.match(help(), name)
})

t.test('everything disabled can be enabled again, even if nothing has that name any more', async t => {
  const { run, list, database } = await fixture(t)
  const { id: org = '' } = await run('org create --name Analytical')
  const capability = 'org__wiki__gone'
  await acrossOrgs(database.db)
    .insertInto('capability_settings')
    .values({ org_id: org, user_id: null, capability, enabled: false, updated_at: new Date(0) })
    .execute()
  t.match(await list(`capability list --org ${org}`), [{ capability }])
  await t.rejects(run(`capability disable ${capability} --org ${org}`), { message: /connector or tool is named/ })
  await run(`capability enable ${capability} --org ${org}`)
  t.same(await list(`capability list --org ${org}`), [])
  await t.rejects(run(`capability enable ${capability} --org ${org}`), { message: /connector or tool is named/ })
})

t.test('the control socket runs commands only for its owner and survives invalid input', async t => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cgw-'))
  chmodSync(dataDir, 0o700)
  t.equal(await sendToGateway(dataDir, ['migrate']), undefined, 'no gateway runs')

  const seen: string[][] = []
  const close = await serveControlSocket({
    dataDir,
    log: silent,
    async run(args) {
      seen.push(args)
      if (args[0] === 'fail') throw new Error('It failed.')
      return { id: 'org_1' }
    },
  })
  t.equal(statSync(controlSocketPath(dataDir)).mode & 0o777, 0o600)
  t.same(await sendToGateway(dataDir, ['org', 'create', '--name', 'A b']), { id: 'org_1' })
  await t.rejects(sendToGateway(dataDir, ['fail']), { message: 'It failed.' })
  t.same(seen, [['org', 'create', '--name', 'A b'], ['fail']])

  for (const nonsense of ['', '{', '{"a":1}', '[1]', 'x'.repeat(100_000)]) {
    const socket = connect({ path: controlSocketPath(dataDir), allowHalfOpen: true })
    socket.on('error', () => {})
    socket.end(nonsense)
    t.match(await text(socket).catch(() => '{"error"'), '{"error"')
  }
  t.same(await sendToGateway(dataDir, ['again']), { id: 'org_1' })

  await close()
  const gone =
    'The gateway stopped before it answered. The command may have run: check its effect before you repeat it.'
  for (const said of ['', '{"result":{"id":', undefined]) {
    const killed = createServer({ allowHalfOpen: true }, async socket => {
      // With what it was sent unread: the command line finds the connection reset.
      if (said === undefined) return socket.destroy()
      await text(socket)
      socket.end(said)
    })
    killed.listen(controlSocketPath(dataDir))
    await once(killed, 'listening')
    await t.rejects(sendToGateway(dataDir, ['again']), { name: 'UsageError', message: gone })
    await new Promise(resolve => killed.close(resolve))
  }
})

t.test('the control socket never has rights for others, even with umask 000', async t => {
  const umask = process.umask(0)
  t.teardown(() => process.umask(umask))
  for (let round = 1; round <= 10; round++) {
    const dataDir = mkdtempSync(join(tmpdir(), 'cgw-'))
    const modes = await modesOf(controlSocketPath(dataDir))
    const close = await serveControlSocket({ dataDir, log: silent, run: async () => ({}) })
    const seen = await modes.stop()
    t.ok(seen.includes(0o600))
    t.same(
      seen.filter(mode => (mode & 0o077) !== 0),
      [],
    )
    await close()
    rmSync(dataDir, { recursive: true })
  }
  t.equal(process.umask(), 0, 'the umask of the process stays')
})

/** Watches the mode of a file from a thread of its own; answers every mode that it has had. */
async function modesOf(path: string) {
  const stopped = new Int32Array(new SharedArrayBuffer(4))
  const script = `
    const { statSync } = require('node:fs')
    const { parentPort, workerData: { path, stopped } } = require('node:worker_threads')
    const seen = new Set()
    const look = () => seen.add((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777)
    parentPort.postMessage('ready')
    while (Atomics.load(stopped, 0) === 0) look()
    look()
    parentPort.postMessage([...seen])`
  const worker = new Worker(script, { eval: true, workerData: { path, stopped } })
  await once(worker, 'message')
  return {
    async stop(): Promise<number[]> {
      Atomics.store(stopped, 0, 1)
      const [seen] = await once(worker, 'message')
      return seen
    },
  }
}

t.test('the control socket cuts off an incomplete command when it closes', async t => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cgw-'))
  chmodSync(dataDir, 0o700)
  const close = await serveControlSocket({ dataDir, log: silent, run: async () => ({}) })
  const half = connect({ path: controlSocketPath(dataDir) })
  half.on('error', () => {})
  half.write('["half a')
  await once(half, 'connect')
  const cut = new Promise(resolve => half.once('close', resolve))
  await close()
  await cut
  t.equal(await sendToGateway(dataDir, ['migrate']), undefined)
})

t.test('the first start creates one organization with a working key, the second start none', async t => {
  const services = await fixture(t)
  const first = await bootstrap(services, testSettings())
  t.match(await services.identity.apiKeys.verify(first?.key ?? ''), {
    role: 'owner',
    orgId: first?.orgId,
    userId: first?.userId,
  })
  t.equal(await bootstrap(services, testSettings()), undefined)
  const counts = await readCounts(services, await services.keys.pepperUse())
  t.same(counts, { organizations: 1, keys: 1, only: { orgId: first?.orgId, userId: first?.userId } })
  await services.organizations.create({ name: 'Another', by: 'operator' })
  t.match(await readCounts(services, await services.keys.pepperUse()), { organizations: 2, only: undefined })
})

t.test('the terminal of the operator shows commands with the folder, which services leave out for callers', async t => {
  const commandPrefix = 'DATA_DIR=/srv/gateway npm run -s cli --'
  const database = await testDatabase(t)
  const services = await createServices(testSettings({ commandPrefix }), { ...CATALOG, log: silent, scrub, database })
  const line = (words: string) => `npm run -s cli -- ${words}`
  const ran = (words: string) => runForOperator(services, words.split(' '))
  const asked = (words: string) => runCommand(services, words.split(' '))
  const unknown = 'user email --user usr_none --email ada@example.test'
  const forCallers = await asked(unknown).catch(error => error.message)
  t.match(forCallers, line('member list'))
  t.notMatch(forCallers, '/srv/gateway')
  await t.rejects(ran(unknown), {
    name: 'UsageError',
    message: forCallers.replace('npm run', 'DATA_DIR=/srv/gateway npm run'),
  })
  await t.rejects(ran('member list --org org_none'), {
    message: `There is no organization org_none. To list all, run: ${commandPrefix} org list`,
  })
  t.match(await ran('org create --name Analytical'), { id: /^org_/ })
  const broken = new TypeError('unexpected')
  const down = { ...services, organizations: { ...services.organizations, create: () => Promise.reject(broken) } }
  await t.rejects(runForOperator(down, ['org', 'create', '--name', 'x']), broken, 'a defect keeps its stack')
})
