import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../../../schemas/string-enum.ts'
import { httpTool, joined, pick, sameNames } from '../../../../services/definitions/http-tool.ts'
import { adds, overwrites, reads } from '../../annotations.ts'
import { instant } from '../../times.ts'
import { labels, listQuery, logins, markdown, number, page, repository, searchQuery } from '../arguments.ts'

const milestone = Type.Integer({
  minimum: 1,
  description: 'The number of a milestone; get_issue has it of the issues in it.',
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
    'Search issues and pull requests in all repositories you can see, with GitHub search syntax. Give is:issue or ' +
    'is:pull-request. Example: repo:octo-org/app is:issue is:open label:bug author:@me crash. Answers with number, ' +
    'title, state, repository, author, labels and dates; read one with get_issue or get_pull_request.',
  annotations: reads,
  scopes: ['repo'],
  input: {
    query: searchQuery(
      'Words and qualifiers: repo:, org:, is:, label:, author:, assignee:, involves:, updated:>2026-01-01.',
    ),
    sort: Type.Optional(
      StringEnum(['created', 'updated', 'comments', 'reactions'], { description: 'Best match when left out.' }),
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
    'List the issues of one repository, the newest first. GitHub counts pull requests as issues: those have ' +
    'pull_request.html_url. Answers with number, title, state, author, labels, assignees and dates, without the text.',
  annotations: reads,
  scopes: ['repo'],
  input: {
    ...repository,
    state: Type.Optional(
      StringEnum(['open', 'closed', 'all'], { default: 'open', description: 'open when left out.' }),
    ),
    labels: Type.Optional({ ...labels, description: 'Only issues that have all of these labels.' }),
    assignee: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'A login; none for nobody, * for anybody.' }),
    ),
    creator: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'The login of the author.' })),
    since: Type.Optional(instant('Only issues updated since then.')),
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
    'Read one issue (or the issue side of a pull request): its text, state, labels, assignees, milestone and dates. ' +
    'Its comments come from list_issue_comments.',
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
    'Open a new issue. Labels that do not exist yet are made. Answers with the number and URL. Search first whether ' +
    'there is one already.',
  annotations: adds,
  scopes: ['repo'],
  input: {
    ...repository,
    title: Type.String({ minLength: 1, maxLength: 256, description: 'One line.' }),
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
    'Change an issue or pull request: title, text, state, labels, assignees, milestone. What is left out stays. ' +
    'labels and assignees replace what was there, so give the whole list. To close: state closed, with a state_reason.',
  annotations: overwrites,
  scopes: ['repo'],
  input: {
    ...repository,
    issue_number: number('issue'),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    body: Type.Optional(markdown('The text, whole.')),
    state: Type.Optional(StringEnum(['open', 'closed'])),
    state_reason: Type.Optional(
      StringEnum(['completed', 'not_planned', 'duplicate', 'reopened'], { description: 'Why state changes.' }),
    ),
    labels: Type.Optional({ ...labels, description: 'All labels it has from now on.' }),
    assignees: Type.Optional({ ...logins, description: 'All logins it is assigned to from now on.' }),
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

/** GitHub's issues. */
export const issueTools = [searchIssues, listIssues, getIssue, createIssue, updateIssue]
