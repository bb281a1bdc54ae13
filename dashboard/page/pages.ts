import type { PageEntry } from './ui/current-page.ts'

/**
 * All pages for signed-in users: the router, the navigation and the browser tests follow from this table. The first path that
 * matches is shown. Links have the order of the table.
 */
export const PAGES: readonly PageEntry[] = [
  {
    path: '/',
    title: 'Start',
    load: () => import('./pages/start/start.tsx'),
    navigation: { group: 'Work', icon: 'house' },
  },
  {
    path: '/connectors',
    title: 'Connectors',
    load: () => import('./pages/connectors/catalog.tsx'),
    navigation: { group: 'Work', icon: 'plug' },
  },
  {
    path: '/connectors/org',
    title: 'Register a server',
    load: () => import('./pages/remotes/register-page.tsx'),
  },
  { path: '/connectors/org/:slug', title: 'Server', load: () => import('./pages/remotes/remote-page.tsx') },
  { path: '/connectors/:id', title: 'Connector', load: () => import('./pages/connectors/connector-page.tsx') },
  {
    path: '/connect/callback',
    title: 'Connecting',
    load: () => import('./pages/connect/callback.tsx'),
    within: '/connectors',
  },
  {
    path: '/connect/:connector',
    title: 'Connect an account',
    load: () => import('./pages/connect/connect-page.tsx'),
    within: '/connectors',
  },
  {
    path: '/accounts/:id/reauthorize',
    title: 'Reauthorize an account',
    load: () => import('./pages/connect/reauthorize.tsx'),
    within: '/connectors',
  },
  {
    path: '/tools',
    title: 'Tools',
    load: () => import('./pages/tools/tools.tsx'),
    navigation: { group: 'Work', icon: 'wrench' },
  },
  { path: '/tools/:name', title: 'Tool', load: () => import('./pages/tools/tool-page.tsx') },
  {
    path: '/calls',
    title: 'Calls',
    load: () => import('./pages/calls/calls.tsx'),
    navigation: { group: 'Work', icon: 'activity' },
  },
  { path: '/audit', title: 'Changes', load: () => import('./pages/calls/audit.tsx'), within: '/calls' },
  {
    path: '/clients',
    title: 'Clients',
    load: () => import('./pages/clients/clients.tsx'),
    navigation: { group: 'Access', icon: 'laptop' },
  },
  {
    path: '/keys',
    title: 'API keys',
    load: () => import('./pages/keys/keys.tsx'),
    navigation: { group: 'Access', icon: 'key-round' },
  },
  { path: '/keys/claim', title: 'Claim a key', load: () => import('./pages/keys/claim-key.tsx') },
  {
    path: '/agents',
    title: 'Agents',
    load: () => import('./pages/agents/agents.tsx'),
    navigation: { group: 'Access', icon: 'bot' },
  },
  { path: '/agents/:id', title: 'Agent', load: () => import('./pages/agents/agent-page.tsx') },
  {
    path: '/members',
    title: 'Members',
    load: () => import('./pages/members/members.tsx'),
    navigation: { group: 'Organization', icon: 'users' },
  },
  {
    path: '/billing',
    title: 'Billing',
    load: () => import('./pages/billing/billing.tsx'),
    navigation: { group: 'Organization', icon: 'wallet', may: ({ may }) => may.manage_money },
  },
  { path: '/sessions', title: 'Your sessions', load: () => import('./pages/sessions.tsx') },
  {
    path: '/authorize/:uid',
    title: 'Sign-in of a client',
    load: () => import('./pages/authorize.tsx'),
    alone: true,
  },
  {
    path: '/invitations',
    title: 'Invitation',
    load: () => import('./pages/accept-invitation.tsx'),
    alone: true,
    withoutOrganization: true,
  },
]

/** What every other path shows. */
export const NOT_FOUND: PageEntry = {
  path: '/*',
  title: 'Page not found',
  load: () => import('./pages/not-found.tsx'),
}
