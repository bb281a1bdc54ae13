import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t from 'tap'
import type { OperatorServices } from '../../../cli/commands/operator-services.ts'
import { COMMANDS, isMove, runCommand, runInTerminal, runMove } from '../../../cli/run-command.ts'
import { secretsFromStdin } from '../../../cli/secrets-from-stdin.ts'
import { fromShell } from '../../../lib/command-line.ts'
import { createScrubber } from '../../../lib/logging/scrub.ts'
import { billableRefusal } from '../../../services/billing/standings.ts'
import { scopesMissing } from '../../../services/connectors/engine/answer/provider-error.ts'
import { needsReauth, userNeedsReauth } from '../../../services/credentials/credential-errors.ts'
import { apiKeyMethodOf } from '../../../services/definitions/connector-types.ts'
import {
  askOperator,
  createOperatorCommands,
  type OperatorCommands,
  operatorWording,
} from '../../../services/operator/operator-commands.ts'
import { toolError } from '../../../services/tool-calls/refusals.ts'
import { CONNECTORS } from '../../../tools/connectors/catalog.ts'
import { commands } from '../../fixtures/operator-commands.ts'

/** Services that record that a command reached them. */
const reached = new Error('The services were asked.')
const asked = new Proxy({} as OperatorServices, {
  get() {
    throw reached
  },
})

const mover = { environment: 'production', commandPrefix: '', commandVariables: [], secretsToSet: () => [] }

/** Runs a line with lines for its secrets; throws `reached` if the command exists and its arguments are valid. */
async function type(line: string): Promise<object> {
  const [prefix, words] = line.split(' -- ')
  if (prefix !== 'npm run -s cli' || words === undefined) throw new TypeError(`No command line: ${line}`)
  const args = await secretsFromStdin(words.split(' '), {
    stdin: Readable.from(['one\ntwo\n']),
    stderr: process.stderr,
  })
  const execute = (words: readonly string[]) => runCommand(asked, words)
  if (isMove(args)) return runMove({ ...mover, move: () => Promise.reject(reached) }, args)
  return runInTerminal({ execute, say() {}, interruptible: () => new AbortController().signal }, args)
}

const caller = { orgId: 'org_1', userId: 'usr_1' }
const targets = [{ caller }, { caller, accountId: 'acc_1' }]
const account = { id: 'acc_1', orgId: 'org_1', connector: 'github' }
const signIn = { userId: 'usr_1', issuer: 'https://id.example', subject: 'ada' }
const wiki = { orgId: 'org_1', slug: 'wiki' }
const perTarget = (line: (target: (typeof targets)[0], connector: (typeof CONNECTORS)[0]) => string[]) =>
  targets.flatMap(target => CONNECTORS.flatMap(connector => line(target, connector)))

/** Every command that a message can name, with the arguments that messages pass. */
const lines: { readonly [Name in Exclude<keyof OperatorCommands, 'advise' | 'errorFields'>]: readonly string[] } = {
  reauthorize: (['oauth2', 'oauth1a', 'api_key', null] as const).flatMap(authKind =>
    ['github', 'org__wiki'].map(connector => commands.reauthorize({ ...account, connector, authKind })),
  ),
  connect: perTarget((target, connector) => [commands.connect(target, connector)]),
  addKey: perTarget((target, connector) =>
    apiKeyMethodOf(connector) === undefined ? [] : [commands.addKey(target, connector)],
  ),
  addTokens: perTarget((target, connector) =>
    connector.auth.type === 'api_key' ? [] : [commands.addTokens(target, connector)],
  ),
  setOauthClient: [commands.setOauthClient('org_1', 'github'), commands.setOauthClient('org_1', 'github', 'the-app')],
  listAccounts: [commands.listAccounts('ORG')],
  claimKey: [commands.claimKey('a-_token')],
  createUser: [commands.createUser('ORG', 'EMAIL')],
  signInLink: [commands.signInLink('EMAIL')],
  listConnectors: [commands.listConnectors()],
  listOauthClients: [commands.listOauthClients('org_1')],
  connectRemote: (['oauth', 'bearer', 'header'] as const).map(mode =>
    commands.connectRemote({ ...wiki, auth: { mode } }),
  ),
  showRemote: [commands.showRemote(wiki)],
  enable: [
    commands.enable('github__list_issues', { orgId: 'org_1', userId: null }),
    commands.enable('github', { orgId: 'org_1', userId: 'usr_1' }),
    commands.enable('org__wiki', { orgId: 'org_1', userId: null }),
  ],
  resumeOrganization: [commands.resumeOrganization('org_1')],
  creditWallet: [commands.creditWallet('org_1')],
  raiseCap: [commands.raiseCap('key_1')],
  createKey: [commands.createKey(caller), commands.createKey({ ...caller, agentId: 'agt_1' })],
  createOrganization: [commands.createOrganization()],
  listOrganizations: [commands.listOrganizations()],
  listMembers: [commands.listMembers('org_1')],
  addMember: [commands.addMember('org_1', 'usr_1', 'admin')],
  setRole: [commands.setRole('org_1', 'usr_1', 'admin')],
  linkSignIn: [true, false].map(move => commands.linkSignIn(signIn, { move })),
  unlinkSignIn: [commands.unlinkSignIn(signIn)],
  linkAgent: [true, false].map(move => commands.linkAgent({ ...signIn, agentId: 'agt_1' }, { move })),
  unlinkAgent: [commands.unlinkAgent({ ...signIn, agentId: 'agt_1' })],
  createAgent: [commands.createAgent('org_1')],
  assignAgent: [commands.assignAgent('agt_1')],
  migrate: [commands.migrate()],
  moveEmbedded: [commands.moveEmbedded()],
  auditLedger: [commands.auditLedger()],
}
const all = new Set(Object.values(lines).flat())

