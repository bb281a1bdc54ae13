import { Type } from '@sinclair/typebox'
import type { ConnectorDefinition } from '../../services/definitions/connector-types.ts'
import { reads } from '../../services/definitions/tool.ts'
import { fromDist } from './from-dist.ts'

/** The number of entries of `GET /connectors`: the real connectors and made-up ones. */
export const ENTRIES = 50
/** The number of accounts of the requesting member, each of another made-up connector. */
export const ACCOUNTS = 10

/** The called tool of a made-up connector, and its arguments. */
export const CALLED_ISSUE = 'bench-00__get_issue'
export const ISSUE = { repository: 'orders', number: 4217 }
/** The URL of its request to the provider. */
export const ISSUE_URL = `/repositories/${ISSUE.repository}/issues/${ISSUE.number}?expand=labels`

const url = (rest: string) => `https://api.provider.example/repositories/orders/issues/4217/${rest}`
const kept = {
  number: ISSUE.number,
  title: 'Totals are off by a cent where a discount is split over several lines',
  state: 'open',
  body: 'The sum of the lines is rounded once for each line and once for the order. '.repeat(8).trim(),
  updated_at: '2026-11-20T10:11:12Z',
}
const links = [
  'comments',
  'events',
  'labels',
  'reactions',
  'timeline',
  'assignees',
  'milestone',
  'locks',
  'subscribers',
]

/** The provider's answer: about 2 KB. The tool returns a third of it. */
export const PROVIDER_ANSWER = JSON.stringify({
  id: 1849302817,
  node_id: 'I_kwDOAQIDBM5uQ2xh',
  ...kept,
  user: { login: 'ada', id: 1815, avatar_url: url('ada.png'), html_url: url('ada'), type: 'User', site_admin: false },
  labels: [
    { id: 11, name: 'bug', color: 'd73a4a', url: url('labels/bug'), default: true },
    { id: 12, name: 'billing', color: '0e8a16', url: url('labels/billing'), default: false },
  ],
  created_at: '2026-11-18T08:09:10Z',
  closed_at: null,
  ...Object.fromEntries(links.map(name => [`${name}_url`, url(name)])),
})

/** The structured content of the tool. */
export const PICKED = { ...kept, user: { login: 'ada' }, labels: [{ name: 'bug' }, { name: 'billing' }] }

/** Returns the real connectors and enough made-up ones for 50. The made-up ones have their provider at this origin. */
export async function benchConnectors(
  origin: string,
): Promise<{ all: readonly ConnectorDefinition[]; made: readonly ConnectorDefinition[] }> {
  const { CONNECTORS } =
    await fromDist<typeof import('../../tools/connectors/catalog.ts')>('tools/connectors/catalog.js')
  const { defineConnector } = await fromDist<typeof import('../../services/definitions/define-connector.ts')>(
    'services/definitions/define-connector.js',
  )
  const { httpTool, pick } = await fromDist<typeof import('../../services/definitions/http-tool.ts')>(
    'services/definitions/http-tool.js',
  )

  const made = Array.from({ length: ENTRIES - CONNECTORS.length }, (_, i) =>
    defineConnector({
      id: `bench-${String(i).padStart(2, '0')}`,
      name: `Bench provider ${i}`,
      category: 'developer',
      description: 'Reads the issues of a provider that exists only in the benchmark.',
      icon: { monogram: 'B', color: '#334455' },
      baseUrl: origin,
      auth: {
        type: 'oauth2',
        authorizationUrl: `${origin}/authorize`,
        tokenUrl: `${origin}/token`,
        pkce: 'required',
        clientAuth: 'basic',
        scopes: { 'issues:read': 'Read issues and their comments.', 'issues:write': 'Open, change and close issues.' },
        optionalScopes: { 'members:read': 'See who belongs to a team.' },
        apiKey: { header: 'authorization', prefix: 'Bearer ', probe: true, hint: 'A token of the settings page.' },
      },
      identity: { request: { url: '/me' }, label: '{/login}' },
      tools: [
        httpTool({
          operation: 'get_issue',
          title: 'Get issue',
          description: 'One issue, with its labels.',
          annotations: reads,
          input: {
            repository: Type.String({ minLength: 1, maxLength: 100, description: 'The name of the repository.' }),
            number: Type.Integer({ minimum: 1, description: 'The number of the issue.' }),
          },
          scopes: ['issues:read'],
          request: {
            method: 'GET',
            path: '/repositories/{repository}/issues/{number}',
            query: { expand: 'labels' },
          },
          result: pick('', [...Object.keys(kept), 'user.login', 'labels.name']),
        }),
      ],
    }),
  )
  return { all: [...CONNECTORS, ...made], made }
}
