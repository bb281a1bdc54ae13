import { PAGES } from '../../dashboard/page/pages.ts'
import type { PageEntry } from '../../dashboard/page/ui/current-page.ts'
import { activityAnswers, manyCalls } from './activity-answers.ts'
import { id, full as people, session } from './answers.ts'
import { connectedAccount, connectorAnswers } from './connector-answers.ts'
import { Answer, type Answers } from './page-fixture.ts'
import { overridden, pending, remote, wiki } from './remote-answers.ts'

/** What a full gateway answers to all pages. */
export const full: Answers = {
  ...people,
  ...connectorAnswers,
  ...activityAnswers,
  'POST /api/connect-callback': connectedAccount,
  'GET /api/authorizations/a1': {
    client: { name: 'Claude Code', host: 'claude.ai' },
    returns_to: { kind: 'loopback', name: '127.0.0.1' },
  },
}

const me = full['GET /api/me'] as object

const asMember = {
  ...session,
  role: 'member',
  may: Object.fromEntries(Object.keys(session.may).map(name => [name, false])),
}

/** A page as the pictures show it. */
export interface Shown {
  path: string
  /** A text that the finished page shows; its heading if absent. */
  text?: string
  answers?: Answers
  /** The row that is opened. */
  open?: string | RegExp
  signedIn?: boolean
}

