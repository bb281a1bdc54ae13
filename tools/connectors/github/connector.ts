import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { fileTools } from './tools/files.ts'
import { issueTools } from './tools/issues.ts'
import { peopleTools } from './tools/people.ts'
import { pullRequestTools } from './tools/pull-requests.ts'
import { releaseTools, repositoryTools } from './tools/repositories.ts'
import { workflowTools } from './tools/workflows.ts'

/**
 * GitHub's REST API, version 2022-11-28. Connects with an OAuth app or a GitHub App, whose tokens may expire, or with a
 * personal access token.
 */
export const github = defineConnector({
  id: 'github',
  name: 'GitHub',
  category: 'developer',
  description:
    'Search code, issues and repositories; read, write and commit files; issues, pull requests and their reviews; checks, workflow runs and their logs; releases and notifications.',
  icon: { simpleIcon: 'github' },
  baseUrl: 'https://api.github.com',
  hosts: { uploads: { url: 'https://uploads.github.com', credential: true } },
  auth: {
    type: 'oauth2',
    authorizationUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    pkce: 'supported',
    clientAuth: 'post',
    scopes: {
      repo: 'Read and write your repositories, including private ones: code, issues, pull requests, releases and workflow runs. Read your notifications.',
    },
    optionalScopes: {
      'read:org': 'Read your organizations and teams.',
      workflow: 'Add and change GitHub Actions workflow files.',
      offline_access: 'Use tokens that expire after eight hours and are renewed, instead of one that does not expire.',
    },
    quirks: {
      grantedScopeSeparator: ',',
      errors: { code: '/error' },
      invalidGrant: ['bad_refresh_token'],
    },
    // Tokens that expire have refresh tokens that work once: those of GitHub Apps, and those of OAuth apps that opted in
    // or were asked for offline_access.
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
      hint: 'A personal access token (github_pat_… or ghp_…), created at https://github.com/settings/tokens.',
    },
  },
  oauthApp: {
    url: 'https://github.com/settings/applications/new',
    docs: 'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/creating-an-oauth-app',
    redirectUris:
      'An app has up to ten callback URLs. The port of a loopback URL of an OAuth app may differ from the registered one; a URL of a GitHub App must match exactly.',
    limits:
      'A user or an organization can own up to 100 OAuth apps. GitHub keeps ten tokens of an OAuth app per user and set of scopes, and revokes the oldest if there are more. It revokes a token that was not used for a year.',
    notes: [
      'Scopes are not chosen at registration; the gateway requests them when an account connects.',
      'Tokens of an OAuth app do not expire, unless *token expiration* is on in its settings or `offline_access` was requested. Then they expire after eight hours, and the gateway renews them.',
      'New organizations restrict OAuth apps. Until an owner of an organization approves the app, it cannot reach data of that organization. The organization that owns the app needs no approval.',
      'A GitHub App works too: [register it](https://github.com/settings/apps/new), deselect *Active* below *Webhook*, and use its client ID, not its app ID. GitHub ignores scopes for it. Choose its permissions instead: read and write for Contents, Issues, Pull requests, Actions, Workflows and Administration (to create repositories); read for Checks, Commit statuses and, of organizations, Members.',
      'Install the GitHub App on each account whose repositories people use. Its tokens reach only what both the app and the person can reach. They expire after eight hours unless you deselect *Expire user authorization tokens*; the gateway renews them. A refresh token expires after six months without use.',
      'Notifications are not available to GitHub Apps and fine-grained tokens.',
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
      already_exists: 'This object already exists. Read it, or choose another name.',
      missing: 'Something that the call names does not exist. Check owner, repo, branches and logins.',
      missing_field: 'A required argument is missing. Add it.',
      invalid: 'An argument has an invalid value. Check branches, labels and logins.',
      unprocessable: 'GitHub cannot do this in the current state. Read the object first.',
    },
  },
  rateLimit: { reset: 'x-ratelimit-reset', unit: 'epoch-s', remaining: 'x-ratelimit-remaining' },
  tools: [
    ...repositoryTools,
    ...fileTools,
    ...issueTools,
    ...pullRequestTools,
    ...workflowTools,
    ...releaseTools,
    ...peopleTools,
  ],
})
