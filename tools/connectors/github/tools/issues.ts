import { Type } from '@sinclair/typebox'
import { clearable, integer, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { instant } from '../../times.ts'
import {
  direction,
  labels,
  listPages,
  listQuery,
  logins,
  markdown,
  number,
  REPOSITORY,
  repository,
  scopes,
  searchPages,
  searchQuery,
  title,
} from '../arguments.ts'

const ISSUE = `${REPOSITORY}/issues/{issue_number}`
const milestone = integer('The number of a milestone, from list_milestones.', 1, 2_147_483_647)
const issueFields = `number title state html_url user { login } labels { name } assignees { login } comments created_at
  updated_at`

const searchIssues = tool('search_issues: GET /search/issues', {
  title: 'Search issues and pull requests',
  description:
    'Search issues and pull requests in all repositories you can see, with GitHub search syntax. Include is:issue or ' +
    'is:pull-request. Example: repo:octo-org/app is:issue is:open label:bug author:@me crash. Returns number, ' +
    'title, state, repository, author, labels and dates. Read one with get_issue or get_pull_request.',
  scopes,
  query: searchQuery('repo:, org:, is:, label:, author:, assignee:, involves:, updated:>2026-01-01.', [
    'created',
    'updated',
    'comments',
    'reactions',
  ]),
  pagination: searchPages,
  keep: `${issueFields} repository_url`,
})

const listIssues = tool(`list_issues: GET ${REPOSITORY}/issues`, {
  title: 'List issues',
  description:
    'List the issues of one repository, newest first. The list includes pull requests: those have ' +
    'pull_request.html_url. Returns number, title, state, author, labels, assignees and dates, without the text.',
  scopes,
  path: repository,
  query: {
    state: optional({ ...oneOf(['open', 'closed', 'all'], 'Default: open.'), default: 'open' }),
    labels: { $join: optional(labels('Only issues with all of these labels.')), separator: ',' },
    milestone: optional(
      Type.Union([milestone, oneOf(['none', '*'])], {
        description: 'The number of a milestone, from list_milestones, none, or * for any.',
      }),
    ),
    assignee: optional(text('A login, none (unassigned) or * (assigned to anyone).', 100)),
    creator: optional(text('The login of the author.', 100)),
    since: optional(instant('Only issues updated since this time.')),
    sort: optional(oneOf(['created', 'updated', 'comments'])),
    direction,
    ...listQuery,
  },
  pagination: listPages,
  keep: `${issueFields} pull_request { html_url }`,
})

const getIssue = tool(`get_issue: GET ${ISSUE}`, {
  title: 'Get an issue',
  description:
    'Read one issue (or the issue side of a pull request): text, state, labels, assignees, milestone and dates. For ' +
    'its comments use list_issue_comments.',
  scopes,
  path: { ...repository, issue_number: number('issue') },
  keep: `${issueFields} state_reason milestone { title number } closed_at body pull_request { html_url }`,
})

const createIssue = tool(`create_issue: POST ${REPOSITORY}/issues`, {
  title: 'Create an issue',
  description:
    'Create an issue. Labels that do not exist are created. Returns the number and URL. Search for an existing issue ' +
    'first.',
  scopes,
  path: repository,
  json: {
    title: title('The title, on one line.'),
    body: optional(markdown('The text.')),
    labels: optional(labels('Labels by name, from list_labels.')),
    assignees: optional(logins('The logins of the assignees, from list_assignees.')),
    milestone: optional(milestone),
  },
  keep: 'number title state html_url labels { name } assignees { login } created_at',
})

const updateIssue = tool(`update_issue: PATCH ${ISSUE}`, {
  title: 'Update an issue',
  description:
    'Update the title, text, state, labels, assignees or milestone of an issue or pull request. Omitted fields stay ' +
    'unchanged. labels and assignees replace the current lists: give the full list. To close, set state and state_reason.',
  scopes,
  path: { ...repository, issue_number: number('issue') },
  json: {
    title: optional(title()),
    body: optional(markdown('The full new text.')),
    state: optional(oneOf(['open', 'closed'])),
    state_reason: optional(
      oneOf(['completed', 'not_planned', 'duplicate', 'reopened'], 'The reason for the new state.'),
    ),
    labels: optional(labels('All labels of the issue. To change some use add_labels and remove_label.')),
    assignees: optional(logins('The logins of all assignees, from list_assignees.')),
    milestone: clearable(milestone),
  },
  keep: 'number title state state_reason html_url labels { name } assignees { login } milestone { title number } updated_at',
})

/** GitHub tools for issues. */
export const issueTools = [searchIssues, listIssues, getIssue, createIssue, updateIssue]
