import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { runCommand, runInTerminal } from '../../cli/run-command.ts'
import { createServices } from '../../services/create-services.ts'
import { createOperatorCommands, type OperatorCommands } from '../../services/operator/operator-commands.ts'
import { loadCommandConfig, loadConfig } from '../../services/settings/load.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { silent, testDatabase } from '../fixtures/database.ts'
import { scrub } from '../fixtures/fixture.ts'
import { freePort } from '../fixtures/free-port.ts'
import { keyConnector, newKey, oauth1Connector, oauth2Connector } from '../fixtures/sample-connectors.ts'

/** Nothing listens here. */
const AWAY = `http://127.0.0.1:${await freePort()}`
const keys = keyConnector('keys', AWAY, { probe: false })
const [hub, board] = [oauth2Connector(AWAY), oauth1Connector(AWAY)]
const CATALOG = { tools: () => [], connectors: [keys, hub, board] }
const secret = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const ISSUER = 'https://id.example'

/** Everything that a production gateway on PostgreSQL has in its environment. */
const environment = {
  GATEWAY_ENV: 'staging',
  DATABASE_URL: 'postgres://db.example/gateway',
  PUBLIC_ORIGINS: 'https://gateway.example',
  DASHBOARD_URL: 'https://dashboard.example',
  API_KEY_PEPPERS: secret('p1'),
  VAULT_KEYS: secret('v1'),
  SESSION_ISSUER: ISSUER,
  SESSION_AUDIENCE: 'gateway',
  OAUTH_CLIENTS: JSON.stringify({ board: { client_id: 'id', client_secret: randomBytes(16).toString('hex') } }),
  EGRESS_ALLOW_LOOPBACK: 'true',
}
type Name = keyof typeof environment
const NAMES = Object.keys(environment) as Name[]

/** Prints the variables and the words that a shell gives a command, instead of running it. */
const RECORD = `/bin/sh -c 'printf "%s\\0" ${NAMES.map(name => `"$${name}"`).join(' ')} "$@"' --`
const PREFIX = `GATEWAY_ENV=staging DATABASE_URL="\${DATABASE_URL:?}" ${RECORD}`

/** What a POSIX shell with the whole environment gives a printed line: only the variables that the line names. */
function paste(line: string): { env: Record<string, string>; words: string[] } {
  const named = NAMES.filter(name => line.slice(0, line.indexOf(RECORD)).includes(`${name}=`))
  const env = Object.fromEntries(named.map(name => [name, environment[name]]))
  const printed = execFileSync('/bin/sh', ['-c', line], { env, encoding: 'utf8' }).split('\0').slice(0, -1)
  return {
    env: Object.fromEntries(NAMES.map((name, i) => [name, printed[i] ?? ''])),
    words: printed.slice(NAMES.length),
  }
}

const database = await testDatabase(t)

/** The services of a process with these settings, on the database of this test. */
function servicesOn(settings: Settings) {
  return createServices(settings, { ...CATALOG, log: silent, scrub, database: { ...database, close: async () => {} } })
}

