import { Readable } from 'node:stream'
import t from 'tap'
import type { OperatorServices } from '../../cli/commands/operator-services.ts'
import { runCommand, runInTerminal } from '../../cli/run-command.ts'
import { secretsFromStdin } from '../../cli/secrets-from-stdin.ts'
import { createScrubber } from '../../lib/logging/scrub.ts'
import {
  connectCommand,
  enableCommand,
  keyCommand,
  oauthClientCommand,
  reauthorizeCommand,
  remoteConnectCommand,
  remoteShowCommand,
  tokenCommand,
} from '../../services/credentials/operator-advice.ts'
import { apiKeyMethodOf } from '../../services/definitions/define-connector.ts'
import { CONNECTORS } from '../../tools/connectors/catalog.ts'

/** Services that record that a command reached them. */
const reached = new Error('The services were asked.')
const asked = new Proxy({} as OperatorServices, {
  get() {
    throw reached
  },
})

/** Runs a command with lines for its secrets; returns `reached` if its arguments are valid. */
async function type(line: string): Promise<object> {
  const args = await secretsFromStdin(line.split(' '), {
    stdin: Readable.from(['one\ntwo\n']),
    stderr: process.stderr,
  })
  const execute = (words: readonly string[]) => runCommand(asked, words)
  return runInTerminal({ execute, say() {}, interruptible: () => new AbortController().signal }, args)
}

const caller = { orgId: 'org_1', userId: 'usr_1' }
const byDoor = [{ caller }, { caller, accountId: 'acc_1' }].flatMap(whose =>
  CONNECTORS.flatMap(connector => [
    connectCommand(whose, connector),
    ...(connector.auth.type === 'api_key' ? [] : [tokenCommand(whose, connector)]),
    ...(apiKeyMethodOf(connector) === undefined ? [] : [keyCommand(whose, connector)]),
  ]),
)
const account = { id: 'acc_1', orgId: 'org_1', connector: 'github' }
const wiki = { orgId: 'org_1', slug: 'wiki' }
const commands = new Set([
  ...byDoor,
  ...(['oauth2', 'oauth1a', 'api_key'] as const).map(authKind => reauthorizeCommand({ ...account, authKind })),
  oauthClientCommand('org_1', 'github'),
  oauthClientCommand('org_1', 'github', 'the-app'),
  enableCommand('github__list_issues', { orgId: 'org_1', userId: null }),
  enableCommand('github', { orgId: 'org_1', userId: 'usr_1' }),
  enableCommand('org__wiki', { orgId: 'org_1', userId: null }),
  ...(['oauth', 'bearer', 'header'] as const).map(mode => remoteConnectCommand({ ...wiki, auth: { mode } })),
  remoteShowCommand(wiki),
])

t.test('every command in a message is one that the operator can run unchanged', async t => {
  for (const line of commands) await t.rejects(type(line), reached, line)
  await t.rejects(type('account add --account acc_1 --api-keys -'), { name: 'UsageError' }, 'and another is not')
})

t.test('a command uses the connect method of the account or of the connector', async t => {
  const [github, stripe] = ['github', 'stripe'].map(id => CONNECTORS.find(connector => connector.id === id))
  if (github === undefined || stripe === undefined) throw new TypeError('GitHub and Stripe are in the catalog')
  const whose = '--org org_1 --user usr_1 --connector'
  t.equal(connectCommand({ caller }, github), `account connect ${whose} github`)
  t.equal(connectCommand({ caller }, stripe), `account add ${whose} stripe --api-key -`)
  t.equal(reauthorizeCommand({ ...account, authKind: 'oauth1a' }), 'account connect --account acc_1')
  t.equal(reauthorizeCommand({ ...account, authKind: 'api_key' }), 'account add --account acc_1 --api-key -')
  const upstream = { ...account, connector: 'org__wiki' }
  t.equal(reauthorizeCommand({ ...upstream, authKind: 'oauth2' }), 'remote connect wiki --org org_1')
  t.equal(reauthorizeCommand({ ...upstream, authKind: 'api_key' }), 'remote connect wiki --org org_1 --token -')
})

t.test('the log scrubber leaves a command unchanged', async t => {
  const { text } = createScrubber()
  for (const line of commands) t.equal(text(`Use it: ${line}; or do without.`), `Use it: ${line}; or do without.`)
})
