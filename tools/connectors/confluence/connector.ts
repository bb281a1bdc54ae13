import { defineConnector } from '../../../services/definitions/define-connector.ts'
import {
  atlassianApp,
  atlassianOAuth,
  atlassianRateLimit,
  atlassianSettings,
  atlassianSites,
  SCOPE_MISSING,
} from '../atlassian.ts'
import { commentTools } from './tools/comments.ts'
import { pageTools } from './tools/pages.ts'
import { searchTools } from './tools/search.ts'

/**
 * Confluence Cloud's REST API through Atlassian's gateway: version 2, and version 1 for what it lacks. Version 2 accepts
 * granular scopes only. An account is one person on one site.
 */
export const confluence = defineConnector({
  id: 'confluence',
  name: 'Confluence',
  category: 'knowledge',
  description:
    'Search by words and with CQL; read, create, update, move and archive pages as Markdown; comment; labels, attachments, tasks and blog posts.',
  icon: { simpleIcon: 'confluence' },
  baseUrl: 'https://api.atlassian.com/ex/confluence/{settings.cloud_id}',
  auth: {
    ...atlassianOAuth,
    scopes: {
      'read:page:confluence': 'Read the pages and blog posts you can see, and their labels.',
      'read:space:confluence': 'See the spaces you can see.',
      'read:content-details:confluence': 'Search, and see who you are.',
      offline_access: 'Stay connected while you are away.',
    },
    optionalScopes: {
      'read:hierarchical-content:confluence': 'See what is below a page.',
      'read:comment:confluence': 'Read comments.',
      'read:attachment:confluence': 'List and download attachments.',
      'read:user:confluence': 'See the names of people.',
      'read:label:confluence': 'See the labels that were added.',
      'read:task:confluence': 'Read the tasks in pages.',
      'read:content.metadata:confluence': 'Read details of pages, which archiving needs.',
      'write:page:confluence': 'Create, change, move and archive pages and blog posts in your name.',
      'write:comment:confluence': 'Comment in your name, and resolve comments.',
      'write:label:confluence': 'Add and remove labels.',
      'write:attachment:confluence': 'Attach files in your name.',
      'write:task:confluence': 'Tick off tasks.',
      'delete:page:confluence': 'Move pages to the trash.',
      'delete:comment:confluence': 'Delete comments.',
    },
  },
  oauthApp: atlassianApp('Confluence', 'https://developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps/'),
  settings: atlassianSettings,
  discovery: atlassianSites('read:page:confluence'),
  identity: {
    request: { url: '/wiki/rest/api/user/current' },
    label: '{/displayName} ({settings.site})',
    key: '{/accountId}@{settings.cloud_id}',
  },
  errors: {
    message: ['/errors/0/title', '/message'],
    code: ['/errors/0/code', '/message'],
    scopeMissing: [SCOPE_MISSING],
    advice: {
      CONFLICT: 'Someone else changed the item at the same time. Read it again, then retry.',
      NOT_FOUND: 'The item does not exist, or this account cannot see it. Search for it first.',
    },
  },
  rateLimit: atlassianRateLimit,
  tools: [...searchTools, ...pageTools, ...commentTools],
})
