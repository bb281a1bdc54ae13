import { flag, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { day, instant } from '../../times.ts'
import {
  labels,
  listPages,
  listQuery,
  markdown,
  milestone_id,
  noteFields,
  number,
  order,
  project,
  scopes,
  searchScope,
  username,
  users,
} from '../arguments.ts'

const issueFields = `iid project_id title state labels author { username } assignees { id username } milestone { id title }
  due_date confidential user_notes_count web_url created_at updated_at closed_at references { full }`
const filters = {
  search: optional(text('Words in the title or description.', 500)),
  state: optional(oneOf(['opened', 'closed', 'all'], 'Default: all.')),
  labels: labels('Only issues with all of these labels.'),
  author_username: optional(username('Only issues by this login.')),
  updated_after: optional(instant('Only issues updated since this time.')),
  ...order,
  ...listQuery,
}
const path = { project, issue: number('issue', 'search_issues or list_issues') }
const ISSUE = '/projects/{project}/issues/{issue}'

const searchIssues = tool('search_issues: GET /issues', {
  title: 'Search issues',
  description:
    'Search issues in all projects. Returns number (iid), project ID, title, state, labels and assignees. For one project ' +
    'use list_issues. Read the text with get_issue.',
  scopes,
  query: { scope: searchScope, ...filters },
  pagination: listPages,
  keep: issueFields,
})

const listIssues = tool('list_issues: GET /projects/{project}/issues', {
  title: 'List issues',
  description: 'List or search the issues of one project. Returns number (iid), title, state, labels and assignees.',
  scopes,
  path: { project },
  query: {
    assignee_username: optional(username('Only issues assigned to this login.')),
    milestone: optional(text('Only issues of this milestone, by title.', 255)),
    ...filters,
  },
  pagination: listPages,
  keep: issueFields,
})

const getIssue = tool(`get_issue: GET ${ISSUE}`, {
  title: 'Get an issue',
  description: 'Read one issue: text, state, labels, assignees, milestone and dates. Comments: list_issue_comments.',
  scopes,
  path,
  keep: `${issueFields} description issue_type weight time_stats { time_estimate total_time_spent } task_completion_status`,
})

const createIssue = tool('create_issue: POST /projects/{project}/issues', {
  title: 'Create an issue',
  description: 'Create an issue. Labels that do not exist are created. Search for an existing issue first.',
  scopes,
  path: { project },
  json: {
    title: text('The title.', 255),
    description: optional(markdown('The text.')),
    labels: labels('Labels by name, from list_labels.'),
    assignee_ids: optional(users('The assignees.')),
    milestone_id,
    due_date: optional(day('The due date.')),
    confidential: optional(flag('Only visible to members. Default: false.')),
  },
  keep: issueFields,
})

const updateIssue = tool(`update_issue: PUT ${ISSUE}`, {
  title: 'Update an issue',
  description: 'Update, close or reopen an issue. Omitted fields stay unchanged. assignee_ids replaces all assignees.',
  scopes,
  path,
  json: {
    title: optional(text('The title.', 255)),
    description: optional(markdown('The full new text; empty removes it.', { min: 0 })),
    state_event: optional(oneOf(['close', 'reopen'])),
    add_labels: labels('Labels to add, by name.'),
    remove_labels: labels('Labels to remove, by name.'),
    assignee_ids: optional(users('All assignees; [0] for none.')),
    milestone_id,
    due_date: optional(day('The due date.')),
    confidential: optional(flag('Only visible to members.')),
  },
  keep: issueFields,
})

const listIssueComments = tool(`list_issue_comments: GET ${ISSUE}/notes`, {
  title: 'List the comments of an issue',
  description: 'List the comments of an issue, the newest first. Notes with system are changes that GitLab records.',
  scopes,
  path,
  query: { ...order, ...listQuery },
  pagination: listPages,
  keep: noteFields,
})

const createIssueComment = tool(`create_issue_comment: POST ${ISSUE}/notes`, {
  title: 'Comment on an issue',
  description: 'Add a comment to an issue. Everyone who follows the issue is notified.',
  scopes,
  path,
  json: { body: markdown('The comment.') },
  keep: noteFields,
})

/** GitLab's tools for issues. */
export const issueTools = [
  searchIssues,
  listIssues,
  getIssue,
  createIssue,
  updateIssue,
  listIssueComments,
  createIssueComment,
]
