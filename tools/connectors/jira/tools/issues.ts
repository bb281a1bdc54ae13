import { Type } from '@sinclair/typebox'
import { httpTool, pick } from '../../../../services/definitions/http-tool.ts'
import { reads } from '../../annotations.ts'
import { cursor, limit } from '../../paging.ts'
import { issue } from '../arguments.ts'

const jql = Type.String({
  minLength: 1,
  maxLength: 10_000,
  description: 'JQL with at least one restriction, such as project = ENG or assignee = currentUser().',
})
const askedFields = [
  'summary',
  'status',
  'issuetype',
  'priority',
  'assignee',
  'reporter',
  'labels',
  'parent',
  'project',
  'created',
  'updated',
  'duedate',
]
const issueFields = [
  'id',
  'key',
  'fields.summary',
  'fields.status.name',
  'fields.status.statusCategory.name',
  'fields.issuetype.name',
  'fields.priority.name',
  'fields.assignee.displayName',
  'fields.assignee.accountId',
  'fields.reporter.displayName',
  'fields.labels',
  'fields.parent.key',
  'fields.project.key',
  'fields.created',
  'fields.updated',
  'fields.duedate',
]

const searchIssues = httpTool({
  operation: 'search_issues',
  title: 'Search issues',
  description:
    'Search issues with JQL. Example: project = ENG AND statusCategory != Done AND assignee = currentUser() ORDER BY ' +
    'updated DESC. To search words: text ~ "login crash". A query without a restriction fails. Returns key, summary, ' +
    'status, type, priority, people and dates. Read one with get_issue.',
  annotations: reads,
  scopes: ['read:jira-work'],
  input: { jql, limit: limit({ max: 100, default: 25 }), cursor },
  request: {
    method: 'POST',
    path: '/rest/api/3/search/jql',
    body: { json: { jql: '{jql}', maxResults: '{limit}', nextPageToken: '{cursor}', fields: askedFields } },
  },
  pagination: { style: 'cursor', items: '/issues', next: '/nextPageToken' },
  result: pick('/issues', issueFields),
})

const countIssues = httpTool({
  operation: 'count_issues',
  title: 'Count issues',
  description: 'Count the issues that match JQL. The count is approximate and can lag by some seconds.',
  annotations: reads,
  scopes: ['read:jira-work'],
  input: { jql },
  request: { method: 'POST', path: '/rest/api/3/search/approximate-count', body: { json: { jql: '{jql}' } } },
  result: pick('', ['count']),
})

const getIssue = httpTool({
  operation: 'get_issue',
  title: 'Get an issue',
  description:
    'Read one issue: description (HTML, under renderedFields), status, people, dates, links, sub-tasks and attachments ' +
    '(pass their IDs to download_attachment). For its comments use list_comments.',
  annotations: reads,
  scopes: ['read:jira-work'],
  input: { issue },
  request: {
    method: 'GET',
    path: '/rest/api/3/issue/{issue}',
    query: {
      fields: [
        ...askedFields,
        'description',
        'resolution',
        'resolutiondate',
        'subtasks',
        'issuelinks',
        'attachment',
      ].join(','),
      expand: 'renderedFields',
    },
  },
  result: pick('', [
    ...issueFields,
    'renderedFields.description',
    'fields.resolution.name',
    'fields.resolutiondate',
    'fields.subtasks.key',
    'fields.subtasks.fields.summary',
    'fields.subtasks.fields.status.name',
    'fields.issuelinks.type.name',
    'fields.issuelinks.outwardIssue.key',
    'fields.issuelinks.inwardIssue.key',
    'fields.attachment.id',
    'fields.attachment.filename',
    'fields.attachment.mimeType',
    'fields.attachment.size',
  ]),
})

const listTransitions = httpTool({
  operation: 'list_transitions',
  title: 'List transitions',
  description:
    'List the transitions from the current status of an issue: the ID for transition_issue, and the resulting status.',
  annotations: reads,
  scopes: ['read:jira-work'],
  input: { issue },
  request: { method: 'GET', path: '/rest/api/3/issue/{issue}/transitions' },
  result: pick('/transitions', ['id', 'name', 'to.name', 'to.statusCategory.name']),
})

/** Jira tools that read issues. */
export const issueTools = [searchIssues, countIssues, getIssue, listTransitions]