t.test('every command in a message is one that the operator can paste unchanged', async t => {
  const { advise: _, errorFields: __, ...named } = commands
  t.same(Object.keys(lines).sort(), Object.keys(named).sort())
  for (const line of all) await t.rejects(type(line), reached, line)
  const wrong = 'npm run -s cli -- account add --account acc_1 --api-keys -'
  await t.rejects(type(wrong), { name: 'UsageError' }, 'and another is not')
})

t.test('a command uses the connect method of the account or of the connector', async t => {
  const [github, stripe] = ['github', 'stripe'].map(id => CONNECTORS.find(connector => connector.id === id))
  if (github === undefined || stripe === undefined) throw new TypeError('GitHub and Stripe are in the catalog')
  const cli = 'npm run -s cli --'
  const whose = '--org org_1 --user usr_1 --connector'
  t.equal(commands.connect({ caller }, github), `${cli} account connect ${whose} github`)
  t.equal(commands.connect({ caller }, stripe), `${cli} account add ${whose} stripe --api-key -`)
  t.equal(commands.reauthorize({ ...account, authKind: 'oauth1a' }), `${cli} account connect --account acc_1`)
  t.equal(commands.reauthorize({ ...account, authKind: 'api_key' }), `${cli} account add --account acc_1 --api-key -`)
  const upstream = { ...account, connector: 'org__wiki' }
  t.equal(commands.reauthorize({ ...upstream, authKind: 'oauth2' }), `${cli} remote connect wiki --org org_1`)
  const withToken = `${cli} remote connect wiki --org org_1 --token -`
  t.equal(commands.reauthorize({ ...upstream, authKind: 'api_key' }), withToken)
  t.equal(commands.reauthorize({ ...upstream, authKind: 'oauth2', grant: 'client_credentials' }), withToken)
})

t.test('the log scrubber leaves a command unchanged', async t => {
  const { text } = createScrubber()
  for (const line of all) t.equal(text(`Use it: ${line} ; or do without.`), `Use it: ${line} ; or do without.`)
  const { createKey, connectRemote } = createOperatorCommands({
    commandPrefix: 'cli',
    commandVariables: ['API_KEY_PEPPERS', 'VAULT_KEYS'],
  })
  const key = createKey(caller)
  t.match(key, `${fromShell('API_KEY_PEPPERS')} cli key create`)
  for (const line of [key, connectRemote({ ...wiki, auth: { mode: 'oauth' } })]) {
    t.equal(text(line), line)
    t.same(JSON.parse(createScrubber().line(JSON.stringify({ next: line }))), { next: line })
  }
  t.notMatch(text('VAULT_KEYS="$' + '{VAULT_KEYS}" VAULT_KEYS="$secretive"'), 'secretive', 'and nothing else')
})

t.test('a message tells the operator to run what it tells a member to ask for, with the folder', async t => {
  const callerCommandPrefix = 'npm run -s cli --'
  const commandPrefix = `DATA_DIR=/srv/gateway ${callerCommandPrefix}`
  const worded = operatorWording({ commandPrefix, callerCommandPrefix })
  const advice = askOperator(commands.migrate())
  t.equal(advice, 'Ask the operator to run: npm run -s cli -- migrate')
  t.equal(worded(`First. ${advice}`), 'First. Run: DATA_DIR=/srv/gateway npm run -s cli -- migrate')
})

