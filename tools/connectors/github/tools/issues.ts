import { Type } from '@sinclair/typebox'
import { clearable, integer, list, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { day, instant } from '../../shared-arguments.ts'
import {
  direction,
  id,
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

/** Labels by name. */
function labels(description: string) {
  return list(text('', 50), description, 100, { min: 0 })
}

const ISSUE = `${REPOSITORY}/issues/{issue_number}`
const milestone = integer('The number of a milestone, from list_milestones.', 1, 2_147_483_647)
const issueFields = `number title state html_url user { login } labels { name } assignees { login } comments created_at
  updated_at`

const ISSUE_COMMENTS = `${REPOSITORY}/issues/{issue_number}/comments`
const COMMENT = `${REPOSITORY}/issues/comments/{comment_id}`
const issue_number = number('issue or pull request')
const comment_id = id('The ID of the comment, from list_issue_comments.')
const body = markdown('The comment.', { min: 1 })

const ISSUE_LABELS = `${REPOSITORY}/issues/{issue_number}/labels`
const MILESTONES = `${REPOSITORY}/milestones`
const labelFields = 'name description color'
const milestoneFields = 'number title state description due_on open_issues closed_issues html_url closed_at'
const color = optional(text('The color in six hexadecimal digits: d73a4a.', 6, { pattern: '^[0-9a-fA-F]{6}$' }))
const due_on = optional(day('The due date.'))
// GitHub keeps only the day, which it reads in Pacific time: noon is the same day there.
const noon = '{due_on}T12:00:00Z'

/** GitHub tools for issues, their comments, labels and milestones. */
export const issueTools = [
  tool('search_issues: GET /search/issues', {
    title: 'Search issues and pull requests',
    description:
      'Search issues and pull requests in all repositories you can see, with GitHub search syntax. Include is:issue ' +
      'or is:pull-request. Example: repo:octo-org/app is:issue is:open label:bug author:@me crash. Returns number, ' +
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
  }),

  tool(`list_issues: GET ${REPOSITORY}/issues`, {
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
      sort: optional(oneOf(['created', 'updated', 'comments'], 'The order. Default: created.')),
      direction,
      ...listQuery,
    },
    pagination: listPages,
    keep: `${issueFields} pull_request { html_url }`,
  }),

  tool(`get_issue: GET ${ISSUE}`, {
    title: 'Get an issue',
    description:
      'Read one issue (or the issue side of a pull request): text, state, labels, assignees, milestone and dates. ' +
      'For its comments use list_issue_comments.',
    scopes,
    path: { ...repository, issue_number: number('issue') },
    keep: `${issueFields} state_reason milestone { title number } closed_at body pull_request { html_url }`,
  }),

  tool(`create_issue: POST ${REPOSITORY}/issues`, {
    title: 'Create an issue',
    description:
      'Create an issue. Labels that do not exist are created. Returns the number and URL. Search for an existing ' +
      'issue first.',
    scopes,
    path: repository,
    json: {
      title: title(),
      body: optional(markdown('The text.')),
      labels: optional(labels('Labels by name, from list_labels.')),
      assignees: optional(logins('The logins of the assignees, from list_assignees.')),
      milestone: optional(milestone),
    },
    keep: 'number title state html_url labels { name } assignees { login } created_at',
  }),

  tool(`update_issue: PATCH ${ISSUE}`, {
    title: 'Update an issue',
    description:
      'Update the title, text, state, labels, assignees or milestone of an issue or pull request. Omitted fields ' +
      'stay unchanged. labels and assignees replace the current lists: give the full list. To close, set state and ' +
      'state_reason.',
    scopes,
    path: { ...repository, issue_number: number('issue') },
    json: {
      title: optional(title()),
      body: optional(markdown('The full new text.')),
      state: optional(oneOf(['open', 'closed'], 'Closes or reopens it.')),
      state_reason: optional(
        oneOf(['completed', 'not_planned', 'duplicate', 'reopened'], 'The reason for the new state.'),
      ),
      labels: optional(labels('All labels of the issue. To change some use add_labels and remove_label.')),
      assignees: optional(logins('The logins of all assignees, from list_assignees.')),
      milestone: clearable(milestone),
    },
    keep: 'number title state state_reason html_url labels { name } assignees { login } milestone { title number } updated_at',
  }),

  tool(`list_issue_comments: GET ${ISSUE_COMMENTS}`, {
    title: 'List comments',
    description:
      'List the comments of an issue or pull request, oldest first. Returns ID, author, text and dates. For comments ' +
      'on lines of code use list_review_comments.',
    scopes,
    path: { ...repository, issue_number },
    query: { since: optional(instant('Only comments updated since this time.')), ...listQuery },
    pagination: listPages,
    keep: 'id user { login } body html_url created_at updated_at',
  }),

  tool(`add_comment: POST ${ISSUE_COMMENTS}`, {
    title: 'Comment',
    description: 'Comment on an issue or pull request. Everyone who follows it is notified. Returns the ID and URL.',
    scopes,
    path: { ...repository, issue_number },
    json: { body },
    keep: 'id html_url user { login } created_at',
  }),

  tool(`update_comment: PATCH ${COMMENT}`, {
    title: 'Change a comment',
    description: 'Replace the text of a comment on an issue or pull request.',
    scopes,
    path: { ...repository, comment_id },
    json: { body },
    keep: 'id html_url user { login } updated_at',
  }),

  tool(`delete_comment: DELETE ${COMMENT}`, {
    title: 'Delete a comment',
    description: 'Delete a comment on an issue or pull request for good.',
    scopes,
    path: { ...repository, comment_id },
    returns: done('Deleted the comment {comment_id}.'),
  }),

  tool(`list_labels: GET ${REPOSITORY}/labels`, {
    title: 'List labels',
    description: 'List the labels of a repository: names, colors and what they are for.',
    scopes,
    path: repository,
    query: listQuery,
    pagination: listPages,
    keep: labelFields,
  }),

  tool(`create_label: POST ${REPOSITORY}/labels`, {
    title: 'Create a label',
    description: 'Add a label to a repository.',
    scopes,
    path: repository,
    json: { name: text('The name.', 50), color, description: optional(text('What it is for.', 100)) },
    keep: labelFields,
  }),

  tool(`add_labels: POST ${ISSUE_LABELS}`, {
    title: 'Add labels',
    description: 'Add labels to an issue or pull request. Its other labels stay. Labels that do not exist are created.',
    scopes,
    path: { ...repository, issue_number },
    json: { labels: list(text('', 50), 'Labels by name, from list_labels.', 100) },
    returns: done('Added the labels.'),
  }),

  tool(`remove_label: DELETE ${ISSUE_LABELS}/{label}`, {
    title: 'Remove a label',
    description: 'Take one label off an issue or pull request. The label itself stays.',
    scopes,
    path: { ...repository, issue_number, label: text('The name of the label, from get_issue.', 50) },
    returns: done('Removed the label {label}.'),
  }),

  tool(`list_milestones: GET ${MILESTONES}`, {
    title: 'List milestones',
    description: 'List the milestones of a repository: numbers, titles, due dates and how many issues are open.',
    scopes,
    path: repository,
    query: {
      state: optional(oneOf(['open', 'closed', 'all'], 'Default: open.')),
      sort: optional(oneOf(['due_on', 'completeness'], 'Default: due_on.')),
      direction,
      ...listQuery,
    },
    pagination: listPages,
    keep: milestoneFields,
  }),

  tool(`create_milestone: POST ${MILESTONES}`, {
    title: 'Create a milestone',
    description: 'Add a milestone to a repository. Put issues into it with update_issue.',
    scopes,
    path: { ...repository, due_on },
    json: { title: title('The title.'), description: optional(markdown('What it is about.')), due_on: noon },
    keep: milestoneFields,
  }),

  tool(`update_milestone: PATCH ${MILESTONES}/{milestone_number}`, {
    title: 'Update a milestone',
    description: 'Change or close a milestone. Omitted fields stay unchanged.',
    scopes,
    path: {
      ...repository,
      milestone_number: integer('The number of the milestone, from list_milestones.', 1, 2_147_483_647),
      due_on,
    },
    json: {
      title: optional(title('The title.')),
      description: optional(markdown('What it is about.')),
      state: optional(oneOf(['open', 'closed'], 'Closes or reopens it.')),
      due_on: noon,
    },
    needsOneOf: ['title', 'description', 'state', 'due_on'],
    keep: milestoneFields,
  }),
]
