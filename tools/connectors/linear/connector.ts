import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { issueDetailTools } from './tools/issue-details.ts'
import { issueTools } from './tools/issues.ts'
import { workspaceTools } from './tools/workspace.ts'

/** Linear's GraphQL API. */
export const linear = defineConnector({
  id: 'linear',
  name: 'Linear',
  category: 'productivity',
  description:
    'Search, read, create and update issues by names of states, people and labels; comment; relate and label issues; documents, projects and cycles.',
  icon: { simpleIcon: 'linear' },
  baseUrl: 'https://api.linear.app',
  auth: {
    type: 'oauth2',
    authorizationUrl: 'https://linear.app/oauth/authorize',
    tokenUrl: 'https://api.linear.app/oauth/token',
    pkce: 'supported',
    clientAuth: 'post',
    // Without this, Linear skips a consent that was given before, and users cannot choose another workspace.
    authorizationParams: { prompt: 'consent' },
    scopeSeparator: ',',
    scopes: {
      read: 'Read the issues, projects, teams and people you can see.',
      write: 'Change issues and projects in your name.',
      'issues:create': 'Create issues in your name.',
      'comments:create': 'Comment on issues in your name.',
    },
    // A refresh token works once. Its response contains the next one.
    revocation: { url: 'https://api.linear.app/oauth/revoke', method: 'POST', as: 'token' },
    apiKey: {
      header: 'authorization',
      probe: true,
      hint: 'A personal API key (lin_api_…), created under Personal API keys at https://linear.app/settings/account/security.',
    },
  },
  oauthApp: {
    url: 'https://linear.app/settings/api/applications/new',
    docs: 'https://linear.app/developers/oauth-2-0-authentication',
    steps: ['Turn on *Public* if people of other workspaces will connect.'],
    notes: [
      'Each admin of the workspace that owns the app can change it. Linear recommends a separate workspace for the app.',
    ],
  },
  identity: {
    request: {
      method: 'POST',
      url: '/graphql',
      json: { query: 'query { viewer { id email organization { urlKey } } }' },
    },
    label: '{/data/viewer/email} ({/data/viewer/organization/urlKey})',
    key: '{/data/viewer/id}',
  },
  errors: {
    failedWhen: { pointer: '/errors', is: 'present' },
    message: ['/errors/0/extensions/userPresentableMessage', '/errors/0/message'],
    code: ['/errors/0/extensions/code'],
    unauthorized: ['AUTHENTICATION_ERROR'],
    rateLimited: ['RATELIMITED'],
    advice: {
      FORBIDDEN:
        'This account is not allowed to do this, or has not granted it. Use another account, or connect this one again.',
      INPUT_ERROR:
        'Check the IDs: they come from get_issue, list_teams, list_states, list_labels, list_users and list_projects.',
      FEATURE_NOT_ACCESSIBLE: 'The plan of this workspace does not include this feature.',
      USAGE_LIMIT_EXCEEDED:
        'The usage limit of this workspace is reached. Archive issues, or ask an admin of the workspace.',
    },
  },
  rateLimit: {
    reset: 'x-ratelimit-requests-reset',
    unit: 'epoch-ms',
    remaining: 'x-ratelimit-requests-remaining',
  },
  tools: [...issueTools, ...issueDetailTools, ...workspaceTools],
})
