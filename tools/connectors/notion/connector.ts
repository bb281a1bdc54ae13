import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { notionTools } from './tools.ts'

/**
 * Notion's API, version 2026-03-11, which reads and writes pages as Markdown. An account is one connection to one
 * workspace.
 */
export const notion = defineConnector({
  id: 'notion',
  name: 'Notion',
  category: 'knowledge',
  description:
    'Search pages and databases; read, write and edit pages as Markdown; query rows; create pages and update their properties; comment.',
  icon: { simpleIcon: 'notion' },
  baseUrl: 'https://api.notion.com/v1',
  auth: {
    type: 'oauth2',
    authorizationUrl: 'https://api.notion.com/v1/oauth/authorize',
    tokenUrl: 'https://api.notion.com/v1/oauth/token',
    pkce: 'none',
    clientAuth: 'basic',
    tokenRequest: 'json',
    authorizationParams: { owner: 'user' },
    accessSummary: 'The pages and databases that you choose in Notion, with everything below them.',
    revocation: {
      url: 'https://api.notion.com/v1/oauth/revoke',
      method: 'POST',
      as: 'client',
      json: { token: '{access_token}' },
    },
    apiKey: {
      header: 'authorization',
      prefix: 'Bearer ',
      probe: true,
      hint: 'The secret of an internal integration (ntn_…), created at https://www.notion.so/profile/integrations. Share pages with it in Notion: ••• menu, Connections.',
    },
  },
  oauthApp: {
    url: 'https://www.notion.so/developers/connections',
    docs: 'https://developers.notion.com/guides/connections-and-tokens/public-integrations/overview',
    steps: [
      'Create a connection, and choose which workspaces can install it: any workspace, or selected ones. This cannot be changed later.',
      'Choose its capabilities: read, update and insert content, read and insert comments, and user information.',
    ],
    notes: [
      'Listing in the Marketplace of Notion is optional.',
      'A connection sees only the pages that people choose when they connect, and the pages below them.',
    ],
  },
  headers: { 'notion-version': '2026-03-11' },
  identity: { request: { url: '/users/me' }, label: '{/bot/workspace_name}', key: '{/id}' },
  errors: {
    message: ['/message'],
    code: ['/code'],
    unauthorized: ['unauthorized'],
    rateLimited: ['rate_limited'],
    advice: {
      object_not_found:
        'The item does not exist, or is not shared with this connection. Share it in Notion: ••• menu, Connections.',
      restricted_resource: 'The integration lacks this capability. Add it in the settings of the integration.',
      conflict_error: 'Someone else changed the item at the same time. Read it again, then retry.',
    },
  },
  tools: notionTools,
})
