import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { activityAnswers, manyCalls } from './activity-answers.ts'
import { full, id, session } from './answers.ts'
import { connectedAccount, connectorAnswers } from './connector-answers.ts'
import {
  Answer,
  type Answers,
  barriers,
  chromiumPath,
  docsPicture,
  openDashboard,
  picture,
  type View,
} from './page-fixture.ts'
import { overridden, pending, remote, wiki } from './remote-answers.ts'

/** The views of each page. Those of one width are shown in one tab. */
const VIEWS: { width: number; themes: Record<string, View['theme']> }[] = [
  { width: 1280, themes: { light: 'light', dark: 'dark' } },
  { width: 375, themes: { phone: 'light' } },
]

const me = full['GET /api/me'] as object

const asMember = {
  ...session,
  role: 'member',
  may: Object.fromEntries(Object.keys(session.may).map(name => [name, false])),
}

interface Shown {
  path: string
  /** A text that the finished page shows. */
  text: string
  answers?: Answers
  /** The row that is opened. */
  open?: string | RegExp
  signedIn?: boolean
}

const PAGES: Record<string, Shown> = {
  'sign-in': { path: '/sign-in', text: 'Continue to sign in', signedIn: false },
  'sign-in-development': {
    path: '/sign-in',
    text: 'Sign in with a link',
    signedIn: false,
    answers: {
      'GET /auth/methods': {
        issuer: false,
        command: 'npm run -s cli -- user sign-in-link --user USER',
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
  'no-organization': {
    path: '/',
    text: 'You are in no organization yet',
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
    text: 'takes no payments',
    answers: { 'GET /api/me': { ...me, payments: { provider: 'none', customer: false } } },
  },
  connectors: { path: '/connectors', text: 'Not connected' },
  'connectors-none': { path: '/connectors?q=fax', text: 'No connector found' },
  connector: { path: '/connectors/github', text: 'Delete a file' },
  'connector-grants': { path: '/connectors/github', text: '2 tools need more', open: 'ada ada@example.com' },
  'connector-new': { path: '/connectors/jira', text: 'No account connected' },
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
    text: 'Set for tools that are gone',
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
        ...{ status: 'needs_reauth', auth_mode: 'bearer', refresh: 'harmless' },
        credential: { per: 'organization', connected: true },
      }),
    },
  },
  'remote-new': {
    path: '/connectors/org/wiki',
    text: 'has not read its tools yet',
    answers: {
      'GET /api/connectors/org/wiki': remote('wiki', 'Wiki', {
        ...{ status: 'disconnected', auth_mode: 'none', credential: undefined, tools: [], tool_count: null },
        ...{ snapshot_fetched_at: null, full_schema_hash: null },
        warning: 'Anyone who knows the URL can call this server: it does not ask who calls.',
        next_step:
          'The server does not answer (connection refused). To refresh its tools, an admin calls manage__remote_refresh.',
      }),
    },
  },
  connect: { path: '/connect/github?scope=workflow', text: 'Continue to GitHub' },
  'connect-no-app': { path: '/connect/jira', text: 'No OAuth app is configured' },
  connected: {
    path: '/connect/callback?code=x',
    text: 'Try “Search issues”',
    answers: { 'POST /api/connect-callback': connectedAccount },
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
    text: 'No such call',
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
  clients: { path: '/clients', text: 'Put your key' },
  sessions: { path: '/sessions', text: 'Chrome on Linux' },
  'not-found': { path: '/nowhere', text: 'There is no such page' },
}
const only = process.env.PAGES?.split(',')

/** The pictures of docs/dashboard.md, which `DOCS_PICTURES=1` makes again: the page and view, and the file. */
const DOCUMENTED: Record<string, string> = {
  'start-light': 'start',
  'connectors-light': 'connectors',
  'connect-light': 'connect',
  'remote-changes-light': 'server',
  'tool-light': 'tool',
  'calls-light': 'calls',
  'keys-light': 'keys',
  'billing-light': 'billing',
  'connector-dark': 'connector-dark',
  'overview-phone': 'overview-phone',
}
const documenting = process.env.DOCS_PICTURES === '1'

t.test(
  'every page is shown in each view, without a violation of the policy or another host',
  { skip: chromiumPath === undefined && 'no Chromium' },
  async t => {
    const dashboard = await openDashboard(t)
    for (const [name, shown] of Object.entries(PAGES)) {
      if (only !== undefined && !only.includes(name)) continue
      for (const { width, themes } of VIEWS) {
        const wanted = Object.entries(themes).filter(([view]) => !documenting || `${name}-${view}` in DOCUMENTED)
        if (wanted.length > 0) await show(t, dashboard, { name, shown, width, themes: wanted })
      }
    }
  },
)

type Dashboard = Awaited<ReturnType<typeof openDashboard>>

interface ShownIn {
  name: string
  shown: Shown
  width: number
  themes: [string, View['theme']][]
}

async function show(t: Test, dashboard: Dashboard, { name, shown, width, themes }: ShownIn): Promise<void> {
  const { path, text, open, answers, signedIn } = shown
  const tab = await dashboard.open(
    { ...full, ...connectorAnswers, ...activityAnswers, ...answers },
    { width, theme: 'light' },
    { signedIn: signedIn ?? true },
  )
  await tab.page.goto(dashboard.origin + path)
  await tab.page.getByText(text).first().waitFor({ timeout: 10_000 })
  if (open !== undefined) await tab.page.getByRole('button', { name: open, exact: true }).click()
  await tab.page.evaluate(() => document.fonts.ready.then(() => undefined))
  for (const [view, theme] of themes) {
    const shownAs = `${name}-${view}`
    await tab.page.emulateMedia({ colorScheme: theme })
    await endTransitions(tab.page)
    const file = documenting ? DOCUMENTED[shownAs] : undefined
    if (file !== undefined) await docsPicture(tab.page, file)
    else await picture(tab.page, shownAs)
    t.same(await barriers(tab.page), [], `${shownAs} has no serious barrier`)
    const overflow = await tab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    t.ok(overflow <= 0, `${shownAs} is not wider than the window`)
  }
  t.same(tab.faults, [], `${name} has no fault at a width of ${width}`)
  await tab.context.close()
}

/** Ends what changes the colors; what has no end, like a progress bar, goes on. */
function endTransitions(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish()
  })
}
