import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { commentTools } from './tools/comments.ts'
import { fileTools } from './tools/files.ts'
import { issueTools } from './tools/issues.ts'
import { pullRequestTools } from './tools/pull-requests.ts'
import { repositoryTools } from './tools/repositories.ts'

/** GitHub's REST API, version 2022-11-28. Connects with an OAuth app, a GitHub App (expiring tokens) or a personal access token. */
export const github = defineConnector({
  id: 'github',
  name: 'GitHub',
  category: 'developer',
  description:
    'Search code, issues and repositories; read and write files, issues, comments and pull requests; download a repository.',
  icon: { simpleIcon: 'github' },
  baseUrl: 'https://api.github.com',
  auth: {
    type: 'oauth2',
    authorizationUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    pkce: 'supported',
    clientAuth: 'post',
    scopes: {
      repo: 'Read and write your repositories, private ones too: code, issues, pull requests and workflow runs.',
    },
    optionalScopes: {
      'read:org': 'Read your organizations and teams.',
      workflow: 'Add and change GitHub Actions workflow files.',
    },
    quirks: {
      grantedScopeSeparator: ',',
      errors: { code: '/error' },
      invalidGrant: ['bad_refresh_token'],
    },
    // A GitHub App's user tokens have refresh tokens that work once. An OAuth app's tokens do not expire.
    revocation: {
      url: 'https://api.github.com/applications/{client_id}/token',
      method: 'DELETE',
      as: 'client',
      json: { access_token: '{access_token}' },
    },
    apiKey: {
      header: 'authorization',
      prefix: 'Bearer ',
      probe: true,
      hint: 'A personal access token (github_pat_… or ghp_…), made under Settings, Developer settings, Personal access tokens.',
    },
  },
  oauthApp: {
    url: 'https://github.com/settings/applications/new',
    docs: 'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/creating-an-oauth-app',
    redirectUris:
      'An OAuth app has one callback URL, so register one app for the dashboard and one for `account connect`. The port of a loopback URL may differ from the registered one.',
    limits: 'A user or an organization can own up to 100 OAuth apps.',
    notes: [
      'Scopes are not chosen at registration; the gateway requests them when an account connects.',
      'New organizations restrict OAuth apps. Until an owner of an organization approves the app, it cannot reach data of that organization. The organization that owns the app needs no approval.',
      'A GitHub App works too. Its tokens expire and are renewed.',
    ],
  },
  headers: {
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    'user-agent': 'connector-gateway',
  },
  identity: { request: { url: '/user' }, label: '{/login}', key: '{/id}' },
  errors: {
    message: ['/errors', '/message'],
    code: ['/errors/0/code'],
    advice: {
      already_exists: 'It already exists. Read it, or choose another name.',
      missing: 'Something that the call names does not exist. Check owner, repo, branches and logins.',
      missing_field: 'A required argument is missing. Add it.',
      invalid: 'An argument has an invalid value. Check branches, labels and logins.',
      unprocessable: 'GitHub cannot do this in the current state. Read the object first.',
    },
  },
  rateLimit: { reset: 'x-ratelimit-reset', unit: 'epoch-s', remaining: 'x-ratelimit-remaining' },
  tools: [...repositoryTools, ...fileTools, ...issueTools, ...commentTools, ...pullRequestTools],
})
