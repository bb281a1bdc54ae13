import { text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { reads } from '../../annotations.ts'
import { pageSize, pageStart } from '../../paging.ts'
import { issue } from '../arguments.ts'

const scopes = ['read:jira-work']
const jql = text('JQL with at least one restriction, such as project = ENG or assignee = currentUser().', 10_000)
const askedFields =
  'summary status issuetype priority assignee reporter labels parent project created updated duedate'.split(' ')
const keptFields = `summary status { name statusCategory { name } } issuetype { name } priority { name }
  assignee { displayName accountId } reporter { displayName } labels parent { key } project { key } created updated duedate`

const searchIssues = tool('search_issues: POST /rest/api/3/search/jql', {
  title: 'Search issues',
  description:
    'Search issues with JQL. Example: project = ENG AND statusCategory != Done AND assignee = currentUser() ORDER BY ' +
    'updated DESC. To search words: text ~ "login crash". A query without a restriction fails. Returns key, summary, ' +
    'status, type, priority, people and dates. Read one with get_issue.',
  annotations: reads,
  scopes,
  json: { jql, maxResults: pageSize(25, 100), nextPageToken: pageStart, fields: askedFields },
  pagination: { style: 'cursor', items: '/issues', next: '/nextPageToken' },
  keep: `id key fields { ${keptFields} }`,
})

const countIssues = tool('count_issues: POST /rest/api/3/search/approximate-count', {
  title: 'Count issues',
  description: 'Count the issues that match JQL. The count is approximate and can lag by some seconds.',
  annotations: reads,
  scopes,
  json: { jql },
  keep: 'count',
})

const getIssue = tool('get_issue: GET /rest/api/3/issue/{issue}', {
  title: 'Get an issue',
  description:
    'Read one issue: description (Markdown), status, people, dates, links, sub-tasks and attachments (pass their IDs to ' +
    'download_attachment). For its comments use list_comments; for its custom fields, list_edit_fields.',
  scopes,
  path: { issue },
  query: {
    fields: [
      ...askedFields,
      'description',
      'resolution',
      'resolutiondate',
      'subtasks',
      'issuelinks',
      'attachment',
    ].join(),
  },
  keep: `id key fields { ${keptFields} description|adf-to-markdown resolution { name } resolutiondate
    subtasks { key fields { summary status { name } } }
    issuelinks { id type { name inward outward } outwardIssue { key fields { summary } } inwardIssue { key fields { summary } } }
    attachment { id filename mimeType size } }`,
})

const listTransitions = tool('list_transitions: GET /rest/api/3/issue/{issue}/transitions', {
  title: 'List transitions',
  description:
    'List the transitions from the current status of an issue: the ID for transition_issue, and the resulting status.',
  scopes,
  path: { issue },
  at: '/transitions',
  keep: 'id name to { name statusCategory { name } }',
})

const listEditFields = tool('list_edit_fields: GET /rest/api/3/issue/{issue}/editmeta', {
  title: 'List the fields of an issue',
  description:
    'List the fields of an issue that update_issue can set, custom ones included: ID (such as customfield_10016), name, ' +
    'type and allowed values. For the fields of a new issue use list_create_fields.',
  scopes,
  path: { issue },
  at: '/fields',
  keep: '* { name required schema { type items custom } allowedValues { id name value } }',
})

/** Jira tools that read issues. */
export const issueTools = [searchIssues, countIssues, getIssue, listTransitions, listEditFields]
