import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../../../schemas/string-enum.ts'
import { httpTool, joined, pick, sameNames } from '../../../../services/definitions/http-tool.ts'
import { adds, overwrites, reads } from '../../annotations.ts'
import { instant } from '../../times.ts'
import { labels, listQuery, logins, markdown, number, page, repository, searchQuery } from '../arguments.ts'

const milestone = Type.Integer({
  minimum: 1,
  description: 'The number of a milestone. get_issue returns it for an issue in that milestone.',
})
const issueFields = [
  'number',
  'title',
  'state',
  'html_url',
  'user.login',
  'labels.name',
  'assignees.login',
  'comments',
  'created_at',
  'updated_at',
]

const searchIssues = httpTool({
  operation: 'search_issues',
  title: 'Search issues and pull requests',
  description:
    'Search issues and pull requests in all repositories you can see, with GitHub search syntax. Include is:issue or ' +
    'is:pull-request. Example: repo:octo-org/app is:issue is:open label:bug author:@me crash. Returns number, ' +
    'title, state, repository, author, labels and dates. Read one with get_issue or get_pull_request.',
  annotations: reads,
  scopes: ['repo'],
  input: {
    query: searchQuery(
      'Words and qualifiers: repo:, org:, is:, label:, author:, assignee:, involves:, updated:>2026-01-01.',
    ),
    sort: Type.Optional(
      StringEnum(['created', 'updated', 'comments', 'reactions'], { description: 'Default: best match.' }),
    ),
    order: Type.Optional(StringEnum(['asc', 'desc'])),
    ...page,
  },
  request: {
    method: 'GET',
    path: '/search/issues',
    query: {
      q: '{query}',
      sort: '{sort}',
      order: '{order}',
      ...listQuery,
    },
  },
  pagination: { style: 'link', items: '/items' },
  result: pick('/items', [...issueFields, 'repository_url']),
})

const listIssues = httpTool({
  operation: 'list_issues',
  title: 'List issues',
  description:
    'List the issues of one repository, newest first. The list includes pull requests: those have ' +
    'pull_request.html_url. Returns number, title, state, author, labels, assignees and dates, without the text.',
  annotations: reads,
  scopes: ['repo'],
  input: {
    ...repository,
    state: Type.Optional(StringEnum(['open', 'closed', 'all'], { default: 'open', description: 'Default: open.' })),
    labels: Type.Optional({ ...labels, description: 'Only issues with all of these labels.' }),
    assignee: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'A login, none (unassigned) or * (assigned to anyone).',
      }),
    ),
    creator: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'The login of the author.' })),
    since: Type.Optional(instant('Only issues updated since this time.')),
    sort: Type.Optional(StringEnum(['created', 'updated', 'comments'])),
    direction: Type.Optional(StringEnum(['asc', 'desc'])),
    ...page,
  },
  request: {
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues',
    query: {
      state: '{state}',
      labels: joined('labels'),
      ...sameNames('assignee', 'creator', 'since', 'sort', 'direction'),
      ...listQuery,
    },
  },
  pagination: { style: 'link', items: '' },
  result: pick('', [...issueFields, 'pull_request.html_url']),
})

const getIssue = httpTool({
  operation: 'get_issue',
  title: 'Get an issue',
  description:
    'Read one issue (or the issue side of a pull request): text, state, labels, assignees, milestone and dates. For ' +
    'its comments use list_issue_comments.',
  annotations: reads,
  scopes: ['repo'],
  input: { ...repository, issue_number: number('issue') },
  request: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{issue_number}' },
  result: pick('', [
    ...issueFields,
    'state_reason',
    'milestone.title',
    'milestone.number',
    'closed_at',
    'body',
    'pull_request.html_url',
  ]),
})

const createIssue = httpTool({
  operation: 'create_issue',
  title: 'Create an issue',
  description:
    'Create an issue. Labels that do not exist are created. Returns the number and URL. Search for an existing issue ' +
    'first.',
  annotations: adds,
  scopes: ['repo'],
  input: {
    ...repository,
    title: Type.String({ minLength: 1, maxLength: 256, description: 'The title, on one line.' }),
    body: Type.Optional(markdown('The text.')),
    labels: Type.Optional(labels),
    assignees: Type.Optional(logins),
    milestone: Type.Optional(milestone),
  },
  request: {
    method: 'POST',
    path: '/repos/{owner}/{repo}/issues',
    body: {
      json: sameNames('title', 'body', 'labels', 'assignees', 'milestone'),
    },
  },
  result: pick('', ['number', 'title', 'state', 'html_url', 'labels.name', 'assignees.login', 'created_at']),
})

const updateIssue = httpTool({
  operation: 'update_issue',
  title: 'Update an issue',
  description:
    'Update the title, text, state, labels, assignees or milestone of an issue or pull request. Omitted fields stay ' +
    'unchanged. labels and assignees replace the current lists: give the full list. To close, set state and state_reason.',
  annotations: overwrites,
  scopes: ['repo'],
  input: {
    ...repository,
    issue_number: number('issue'),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    body: Type.Optional(markdown('The full new text.')),
    state: Type.Optional(StringEnum(['open', 'closed'])),
    state_reason: Type.Optional(
      StringEnum(['completed', 'not_planned', 'duplicate', 'reopened'], {
        description: 'The reason for the new state.',
      }),
    ),
    labels: Type.Optional({ ...labels, description: 'All labels of the issue.' }),
    assignees: Type.Optional({ ...logins, description: 'The logins of all assignees.' }),
    milestone: Type.Optional(milestone),
  },
  request: {
    method: 'PATCH',
    path: '/repos/{owner}/{repo}/issues/{issue_number}',
    body: {
      json: sameNames('title', 'body', 'state', 'state_reason', 'labels', 'assignees', 'milestone'),
    },
  },
  result: pick('', [
    'number',
    'title',
    'state',
    'state_reason',
    'html_url',
    'labels.name',
    'assignees.login',
    'updated_at',
  ]),
})

/** GitHub tools for issues. */
export const issueTools = [searchIssues, listIssues, getIssue, createIssue, updateIssue]