/** The pages in the states that look different. A page without parameters needs none here. */
const STATES: Record<string, Shown> = {
  'sign-in': { path: '/sign-in', text: 'Continue to sign in', signedIn: false },
  'sign-in-development': {
    path: '/sign-in',
    text: 'Sign in with a link',
    signedIn: false,
    answers: {
      'GET /auth/methods': {
        issuer: false,
        command: 'npm run -s cli -- user sign-in-link --user EMAIL',
        add_member: 'npm run -s cli -- user create --org ORG --email EMAIL --role member',
      },
    },
  },
  'sign-in-link': { path: '/sign-in#abc', text: 'Sign in to this browser', signedIn: false },
  keys: { path: '/keys', text: 'Claude Code on my laptop' },
  'keys-empty': {
    path: '/keys',
    text: 'No keys yet',
    answers: { 'GET /api/api-keys': { api_keys: [], next_cursor: null } },
  },
  'keys-error': {
    path: '/keys',
    text: 'no more',
    answers: {
      'GET /api/api-keys': new Answer(403, {
        message: 'The organization has no more access. Contact support.',
        code: 'org_suspended',
      }),
    },
  },
  'keys-claim': { path: `/keys/claim#${'a'.repeat(43)}`, text: 'Show the key' },
  agents: { path: '/agents', text: 'Support triage' },
  'agents-empty': {
    path: '/agents',
    text: 'No agents yet',
    answers: { 'GET /api/agents': { agents: [], next_cursor: null } },
  },
  agent: { path: `/agents/${id('agt', 1)}`, text: 'Claude Code on my laptop' },
  members: { path: '/members', text: 'charles.babbage' },
  'accept-invitation': { path: `/invitations#${'a'.repeat(43)}`, text: 'Accept the invitation' },
  authorize: { path: '/authorize/a1', text: 'Allow Claude Code to call tools?' },
  'no-organization': {
    path: '/',
    text: 'You do not belong to an organization yet',
    answers: { 'GET /api/session': { ...session, organization: null, organizations: [], role: null } },
  },
  billing: { path: '/billing', text: 'Included credits' },
  'billing-new': {
    path: '/billing',
    text: 'No saved card',
    answers: { 'GET /api/me': { ...me, payments: { provider: 'stripe', customer: false } } },
  },
  'billing-no-provider': {
    path: '/billing',
    text: 'Payments are not set up',
    answers: { 'GET /api/me': { ...me, payments: { provider: 'none', customer: false } } },
  },
  connectors: { path: '/connectors', text: 'Not connected' },
  'connectors-none': { path: '/connectors?q=fax', text: 'No connector found' },
  connector: { path: '/connectors/github', text: 'Delete a file' },
  'connector-grants': { path: '/connectors/github', text: '2 tools lack permissions', open: 'ada ada@example.com' },
  'connector-new': { path: '/connectors/resend', text: 'No account connected' },
  'connector-app': { path: '/connectors/jira', text: 'Enter this callback URL' },
  'connector-app-member': {
    path: '/connectors/jira',
    text: 'Ask an owner or admin',
    answers: { 'GET /api/session': asMember },
  },
  'connectors-app': { path: '/connectors?connect=app', text: 'Need an OAuth app first' },
  register: { path: '/connectors/org', text: 'Register the server' },
  'register-member': { path: '/connectors/org', text: 'Ask one of them', answers: { 'GET /api/session': asMember } },
  remote: { path: '/connectors/org/wiki', text: 'You are connected', open: /^Search pages/ },
  'remote-changes': {
    path: '/connectors/org/wiki',
    text: '4 changes wait for you',
    answers: { 'GET /api/connectors/org/wiki': { ...wiki, remote: { ...wiki.remote, pending } } },
  },
  'remote-overridden': {
    path: '/connectors/org/wiki',
    text: 'Settings for tools that are gone',
    open: /^Search the handbook/,
    answers: { 'GET /api/connectors/org/wiki': overridden },
  },
  'remote-member': {
    path: '/connectors/org/wiki',
    text: 'You are not connected',
    answers: {
      'GET /api/session': asMember,
      'GET /api/connectors/org/wiki': remote('wiki', 'Wiki', { status: 'disconnected' }),
    },
  },
  'remote-rejected': {
    path: '/connectors/org/wiki',
    text: 'no longer accepts the credential',
    answers: {
      'GET /api/connectors/org/wiki': remote('wiki', 'Wiki', {
        status: 'needs_reauth',
        auth_mode: 'bearer',
        refresh: 'harmless',
        credential: { per: 'organization', connected: true },
      }),
    },
  },
  'remote-new': {
    path: '/connectors/org/wiki',
    text: 'has not read the server’s tools yet',
    answers: {
      'GET /api/connectors/org/wiki': remote('wiki', 'Wiki', {
        status: 'disconnected',
        auth_mode: 'none',
        credential: undefined,
        tools: [],
        tool_count: null,
        snapshot_fetched_at: null,
        full_schema_hash: null,
        warning: 'Anyone who knows the URL can call this server: it does not ask who calls.',
        next_step:
          'The server does not answer (connection refused). To refresh its tools, an admin calls manage__remote_refresh.',
      }),
    },
  },
  connect: { path: '/connect/github?scope=workflow', text: 'Continue to GitHub' },
  'connect-key': { path: '/connect/resend', text: 'The key is checked' },
  'connect-no-app': { path: '/connect/jira', text: 'Set up the OAuth app' },
  connected: {
    path: '/connect/callback?code=x',
    text: 'Try “Search issues”',
  },
  'connect-failed': {
    path: '/connect/callback?error=x',
    text: 'Sign out at the provider',
    answers: {
      'POST /api/connect-callback': new Answer(422, {
        error: 'identity_mismatch',
        message: 'You signed in as eve, but this account is of ada. Nothing was changed.',
      }),
    },
  },
  reauthorize: { path: `/accounts/${id('acc', 3)}/reauthorize`, text: 'Sign in as work@example.com' },
  tool: { path: '/tools/github__search_issues', text: 'Arguments' },
  tools: { path: '/tools', text: 'SEARXNG_URL' },
  'tools-family-off': {
    path: '/tools',
    text: 'Switch on for all',
    answers: {
      'GET /api/capabilities': {
        off: [
          { capability: 'memory', for: 'organization' },
          { capability: 'github__delete_file', for: 'self' },
        ],
        not_configured: [],
      },
    },
  },
  'tool-off': { path: '/tools/github__create_issue', text: 'You can' },
  calls: { path: '/calls', text: 'video__render' },
  'calls-none': {
    path: '/calls',
    text: 'No calls yet',
    answers: { 'GET /api/usage': { calls: [], next_cursor: null } },
  },
  'calls-many': { path: '/calls', text: '200 shown', answers: { 'GET /api/usage': manyCalls } },
  'calls-filtered': {
    path: '/calls?outcome=failed&tool=github__search_issues',
    text: 'No matching calls',
    answers: { 'GET /api/usage': { calls: [], next_cursor: null } },
  },
  'calls-failed': { path: '/calls', text: 'Needs reauthorization', open: 'github__delete_file' },
  audit: { path: '/audit', text: 'Cap of a key changed', open: 'Cap of a key changed' },
  'audit-none': {
    path: '/audit',
    text: 'No changes yet',
    answers: { 'GET /api/audit': { changes: [], next_cursor: null } },
  },
  start: {
    path: '/',
    text: 'Waiting for your client',
    answers: {
      'GET /api/usage': { calls: [], next_cursor: null },
      'GET /api/connectors': { connectors: [] },
      'GET /api/api-keys': { api_keys: [], next_cursor: null },
    },
  },
  'start-called': {
    path: '/',
    text: 'the call failed: Needs reauthorization',
    answers: {
      'GET /api/connectors': { connectors: [] },
      'GET /api/usage': { calls: [...manyCalls.calls.slice(3, 5)], next_cursor: null },
    },
  },
  overview: { path: '/', text: 'Last calls' },
  'overview-member': {
    path: '/',
    text: 'Last calls',
    answers: {
      'GET /api/session': asMember,
    },
  },
  clients: { path: '/clients', text: 'Set your key' },
  sessions: { path: '/sessions', text: 'Chrome on Linux' },
  'not-found': { path: '/nowhere', text: 'Page not found' },
}

/** The path of each page of the dashboard; of a page with parameters, that of its first state. */
export const PATHS: readonly string[] = PAGES.map(page => {
  if (!page.path.includes(':')) return page.path
  const path = Object.values(STATES).find(({ path }) => entryOf(path) === page)?.path
  if (path === undefined) throw new Error(`${page.path} needs a state in test/browser/page-states.ts.`)
  return path
})

/** All states, and the pages that have none as they are with a full gateway. */
export const SHOWN: Record<string, Shown> = {
  ...Object.fromEntries(
    PAGES.filter(page => Object.values(STATES).every(({ path }) => entryOf(path) !== page)).map(({ path }) => [
      path.slice(1).replaceAll('/', '-'),
      { path },
    ]),
  ),
  ...STATES,
}

/** The page of a path: the first that matches, as in the router. */
function entryOf(path: string): PageEntry | undefined {
  const { pathname } = new URL(path, 'http://page')
  return PAGES.find(page => new RegExp(`^${page.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(pathname))
}
