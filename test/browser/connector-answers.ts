import { explained } from './activity-answers.ts'
import { at, id } from './answers.ts'
import type { Answers } from './page-fixture.ts'
import { remoteAnswers, remoteEntry, wiki } from './remote-answers.ts'

/** An account that the user may change. */
export const account = (n: number, alias: string, rest: object = {}) => ({
  id: id('acc', n),
  alias,
  identity: `${alias}@example.com`,
  scope: 'private',
  status: 'connected',
  can_remove: true,
  auth_kind: 'oauth2',
  ...rest,
})

const entry = (connector: string, name: string, rest: object = {}) => ({
  id: connector,
  name,
  category: 'productivity',
  description:
    'Search, read, create and update issues; comment; list teams, states, labels, cycles, projects and people.',
  url: `http://127.0.0.1/connectors/${connector}`,
  mcp_url: 'http://127.0.0.1/mcp',
  icon_url: `http://127.0.0.1/icons/${connector}.svg`,
  status: 'disconnected',
  accounts: [],
  auth: { type: 'oauth2', scopes: [], oauth_configured: true },
  credential_source: { active: 'platform', org_clients_enabled: true },
  ...rest,
})

const github = entry('github', 'GitHub', {
  category: 'developer',
  description:
    'Search code, issues and repositories; read and write files, issues, comments and pull requests; download a repository.',
  status: 'needs_reauth',
  accounts: [
    account(1, 'ada'),
    account(2, 'build robot', {
      scope: 'shared',
      auth_kind: 'api_key',
      key_verified: true,
      identity: 'analytical-bot',
    }),
    account(3, 'work', { status: 'needs_reauth' }),
  ],
  auth: {
    type: 'oauth2',
    scopes: ['repo'],
    scope_descriptions: {
      repo: 'Read and write your repositories, including private ones: code, issues, pull requests and workflow runs.',
    },
    optional_scopes: ['read:org', 'workflow'],
    optional_scope_descriptions: {
      'read:org': 'Read your organizations and teams.',
      workflow: 'Add and change GitHub Actions workflow files.',
    },
    api_key_connect: true,
    api_key_probe: true,
    oauth_configured: true,
  },
  credential_source: {
    active: 'org',
    org_clients_enabled: true,
    org: {
      client_id: 'Iv1.4f2a9b',
      set_by: id('usr', 1),
      created_at: '2026-10-01T10:00:00.000Z',
      rotated_at: null,
      connections: 2,
    },
  },
})

const connectors = [
  github,
  entry('linear', 'Linear', { status: 'connected', accounts: [account(4, 'ada')] }),
  entry('jira', 'Jira', {
    auth: {
      type: 'oauth2',
      scopes: ['read:jira-work', 'write:jira-work', 'offline_access'],
      scope_descriptions: {
        'read:jira-work': 'Read the projects, issues, comments and attachments you can see.',
        'write:jira-work': 'Create and change issues, comments and attachments in your name.',
        offline_access: 'Stay connected while you are away.',
      },
      oauth_configured: false,
    },
    credential_source: { active: 'none', org_clients_enabled: true },
  }),
  entry('resend', 'Resend', {
    category: 'communication',
    description: 'Send and schedule email, track delivery, and manage domains, contacts, segments and broadcasts.',
    auth: { type: 'api_key', scopes: [], api_key_connect: true, api_key_probe: true },
    credential_source: undefined,
  }),
  entry('vaulted', 'Vaulted', {
    category: 'business',
    description: 'Read the entries of a vault.',
    status: 'connected',
    accounts: [
      account(5, 'Vaulted', { auth_kind: 'api_key', key_verified: false, identity: 'key …q3Xa (fp 0af7040c)' }),
    ],
    auth: { type: 'api_key', scopes: [], api_key_connect: true, api_key_probe: false },
    credential_source: undefined,
    icon_url: null,
  }),
  remoteEntry(wiki),
]

const tools = [
  {
    name: 'github__search_issues',
    title: 'Search issues',
    description: 'Search issues and pull requests with GitHub search syntax.',
    annotations: { readOnlyHint: true, destructiveHint: false },
    inputSchema: {
      type: 'object',
      required: ['query'],
      properties: {
        query: { type: 'string', description: 'Words and qualifiers: repo:, is:, label:' },
        state: { type: 'string', enum: ['open', 'closed', 'all'], description: 'Which issues.' },
        limit: { type: 'integer', minimum: 1, maximum: 100, description: 'How many at most.' },
        labels: { type: 'array', items: { type: 'string' }, description: 'Only issues with all of them.' },
        sort: {
          type: 'object',
          required: ['by'],
          description: 'The order of the results.',
          properties: {
            by: { type: 'string', enum: ['created', 'updated'], description: 'What counts.' },
            descending: { anyOf: [{ type: 'boolean' }, { type: 'null' }], description: 'Newest first.' },
          },
        },
        fields: { type: 'array', items: { type: 'object' }, description: 'Custom fields.' },
        draft: { type: 'boolean', description: 'Only drafts.' },
        account: { type: 'string', enum: ['ada', 'shared:build robot'], description: 'The account to use.' },
      },
    },
  },
  {
    name: 'github__delete_file',
    title: 'Delete a file',
    description: 'Delete a file of a repository with a commit.',
    annotations: { readOnlyHint: false, destructiveHint: true },
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  },
]

const form = {
  oauth: true,
  oauth_configured: true,
  key: {
    hint: 'A personal access token (github_pat_… or ghp_…), made under Settings, Developer settings.',
    verified: true,
  },
  settings: [],
  callback_url: 'http://127.0.0.1:3001/connect/callback',
  app_guide: {
    url: 'https://github.com/settings/applications/new',
    docs: 'https://docs.github.com/en/apps/oauth-apps',
    steps: [],
    notes: ['A user or an organization can own up to 100 OAuth apps.'],
  },
}

