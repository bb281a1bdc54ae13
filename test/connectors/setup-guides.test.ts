import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { connectorGuide, connectorGuides, guidedConnectors } from '../../scripts/connector-guide.ts'
import { defineConnector } from '../../services/definitions/define-connector.ts'
import { CONNECTORS } from '../../tools/connectors/catalog.ts'
import { github } from '../../tools/connectors/github/connector.ts'
import { slack } from '../../tools/connectors/slack/connector.ts'
import { stripe } from '../../tools/connectors/stripe/connector.ts'

const FOLDER = join(import.meta.dirname, '../../docs/connectors')
/** Their guides say only what the definitions know. Facts come from the provider's documentation. */
const WITHOUT_FACTS: readonly string[] = []

t.test('docs/connectors/ has exactly the guides that npm run connector:guides writes', async t => {
  const guides = connectorGuides(CONNECTORS)
  t.same(readdirSync(FOLDER).sort(), [...guides.keys()].sort())
  for (const [name, text] of guides)
    t.equal(readFileSync(join(FOLDER, name), 'utf8'), text, `${name} is current; if not: npm run connector:guides`)
})

t.test('every connector with an OAuth app says how to register it, except those listed', async t => {
  const lacking = guidedConnectors(CONNECTORS).filter(({ oauthApp }) => oauthApp === undefined)
  t.same(
    lacking.map(({ id }) => id),
    WITHOUT_FACTS,
  )
})

t.test('a guide has every scope with its words and the tools that need it, in its table', async t => {
  const guide = connectorGuide(slack)
  const { auth } = slack
  if (auth.type !== 'oauth2' || auth.scopes === undefined) throw new TypeError('Slack has scopes')
  for (const [scope, words] of Object.entries({ ...auth.scopes, ...auth.userScopes }))
    t.match(guide, `| \`${scope}\` | ${words} |`)
  const [, searching = ''] = guide.split('| `search:read` |')
  t.match(searching.split('\n')[0], /all|`search_messages`/)
  const [, joining = ''] = guide.split('| `channels:join` |')
  t.match(joining.split('\n')[0], '`join_channel`')
})

t.test('a connector without facts has a guide, and one that is connected with keys has none', async t => {
  const { oauthApp, ...bare } = github
  const guide = connectorGuide(bare)
  t.match(guide, '## 1. Register an app\n\nRegister an OAuth app in the developer settings of GitHub.')
  t.notMatch(guide, '## Limits')
  t.match(connectorGuide(github), `## Limits\n\n${oauthApp?.limits}`)
  t.notOk(connectorGuides([stripe]).has('stripe.md'))
})

t.test('facts with an invalid address, or of a connector without an app, are rejected', async t => {
  const app = { url: 'https://provider.example/apps', docs: 'https://provider.example/docs' }
  t.throws(() => defineConnector({ ...github, oauthApp: { ...app, url: 'provider.example' } }), /absolute http/)
  t.throws(() => defineConnector({ ...stripe, oauthApp: app }), /describes an OAuth app but is connected with keys/)
})
