import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { issueTools } from './tools/issues-and-merge-requests.ts'
import { pipelineTools } from './tools/pipelines.ts'
import { projectTools, repositoryTools } from './tools/projects.ts'

/** GitLab's REST API, version 4, on gitlab.com. Refresh tokens work once, and access tokens for two hours. */
export const gitlab = defineConnector({
  id: 'gitlab',
  name: 'GitLab',
  category: 'developer',
  description:
    'Search projects, code, issues and merge requests; create, update and comment on them; read and write files, branches and commits; watch pipelines and read job logs.',
  icon: { simpleIcon: 'gitlab' },
  baseUrl: 'https://gitlab.com/api/v4',
  auth: {
    type: 'oauth2',
    authorizationUrl: 'https://gitlab.com/oauth/authorize',
    tokenUrl: 'https://gitlab.com/oauth/token',
    pkce: 'supported',
    clientAuth: 'post',
    scopes: {
      api: 'Read and write everything you have access to in GitLab: projects, code, issues, merge requests and pipelines.',
    },
    revocation: {
      url: 'https://gitlab.com/oauth/revoke',
      method: 'POST',
      as: 'client',
      form: { token: '{refresh_token}' },
    },
    apiKey: {
      header: 'authorization',
      prefix: 'Bearer ',
      probe: true,
      hint: 'A personal access token (glpat-…) with the scope api, created at https://gitlab.com/-/user_settings/personal_access_tokens.',
    },
  },
  oauthApp: {
    url: 'https://gitlab.com/-/user_settings/applications',
    docs: 'https://docs.gitlab.com/integration/oauth_provider',
    steps: ['Select *Add new application* and enter a name. A group can own the application too.'],
    notes: ['GitLab calls the client ID *Application ID*.'],
  },
  identity: { request: { url: '/user' }, label: '{/username}', key: '{/id}' },
  errors: {
    message: ['/message', '/error_description', '/error'],
    code: ['/error'],
    unauthorized: ['invalid_token'],
    scopeMissing: ['insufficient_scope'],
  },
  rateLimit: { reset: 'ratelimit-reset', unit: 'epoch-s', remaining: 'ratelimit-remaining' },
  tools: [...projectTools, ...issueTools, ...repositoryTools, ...pipelineTools],
})
