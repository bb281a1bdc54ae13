import { chmodSync, mkdtempSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { acrossOrgs } from '../../plugins/database/tenant.ts'
import { COMMANDS } from '../../plugins/operator/commands.ts'
import { controlSocketPath, sendToGateway, serveControlSocket } from '../../plugins/operator/control-socket.ts'
import { firstStartMessage, prepareFirstStart } from '../../plugins/operator/first-start.ts'
import { help, runCommand } from '../../plugins/operator/run-command.ts'
import { createServices } from '../../services.ts'
import { silent, testDatabase } from '../database.ts'
import { testSettings } from '../settings.ts'

async function stage(t: Parameters<typeof testDatabase>[0]) {
  const database = await testDatabase(t)
  const services = await createServices(testSettings(), { log: silent, database })
  const run = (line: string) => runCommand(services, line.split(' ')) as Promise<Record<string, string>>
  return { ...services, run }
}

t.test('the commands make an organization, its people, agents and keys, and leave an audit trail', async t => {
  const { run, identity, database } = await stage(t)
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

  const trail = await acrossOrgs(database.db).selectFrom('audit').orderBy('id').select(['action', 'target']).execute()
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

t.test('a command says what is wrong with its arguments', async t => {
  const { run } = await stage(t)
  for (const [line, message] of [
    ['nonsense', /no such command/],
    ['org create', /--name is missing.*org create --name N/],
    ['org create --name A --colour red', /colour/],
    ['key revoke', /Usage: key revoke ID/],
    ['key revoke key_1', /There is no key key_1/],
    ['user create --org org_1 --email e --role king', /--role is one of owner, admin, member/],
    ['user create --org org_1 --email e --role owner', /There is no organization org_1/],
    ['user create --org org_1 --email e --role owner --issuer i', /--issuer and --subject stand together/],
    ['key create --org org_1 --user usr_1 --expires tomorrow', /RFC 3339/],
    ['agent create --org org_1 --owner usr_1 --name A', /usr_1 is no member of org_1/],
    ['agent resume agt_1', /There is no agent agt_1/],
    ['capability disable memroy --org org_1', /No family and no tool is named memroy/],
    ['capability disable memory --org org_1', /There is no organization org_1/],
  ] as const)
    await t.rejects(async () => run(line), { message }, line)
  for (const { name } of COMMANDS) t.match(help(), name)
})

t.test('the control socket runs commands for its owner alone, and survives nonsense', async t => {
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
  t.equal(await sendToGateway(dataDir, ['migrate']), undefined)
})

t.test('the first start makes one organization with a key that works, the second none', async t => {
  const services = await stage(t)
  const first = await prepareFirstStart(services)
  t.match(await services.identity.apiKeys.verify(first?.key ?? ''), {
    role: 'owner',
    orgId: first?.orgId,
    userId: first?.userId,
  })
  t.equal(await prepareFirstStart(services), undefined)
  const message = firstStartMessage('http://127.0.0.1:3000', { orgId: 'org_1', userId: 'usr_1', key: 'cgw_dev_x' })
  t.match(message, 'http://127.0.0.1:3000/mcp')
  t.match(message, 'key create --org org_1 --user usr_1')
  t.match(JSON.parse(message.slice(message.indexOf('{'))), {
    mcpServers: { 'connector-gateway': { type: 'http', headers: { Authorization: 'Bearer cgw_dev_x' } } },
  })
})