t.test('where a dashboard runs, a message leads to its page instead of the operator', async t => {
  const { advise } = createOperatorCommands({ commandPrefix: 'cli', dashboardUrl: 'https://dashboard.example' })
  const github = { ...account, authKind: 'oauth2' } as const
  t.equal(advise.reauthorize(github), 'Open https://dashboard.example/accounts/acc_1/reauthorize')
  t.equal(advise.addBalance('org_1'), 'Open https://dashboard.example/billing')
  t.equal(advise.raiseCap('key_1'), 'Open https://dashboard.example/keys')
  const caller = { orgId: 'org_1', userId: 'usr_1' }
  const connector = { id: 'github', auth: { type: 'oauth2' } } as const
  t.equal(advise.connect({ caller }, connector), 'Open https://dashboard.example/connect/github')
  const forAll = { capability: 'memory', userId: null }
  const own = { capability: 'memory', userId: 'usr_1' }
  t.equal(advise.enable([own], 'org_1'), 'Switch it on at https://dashboard.example/tools')
  t.match(advise.enable([forAll, own], 'org_1'), /^Ask an admin to switch it on at /)
  const server = 'Open https://dashboard.example/connectors/org/wiki'
  t.equal(advise.reauthorize({ ...github, connector: 'org__wiki' }), server)
  t.equal(advise.connectRemote({ ...wiki, auth: { mode: 'oauth', per: 'member' } }, 'usr_1'), server)
  t.equal(commands.advise.addBalance('org_1'), askOperator(commands.creditWallet('org_1')), 'without a dashboard')
})

t.test('where a dashboard runs, errors of tools name its page in a field too', t => {
  const withPages = createOperatorCommands({ commandPrefix: 'cli', dashboardUrl: 'https://dashboard.example' })
  const github = { ...account, alias: 'work', authKind: 'oauth2', scope: 'shared', userId: 'usr_1' } as const
  const connector = { ...(CONNECTORS[0] as (typeof CONNECTORS)[0]), name: 'GitHub' }
  const payer = { orgId: 'org_1', keyId: null }
  const errorsOf = (lines: OperatorCommands) => ({
    needs_reauth: needsReauth(lines, github, connector),
    user: userNeedsReauth(lines, github, connector),
    scope_missing: scopesMissing(lines, connector, github, ['repo', 'read:org']),
    payment_required: billableRefusal('payment_required', { payer, commands: lines }),
    insufficient_balance: billableRefusal('insufficient_balance', { payer, commands: lines }),
    org_suspended: billableRefusal('org_suspended', { payer, commands: lines }),
    registered: needsReauth(lines, { ...github, connector: 'org__wiki' }, connector),
  })
  const fieldsOf = (lines: OperatorCommands) =>
    Object.fromEntries(
      Object.entries(errorsOf(lines)).map(([name, error]) => {
        const [text] = toolError(error).content
        const { error: envelope, account, scopes, ...links } = JSON.parse(text?.type === 'text' ? text.text : '')
        t.same(Object.keys(envelope), ['type', 'message', 'code'], name)
        return [name, links]
      }),
    )
  const page = 'https://dashboard.example/accounts/acc_1/reauthorize'
  const topUp = { top_up_url: 'https://dashboard.example/billing' }
  t.same(fieldsOf(withPages), {
    needs_reauth: { reauthorize_url: page },
    user: { reauthorize_url: page },
    scope_missing: { reauthorize_url: `${page}?scope=repo&scope=read%3Aorg` },
    payment_required: topUp,
    insufficient_balance: topUp,
    org_suspended: {},
    registered: { reauthorize_url: 'https://dashboard.example/connectors/org/wiki' },
  })
  for (const links of Object.values(fieldsOf(commands))) t.same(links, {}, 'without a dashboard')
  t.end()
})

/** The text of a file without its comments. */
async function codeOf(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).replaceAll(/^\s*(?:\*|\/\*\*|\/\/).*$/gm, '')
}

t.test('a message names a command only as a whole line', async t => {
  const names = COMMANDS.map(({ name }) => name).filter(name => name.includes(' '))
  // A definition of a command begins with its name, and `connect` has steps of its own.
  const named = new RegExp(`(?<!command\\(')(?<!\\w)(?:${names.join('|')})(?=[ ),.:;'\`"])`)
  const folders = ['cli', 'lib', 'plugins', 'routes', 'services', 'tools']
  const files = (
    await Promise.all(
      folders.map(async folder => {
        const found = await readdir(folder, { recursive: true })
        return found.filter(name => name.endsWith('.ts')).map(name => join(folder, name))
      }),
    )
  ).flat()
  t.ok(files.length > 300)
  t.match('Contact the operator (org resume).', named, 'and this is not a line')
  for (const path of files) t.notMatch(await codeOf(path), named, path)

  // Everything else gets the commands from there, and these are worded for callers.
  const makers = await Promise.all(
    files.map(async path => ((await codeOf(path)).includes('createOperatorCommands(') ? [path] : [])),
  )
  const outsideTerminals = makers.flat().filter(path => !path.startsWith('cli/'))
  t.same(outsideTerminals.sort(), ['services/infrastructure.ts', 'services/operator/operator-commands.ts'])
})