t.test('every command that the product prints runs as printed, with only the variables that it names', async t => {
  const gateway = await servicesOn(loadConfig(environment))
  const { organizations, agents, keyClaims, accounts, members } = gateway
  const by = 'operator'
  const { id: orgId } = await organizations.create({ name: 'Analytical', by })
  const owner = await organizations.createUser({ orgId, email: 'ada@example.test', role: 'owner', by })
  const other = await organizations.createUser({ orgId, email: 'bob@example.test', role: 'member', by })
  const agent = await agents.create({ orgId, ownerId: owner.id, name: 'Helper', by })
  const caller = { orgId, userId: owner.id }
  const key = await gateway.keys.create({ ...caller, name: 'Key', by })
  const add = async (connector: string, credential: object) =>
    gateway.connecting.add({
      caller: { ...caller, role: 'owner' },
      by,
      connector,
      scope: 'private',
      settings: {},
      probe: false,
      identity: 'ada',
      credential,
    } as Parameters<typeof gateway.connecting.add>[0])
  const account = await add('keys', { kind: 'api_key', key: newKey() })
  const claim = await keyClaims.request({ ...caller, role: 'owner' }, { create: { name: 'Asked' } })
  const bearer = { mode: 'bearer', token: newKey() } as const
  const server = { slug: 'wiki', name: 'Wiki', upstream_url: `${AWAY}/mcp`, auth: bearer }
  await gateway.remotes.register({ ...caller, role: 'owner' }, server, 'https://gateway.example')
  const commands = createOperatorCommands({ commandPrefix: PREFIX, commandVariables: NAMES })
  const signIn = { userId: owner.id, issuer: ISSUER, subject: 'ada' }
  const agentSignIn = { agentId: agent.id, issuer: ISSUER, subject: 'helper' }
  const wiki = { orgId, slug: 'wiki' }
  const token = /--token (\S+)/.exec(claim.command)?.[1] ?? ''

  /** In an order in which each finds what it changes. Words in capitals get the values of PLACEHOLDERS. */
  const lines: {
    readonly [N in Exclude<keyof OperatorCommands, 'advise' | 'errorFields' | 'moveEmbedded'>]: string[]
  } = {
    migrate: [commands.migrate()],
    createOrganization: [commands.createOrganization()],
    listOrganizations: [commands.listOrganizations()],
    createUser: [commands.createUser(orgId, 'NEW_EMAIL')],
    signInLink: [commands.signInLink(owner.id), commands.signInLink('EMAIL')],
    listMembers: [commands.listMembers(orgId)],
    setRole: [commands.setRole(orgId, other.id, 'admin')],
    addMember: [commands.addMember('OTHER_ORG', other.id, 'admin')],
    linkSignIn: [commands.linkSignIn(signIn, { move: false })],
    unlinkSignIn: [commands.unlinkSignIn(signIn)],
    createAgent: [commands.createAgent(orgId)],
    linkAgent: [commands.linkAgent(agentSignIn, { move: true })],
    unlinkAgent: [commands.unlinkAgent(agentSignIn)],
    assignAgent: [commands.assignAgent(agent.id)],
    createKey: [commands.createKey(caller), commands.createKey({ ...caller, agentId: agent.id })],
    claimKey: [commands.claimKey(token)],
    raiseCap: [commands.raiseCap(key.id)],
    creditWallet: [commands.creditWallet(orgId)],
    resumeOrganization: [commands.resumeOrganization(orgId)],
    enable: [commands.enable('org__wiki', { orgId, userId: owner.id })],
    auditLedger: [commands.auditLedger()],
    listConnectors: [commands.listConnectors()],
    setOauthClient: [commands.setOauthClient(orgId, 'hub')],
    listOauthClients: [commands.listOauthClients(orgId)],
    connect: [commands.connect({ caller }, hub)],
    addKey: [commands.addKey({ caller }, keys)],
    addTokens: [commands.addTokens({ caller }, hub), commands.addTokens({ caller }, board)],
    reauthorize: [commands.reauthorize({ id: account.id, orgId, connector: 'keys', authKind: 'api_key' })],
    listAccounts: [commands.listAccounts(orgId)],
    connectRemote: [commands.connectRemote({ ...wiki, auth: { mode: 'bearer' } })],
    showRemote: [commands.showRemote(wiki)],
  }
  const named = Object.keys(commands).filter(name => !['advise', 'errorFields', 'moveEmbedded'].includes(name))
  t.same(Object.keys(lines).toSorted(), named.toSorted(), 'every command is here')

  const second = await organizations.create({ name: 'Second', by })
  const PLACEHOLDERS: Readonly<Record<string, string>> = {
    NAME: 'New',
    EMAIL: 'Ada@example.test',
    NEW_EMAIL: 'new@example.test',
    AMOUNT: '5',
    OTHER_ORG: second.id,
    CLIENT_ID: 'the-app',
    '-': newKey(),
  }
  /** The end of what needs a server or a browser, after everything that the command reads. */
  const ENDS = /^\w+ is unreachable: |^Interrupted/
  for (const [name, printed] of Object.entries(lines))
    for (const line of printed) {
      const { env, words } = paste(line)
      const services = await servicesOn(loadCommandConfig(env))
      const interrupted = AbortSignal.abort()
      const port = words[1] === 'connect' ? ['--port', `${await freePort()}`] : []
      const args = [...words.map(word => PLACEHOLDERS[word] ?? word), ...port]
      const run = () =>
        runInTerminal({ execute: args => runCommand(services, args), say() {}, interruptible: () => interrupted }, args)
      const outcome: unknown = await run().catch((error: unknown) => error)
      const failed = outcome instanceof Error ? outcome : undefined
      t.ok(failed === undefined || ENDS.test(failed.message), name, { line, failed: failed?.stack })
      await services.close()
    }
  t.equal((await members.list(orgId)).length, 3)
  t.equal((await accounts.listOf(orgId)).length > 1, true)
  await gateway.close()
})
