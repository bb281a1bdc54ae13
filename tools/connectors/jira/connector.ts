import { defineConnector } from '../../../services/definitions/define-connector.ts'
import {
  atlassianApp,
  atlassianOAuth,
  atlassianRateLimit,
  atlassianSettings,
  atlassianSites,
  SCOPE_MISSING,
} from '../atlassian.ts'
import { activityTools } from './tools/activity.ts'
import { issueTools, projectTools } from './tools/issues.ts'

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
    ...atlassianOAuth,
    scopes: {
      'read:jira-work': 'Read the projects, issues, comments and attachments you can see.',
      'write:jira-work': 'Create and change issues, comments and attachments in your name.',
      'read:jira-user': 'See the people of the site: their names, and their email addresses if visible.',
      offline_access: 'Stay connected while you are away.',
    },
  },
  oauthApp: atlassianApp('Jira', 'https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/'),
  settings: atlassianSettings,
  discovery: atlassianSites('read:jira-work'),
  identity: {
    request: { url: '/rest/api/3/myself' },
    label: '{/displayName} ({settings.site})',
    key: '{/accountId}@{settings.cloud_id}',
  },
  errors: {
    message: ['/errorMessages', '/errors', '/message'],
    code: ['/message'],
    scopeMissing: [SCOPE_MISSING],
  },
  rateLimit: atlassianRateLimit,
  tools: [...issueTools, ...activityTools, ...projectTools],
})
