import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { boardTools } from './tools/boards.ts'
import { cardTools } from './tools/cards.ts'

/**
 * Trello's REST API, with signed requests. A token can do what its owner can do. Source: Trello's REST API, Authorization and
 * Rate limits.
 */
export const trello = defineConnector({
  id: 'trello',
  name: 'Trello',
  category: 'productivity',
  description: 'Search, read and write boards, lists, cards, labels, comments, checklists and attachments.',
  icon: { simpleIcon: 'trello' },
  baseUrl: 'https://api.trello.com/1',
  auth: {
    type: 'oauth1a',
    requestTokenUrl: 'https://trello.com/1/OAuthGetRequestToken',
    authorizationUrl: 'https://trello.com/1/OAuthAuthorizeToken',
    accessTokenUrl: 'https://trello.com/1/OAuthGetAccessToken',
    authorizationParams: { expiration: 'never', scope: 'read,write', name: 'Connector Gateway' },
    accessSummary: 'Read and change all boards, lists and cards that you can see, until you revoke the access.',
    revocation: { url: 'https://api.trello.com/1/tokens/{access_token}', method: 'DELETE', as: 'token' },
  },
  oauthApp: {
    url: 'https://trello.com/power-ups/admin',
    docs: 'https://developer.atlassian.com/cloud/trello/guides/rest-api/authorization/',
    steps: ['Create a Power-Up. Its *iframe connector URL* can stay empty.', 'Under *API Key*, generate a key.'],
    notes: ['The API key is the client ID, and its secret is the client secret.'],
  },
  headers: { accept: 'application/json' },
  identity: {
    request: { url: '/members/me', query: { fields: 'id,username,fullName' } },
    label: '{/fullName} (@{/username})',
    key: '{/id}',
  },
  errors: {
    message: ['/message'],
    code: ['/error'],
    // Plain text. Sent when the member is not allowed to see or change a board or card.
    denied: 'permission requested',
    rateLimited: ['API_KEY_LIMIT_EXCEEDED', 'API_TOKEN_LIMIT_EXCEEDED', 'API_TOKEN_DB_LIMIT_EXCEEDED'],
    advice: { API_TOO_MANY_CARDS_REQUESTED: 'Ask for the cards of one list, or search for them.' },
  },
  tools: [...boardTools, ...cardTools],
})
