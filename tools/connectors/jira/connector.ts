import { Type } from '@sinclair/typebox'
import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { attachmentTools } from './tools/attachments.ts'
import { commentTools } from './tools/comments.ts'
import { issueWritingTools } from './tools/issue-writing.ts'
import { issueTools } from './tools/issues.ts'
import { projectTools } from './tools/projects.ts'

/** Jira Cloud's REST API, version 3, through Atlassian's gateway. An account is one person on one site. */
export const jira = defineConnector({
  id: 'jira',
  name: 'Jira',
  category: 'productivity',
  description:
    'Search issues with JQL; read, create, update, assign, link and move them; comment; log work; upload and download attachments; list projects and people.',
  icon: { simpleIcon: 'jira' },
  baseUrl: 'https://api.atlassian.com/ex/jira/{settings.cloud_id}',
  auth: {
    type: 'oauth2',
    authorizationUrl: 'https://auth.atlassian.com/authorize',
    tokenUrl: 'https://auth.atlassian.com/oauth/token',
    pkce: 'none',
    clientAuth: 'post',
    authorizationParams: { audience: 'api.atlassian.com', prompt: 'consent' },
    scopes: {
      'read:jira-work': 'Read the projects, issues, comments and attachments you can see.',
      'write:jira-work': 'Create and change issues, comments and attachments in your name.',
      'read:jira-user': 'See the people of the site: their names, and their email addresses if visible.',
      offline_access: 'Stay connected while you are away.',
    },
    // A refresh token works once. Its response contains the next one.
    quirks: {
      // Atlassian answers an unknown refresh token with this code or invalid_grant, and 403.
      invalidGrant: ['unauthorized_client'],
    },
  },
  oauthApp: {
    url: 'https://developer.atlassian.com/console/myapps/',
    docs: 'https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/',
    steps: [
      'Create an OAuth 2.0 integration.',
      'Under *Permissions*, add the Jira API.',
      'Under *Authorization*, configure OAuth 2.0 (3LO) with the redirect URI.',
    ],
    redirectUris: 'An app has one callback URL, so register one app for the dashboard and one for `account connect`.',
    limits: 'Others can use the app when its *Distribution* status is *Sharing*.',
    notes: [
      'Atlassian asks providers of software not to make their customers create apps of their own: offer one app for all your organizations.',
    ],
  },
  settings: Type.Object(
    {
      cloud_id: Type.Optional(
        Type.String({
          pattern: '^[A-Za-z0-9-]{1,64}$',
          description: 'The Atlassian ID of the site. It is discovered.',
        }),
      ),
      site: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          description: 'The address of the site: https://example.atlassian.net. Required if you have several sites.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  discovery: {
    request: { url: 'https://api.atlassian.com/oauth/token/accessible-resources' },
    items: '',
    // A site is listed once for each product that was granted.
    where: { pointer: '/scopes', includes: 'read:jira-work' },
    settings: { cloud_id: '/id', site: '/url' },
    chosenBy: 'site',
  },
  identity: {
    request: { url: '/rest/api/3/myself' },
    label: '{/displayName} ({settings.site})',
    key: '{/accountId}@{settings.cloud_id}',
  },
  errors: {
    message: ['/errorMessages', '/errors', '/message'],
    // Atlassian's gateway sends no other code. It sends this message with 401, but a new token would not help.
    code: ['/message'],
    scopeMissing: ['Unauthorized; scope does not match'],
  },
  rateLimit: { reset: 'x-ratelimit-reset', unit: 'iso', remaining: 'x-ratelimit-remaining' },
  tools: [...issueTools, ...issueWritingTools, ...commentTools, ...attachmentTools, ...projectTools],
})
