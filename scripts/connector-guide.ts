import {
  apiKeyMethodOf,
  type ConnectorDefinition,
  type OauthApp,
  type Scopes,
} from '../services/definitions/connector-types.ts'
import type { HttpTool } from '../services/definitions/http-tool-types.ts'

/** The connectors of an OAuth app, which the guides are about. */
export function guidedConnectors(connectors: readonly ConnectorDefinition[]): ConnectorDefinition[] {
  return connectors.filter(({ auth }) => auth.type !== 'api_key')
}

/** The guides by their path in `docs/connectors/`, and an index of them. */
export function connectorGuides(connectors: readonly ConnectorDefinition[]): Map<string, string> {
  const guided = guidedConnectors(connectors)
  const keyOnly = connectors.filter(connector => !guided.includes(connector))
  return new Map([
    ['README.md', index(guided, keyOnly)],
    ...guided.map(connector => [`${connector.id}.md`, connectorGuide(connector)] as const),
  ])
}

function index(guided: readonly ConnectorDefinition[], keyOnly: readonly ConnectorDefinition[]): string {
  return `# Setting up OAuth apps

How to register an OAuth app at each provider, and what it may do. ${GENERATED}

${guided.map(({ id, name }) => `- [${name}](${id}.md)`).join('\n')}
${withoutApp(keyOnly)}`
}

function withoutApp(connectors: readonly ConnectorDefinition[]): string {
  if (connectors.length === 0) return ''
  const names = connectors.map(({ name }) => name).join(', ')
  return `\nAccounts of these connectors need no OAuth app, because they [connect with a key](../identity.md#connecting-accounts): ${names}.\n`
}

const GENERATED = 'Generated from the connectors by `npm run connector:guides`.'

/** How to register an app for a connector and configure it, as Markdown. */
export function connectorGuide(connector: ConnectorDefinition): string {
  const { id, name, oauthApp } = connector
  return `${[
    `# Setting up ${name}`,
    `Accounts of ${name} connect through an OAuth app that you register at the provider.${keys(connector)} ${GENERATED}`,
    '## 1. Register an app',
    ...registration(name, oauthApp),
    '## 2. Enter the redirect URIs',
    ...(oauthApp?.redirectUris === undefined ? [] : [oauthApp.redirectUris]),
    REDIRECT_URIS,
    '## 3. Choose the scopes',
    ...access(connector),
    '## 4. Configure the gateway',
    'For all organizations, set [`OAUTH_CLIENTS`](../identity.md#connecting-accounts) (several connectors share the variable):',
    `\`\`\`sh\nOAUTH_CLIENTS='{"${id}":{"client_id":"…","client_secret":"…"}}'\n\`\`\``,
    ...ownApp(connector),
    ...section('Review', oauthApp?.review),
    ...section('Limits', oauthApp?.limits),
    ...section('Notes', bullets(oauthApp?.notes)),
  ].join('\n\n')}\n`
}

function keys(connector: ConnectorDefinition): string {
  const method = apiKeyMethodOf(connector)
  return method === undefined ? '' : ` Without one, people can paste a key: ${lowerFirst(method.hint)}`
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`
}

function registration(name: string, app: OauthApp | undefined): string[] {
  if (app === undefined) return [`Register an OAuth app in the developer settings of ${name}.`]
  const steps = (app.steps ?? []).map((step, at) => `${at + 1}. ${step}`).join('\n')
  return [
    `Open <${app.url}>. The provider describes it in [its documentation](${app.docs}).`,
    ...(steps ? [steps] : []),
  ]
}

const REDIRECT_URIS = `| to connect with | redirect URI |
|---|---|
| the dashboard | \`DASHBOARD_URL/connect/callback\`, with the value of \`DASHBOARD_URL\` |
| the command \`account connect … --port 8765\` | \`http://127.0.0.1:8765/callback\` |`

function access({ name, auth, tools }: ConnectorDefinition): string[] {
  if (auth.type === 'api_key') return []
  if (auth.accessSummary !== undefined)
    return [`${name} has no scopes to choose. An account gives: ${lowerFirst(auth.accessSummary)}`]
  return [
    ...scopeTable(
      '',
      auth.scopes,
      tools.filter(({ as }) => as !== 'user'),
    ),
    ...scopeTable(
      'People may leave these out when they connect:',
      auth.optionalScopes,
      tools.filter(({ as }) => as !== 'user'),
    ),
    ...scopeTable(
      'User scopes, for what tools do as the person who connects:',
      auth.userScopes,
      tools.filter(({ as }) => as === 'user'),
    ),
  ]
}

function scopeTable(intro: string, scopes: Scopes = {}, tools: readonly HttpTool[]): string[] {
  const rows = Object.entries(scopes).map(([scope, words]) => `| \`${scope}\` | ${words} | ${neededBy(scope, tools)} |`)
  if (rows.length === 0) return []
  return [
    ...(intro === '' ? [] : [intro]),
    ['| scope | what people read | tools that need it |', '|---|---|---|', ...rows].join('\n'),
  ]
}

function neededBy(scope: string, tools: readonly HttpTool[]): string {
  const needing = tools.filter(({ scopes = [] }) => scopes.includes(scope))
  if (needing.length === 0) return 'no tool requires it'
  if (needing.length === tools.length) return 'all'
  return needing.map(({ operation }) => `\`${operation}\``).join(', ')
}

function ownApp({ id, orgClients }: ConnectorDefinition): string[] {
  if (orgClients === false) return []
  return [
    'An organization can use its own app instead. An admin enters it in the dashboard, or the operator runs:',
    `\`\`\`sh\nnpm run -s cli -- oauth-client set --org ORG --connector ${id} --client-id ID --client-secret -\n\`\`\``,
  ]
}

function bullets(notes: readonly string[] | undefined): string | undefined {
  return notes?.map(note => `- ${note}`).join('\n')
}

function section(title: string, text: string | undefined): string[] {
  return text === undefined ? [] : [`## ${title}`, text]
}