const call = (n: number, tool: string, rest: object = {}) => ({
  id: id('use', n),
  at: at(-n / 7),
  user_id: id('usr', 1),
  api_key_id: id('key', 1),
  agent_id: null,
  client: 'claude-code',
  tool,
  account_id: id('acc', 1),
  outcome: 'ok',
  duration_ms: 37 + n * 211,
  cost_micros: 0,
  message: null,
  mended: false,
  ...rest,
})

const calls = [
  call(1, 'github__search_issues'),
  call(2, 'github__delete_file', {
    outcome: 'needs_reauth',
    account_id: id('acc', 3),
    agent_id: id('agt', 1),
    message: 'GitHub no longer accepts the credential of account "…".',
  }),
  call(3, 'memory__search_memory', { account_id: null, user_id: id('usr', 3) }),
  call(4, 'video__render', { outcome: 'insufficient_balance', account_id: null }),
  call(5, 'video__render', { cost_micros: 12_500, duration_ms: 48_210 }),
  call(6, 'linear__create_issue', { account_id: id('acc', 4), outcome: 'upstream_rejected' }),
]

const clients = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    kind: 'app',
    key: {
      steps: [
        {
          kind: 'command',
          command:
            'claude mcp add --transport http connector-gateway http://127.0.0.1:3000/mcp --header "Authorization: Bearer $CGW_KEY"',
        },
        {
          kind: 'file',
          path: '.mcp.json',
          format: 'json',
          content:
            '{\n  "mcpServers": {\n    "connector-gateway": {\n      "type": "http",\n      "url": "http://127.0.0.1:3000/mcp"\n    }\n  }\n}',
          afterwards: 'Start Claude Code in that folder and approve the server.',
        },
      ],
      unsupported: null,
    },
    sign_in: null,
    notes: ['`claude mcp add` adds the server for one project; **--scope user** adds it for all of yours.'],
  },
  {
    id: 'cursor',
    name: 'Cursor',
    kind: 'app',
    notes: [],
    key: { steps: [{ kind: 'instruction', text: 'Open the settings.' }], unsupported: null },
    sign_in: {
      steps: [{ kind: 'deeplink', url: 'cursor://anysphere.cursor-deeplink/mcp/install' }],
      unsupported: null,
    },
  },
]

/** What the gateway answers about connectors and tools. */
export const connectorAnswers: Answers = {
  'GET /api/connectors': { connectors },
  'GET /api/connectors/github': github,
  'GET /api/connectors/linear': connectors[1],
  'GET /api/connectors/jira': connectors[2],
  'GET /api/connectors/resend': connectors[3],
  'GET /api/connectors/vaulted': connectors[4],
  ...remoteAnswers,
  'GET /api/connect/github': form,
  'GET /api/connect/github/grants': {
    grants: [
      {
        account_id: id('acc', 1),
        granted_scopes: ['repo', 'read:org'],
        missing: [{ scope: 'workflow', tools: ['Run a workflow', 'Change a workflow file'] }],
      },
      { account_id: id('acc', 2), granted_scopes: null, missing: [] },
      { account_id: id('acc', 3), granted_scopes: ['repo', 'read:org'], missing: [] },
    ],
  },
  'GET /api/connect/linear/grants': { grants: [] },
  'GET /api/connect/vaulted/grants': { grants: [] },
  'GET /api/connect/resend': {
    ...form,
    oauth: false,
    oauth_configured: false,
    key: {
      hint: 'An API key (re_…) from https://resend.com/api-keys. A key with sending access can only send.',
      verified: true,
    },
    app_guide: null,
  },
  'GET /api/connect/vaulted': {
    ...form,
    oauth: false,
    oauth_configured: false,
    key: { hint: 'A key from the settings of your vault.', verified: false },
  },
  'GET /api/connect/jira': {
    ...form,
    oauth_configured: false,
    key: null,
    app_guide: {
      url: 'https://developer.atlassian.com/console/myapps/',
      docs: 'https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/',
      steps: ['Create an OAuth 2.0 integration.', 'Under *Permissions*, add the Jira API.'],
      notes: ['Others can use the app when its *Distribution* status is *Sharing*.'],
    },
    settings: [{ name: 'site', title: 'Site', description: 'The site, if there are several.', required: false }],
  },
  'GET /api/capabilities': {
    off: [{ capability: 'github__create_issue', for: 'self' }],
    not_configured: [
      { what: 'Web search', variables: 'BRAVE_API_KEY, TAVILY_API_KEY, EXA_API_KEY or SEARXNG_URL' },
      { what: 'Reddit', variables: 'REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET' },
    ],
  },
  'GET /api/client-configurations': { clients },
  'POST /api/tool-quotes': { metered: false, hold_micros: 0 },
  'GET /api/usage': { calls, next_cursor: null },
  'POST /api/mcp': ({ body }: { body: unknown }) => {
    const { method, params } = body as { method: string; params: { name?: string } }
    const called = params.name === 'manage__explain_tool' ? explained : callResult
    return { jsonrpc: '2.0', id: 1, result: method === 'tools/list' ? { tools } : called }
  },
}

const callResult = {
  content: [{ type: 'text', text: '{"items":[{"number":7,"title":"The engine repeats itself"}]}' }],
  structuredContent: { items: [{ number: 7, title: 'The engine repeats itself', state: 'open' }] },
}

/** The account that a connect answers. */
export const connectedAccount = {
  location: null,
  account: {
    id: id('acc', 1),
    connector: 'github',
    alias: 'ada',
    identity: 'ada-lovelace',
    scope: 'private',
    status: 'connected',
    granted_scopes: ['repo'],
    missing_scopes: [],
  },
}
