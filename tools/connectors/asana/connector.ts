import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { projectTools } from './tools/projects.ts'
import { searchTools } from './tools/search.ts'
import { taskTools } from './tools/tasks.ts'

/** Asana's REST API, version 1.0. An account is one person, in all of their workspaces. */
export const asana = defineConnector({
  id: 'asana',
  name: 'Asana',
  category: 'productivity',
  description:
    'Search, read, create, assign and complete tasks and subtasks; comment and attach files; organize them in projects, sections and tags; post status updates.',
  icon: { simpleIcon: 'asana' },
  baseUrl: 'https://app.asana.com/api/1.0',
  auth: {
    type: 'oauth2',
    authorizationUrl: 'https://app.asana.com/-/oauth_authorize',
    tokenUrl: 'https://app.asana.com/-/oauth_token',
    pkce: 'supported',
    clientAuth: 'post',
    scopes: {
      default: 'Read and change everything you have access to in Asana: tasks, comments, projects, files and people.',
    },
    revocation: {
      url: 'https://app.asana.com/-/oauth_revoke',
      method: 'POST',
      as: 'client-post',
      form: { token: '{refresh_token}' },
    },
    apiKey: {
      header: 'authorization',
      prefix: 'Bearer ',
      probe: true,
      hint: 'A personal access token, created at https://app.asana.com/0/my-apps.',
    },
  },
  oauthApp: {
    url: 'https://app.asana.com/0/my-apps',
    docs: 'https://developers.asana.com/docs/oauth',
    steps: [
      'Select *Create new app* and enter a name.',
      'Under *OAuth*, choose *Full permissions*. Single scopes do not cover sections and status updates, and cannot be combined with full permissions.',
      'Under *Manage distribution*, choose *Any workspace*, or the workspaces whose members may connect.',
    ],
    limits: 'An app can be shared with specific workspaces only if you are a member of them.',
    notes: ['Only a listing in the App Directory of Asana requires a submission.'],
  },
  identity: { request: { url: '/users/me' }, label: '{/data/name} ({/data/email})', key: '{/data/gid}' },
  errors: { message: ['/errors'] },
  tools: [...searchTools, ...taskTools, ...projectTools],
})
