import { type TProperties, Type } from '@sinclair/typebox'
import { flag, integer, list, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { day, instant } from '../../shared-arguments.ts'
import { branch, listPages, listQuery, project, scopes } from '../arguments.ts'

/** The number of an issue or a merge request within its project, which these tools return. */
function number(of: string, tools: string) {
  return integer(`The number (iid) of the ${of}, from ${tools}.`, 1, 2_147_483_647)
}

/** A user by login. */
function username(description: string) {
  return text(description, 255, { pattern: '^[^@\\s]+$' })
}

/** Users by ID. */
function users(description: string) {
  return list(Type.Integer({ minimum: 0 }), `${description} IDs from list_members.`, 50)
}

/** Labels by name. GitLab separates them by commas. */
function labels(description: string) {
  return { $join: optional(list(text('', 255, { pattern: '^[^,]+$' }), description, 50)), separator: ',' } as const
}

/** A long text. */
function markdown(description: string, { min = 1 } = {}) {
  return text(`${description} GitLab Flavored Markdown.`, 200_000, { min })
}

/** The order of lists. */
const order = {
  order_by: optional(oneOf(['created_at', 'updated_at'], 'Default: created_at.')),
  sort: optional(oneOf(['asc', 'desc'], 'Default: desc, the newest first.')),
}

/** Whose issues and merge requests a search finds. */
const searchScope = optional({
  ...oneOf(
    ['assigned_to_me', 'created_by_me', 'all'],
    'Default: assigned_to_me. all includes every public project of gitlab.com, and may be slow.',
  ),
  default: 'assigned_to_me',
})

/** A milestone by ID. */
const milestone_id = optional(integer('A milestone by ID, from list_milestones. 0 for none.', 0, 2_147_483_647))

/** What issues and merge requests are called, where they differ, and the descriptions of the tools that both have. */
interface Kind {
  readonly a: 'an issue' | 'a merge request'
  /** The arguments that name one. */
  readonly path: TProperties
  readonly states: readonly string[]
  /** The filters of both lists, and those of the list of a project. */
  readonly filters?: TProperties
  readonly filtersInProject: TProperties
  /** The fields in lists, those that are read with one in addition, and those of its comments besides the usual ones. */
  readonly fields: string
  readonly moreFields: string
  readonly moreCommentFields?: string
  readonly search: string
  readonly list: string
  readonly get: string
  readonly listComments: string
  readonly createComment: string
}

/** The tools that issues and merge requests have in common: search, list, get, list and create comments. */
function commonTools(kind: Kind) {
  const { a, path, states, fields } = kind
  const noun = a.replace(/^an? /, '')
  const one = noun.replace(' ', '_')
  const all = `/projects/{project}/${one}s`
  const single = `${all}/{${one}}`
  const noteFields = 'id body author { username name } created_at updated_at system resolvable resolved'
  const filters = {
    search: optional(text('Words in the title or description.', 500)),
    state: optional(oneOf(states, 'Default: all.')),
    labels: labels(`Only ${noun}s with all of these labels.`),
    author_username: optional(username(`Only ${noun}s by this login.`)),
    ...kind.filters,
    updated_after: optional(instant(`Only ${noun}s updated since this time.`)),
    ...order,
    ...listQuery,
  }
  return [
    tool(`search_${one}s: GET /${one}s`, {
      title: `Search ${noun}s`,
      description: kind.search,
      scopes,
      query: { scope: searchScope, ...filters },
      pagination: listPages,
      keep: fields,
    }),
    tool(`list_${one}s: GET ${all}`, {
      title: `List ${noun}s`,
      description: kind.list,
      scopes,
      path: { project },
      query: { ...kind.filtersInProject, ...filters },
      pagination: listPages,
      keep: fields,
    }),
    tool(`get_${one}: GET ${single}`, {
      title: `Get ${a}`,
      description: kind.get,
      scopes,
      path,
      keep: `${fields} ${kind.moreFields}`,
    }),
    tool(`list_${one}_comments: GET ${single}/notes`, {
      title: `List the comments of ${a}`,
      description: kind.listComments,
      scopes,
      path,
      query: { ...order, ...listQuery },
      pagination: listPages,
      keep: `${noteFields} ${kind.moreCommentFields ?? ''}`,
    }),
    tool(`create_${one}_comment: POST ${single}/notes`, {
      title: `Comment on ${a}`,
      description: kind.createComment,
      scopes,
      path,
      json: { body: markdown('The comment.') },
      keep: noteFields,
    }),
  ] as const
}

const issue = { project, issue: number('issue', 'search_issues or list_issues') }
const ISSUE = '/projects/{project}/issues/{issue}'
const issueFields = `iid project_id title state labels author { username } assignees { id username } milestone { id title }
  due_date confidential user_notes_count web_url created_at updated_at closed_at references { full }`

const [searchIssues, listIssues, getIssue, listIssueComments, createIssueComment] = commonTools({
  a: 'an issue',
  path: issue,
  states: ['opened', 'closed', 'all'],
  filtersInProject: {
    assignee_username: optional(username('Only issues assigned to this login.')),
    milestone: optional(text('Only issues of this milestone, by title.', 255)),
  },
  fields: issueFields,
  moreFields: 'description issue_type weight time_stats { time_estimate total_time_spent } task_completion_status',
  search:
    'Search issues in all projects. Returns number (iid), project ID, title, state, labels and assignees. For one ' +
    'project use list_issues. Read the text with get_issue.',
  list: 'List or search the issues of one project. Returns number (iid), title, state, labels and assignees.',
  get: 'Read one issue: text, state, labels, assignees, milestone and dates. Comments: list_issue_comments.',
  listComments: 'List the comments of an issue, the newest first. Notes with system true are changes.',
  createComment: 'Add a comment to an issue. Everyone who follows the issue is notified.',
})

const mergeRequest = {
  project,
  merge_request: number('merge request', 'search_merge_requests or list_merge_requests'),
}
const MERGE_REQUEST = '/projects/{project}/merge_requests/{merge_request}'
const mergeRequestFields = `iid project_id title state draft source_branch target_branch labels author { username }
  assignees { id username } reviewers { id username } detailed_merge_status has_conflicts user_notes_count sha web_url
  created_at updated_at merged_at references { full }`
const settings = {
  description: optional(markdown('The text.', { min: 0 })),
  assignee_ids: optional(users('All assignees; [0] for none.')),
  reviewer_ids: optional(users('All reviewers; [0] for none.')),
  milestone_id,
  remove_source_branch: optional(flag('Delete the source branch after the merge.')),
  squash: optional(flag('Merge as one commit.')),
}

const [searchMergeRequests, listMergeRequests, getMergeRequest, listMergeRequestComments, createMergeRequestComment] =
  commonTools({
    a: 'a merge request',
    path: mergeRequest,
    states: ['opened', 'closed', 'merged', 'locked', 'all'],
    filters: { reviewer_username: optional(username('Only merge requests that this login reviews.')) },
    filtersInProject: {
      source_branch: optional(branch('Only from this branch.')),
      target_branch: optional(branch('Only into this branch.')),
    },
    fields: mergeRequestFields,
    moreFields: `description changes_count merge_user { username } merge_commit_sha squash milestone { id title }
    head_pipeline { id status web_url } blocking_discussions_resolved`,
    moreCommentFields: 'position { new_path new_line old_path old_line }',
    search:
      'Search merge requests in all projects. Returns number (iid), project ID, title, state and branches. For one ' +
      'project use list_merge_requests.',
    list: 'List or search the merge requests of one project. Returns number (iid), title, state and branches.',
    get:
      'Read one merge request: text, branches, reviewers, the last pipeline, and whether it can be merged. Changes: ' +
      'list_merge_request_diffs. Comments: list_merge_request_comments.',
    listComments:
      'List the comments of a merge request, including those on lines of code. Notes with system true are changes.',
    createComment: 'Add a comment to a merge request. Everyone who follows it is notified.',
  })

/** GitLab's tools for issues and merge requests. */
export const issueTools = [
  searchIssues,
  listIssues,
  getIssue,

  tool('create_issue: POST /projects/{project}/issues', {
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
  }),

  tool(`update_issue: PUT ${ISSUE}`, {
    title: 'Update an issue',
    description:
      'Update, close or reopen an issue. Omitted fields stay unchanged. assignee_ids replaces all assignees.',
    scopes,
    path: issue,
    json: {
      title: optional(text('The title.', 255)),
      description: optional(markdown('The full new text; empty removes it.', { min: 0 })),
      state_event: optional(oneOf(['close', 'reopen'], 'Closes or reopens it.')),
      add_labels: labels('Labels to add, by name.'),
      remove_labels: labels('Labels to remove, by name.'),
      assignee_ids: optional(users('All assignees; [0] for none.')),
      milestone_id,
      due_date: optional(day('The due date.')),
      confidential: optional(flag('Only visible to members.')),
    },
    keep: issueFields,
  }),

  listIssueComments,
  createIssueComment,
  searchMergeRequests,
  listMergeRequests,
  getMergeRequest,

  tool(`list_merge_request_diffs: GET ${MERGE_REQUEST}/diffs`, {
    title: 'List the changes of a merge request',
    description: 'List the changed files of a merge request with their diffs. GitLab omits large diffs.',
    scopes,
    path: mergeRequest,
    query: listQuery,
    pagination: listPages,
    keep: 'old_path new_path new_file renamed_file deleted_file diff collapsed too_large',
  }),

  tool('create_merge_request: POST /projects/{project}/merge_requests', {
    title: 'Create a merge request',
    description:
      'Propose to merge one branch into another. Make the branch with create_branch. Returns number and URL.',
    scopes,
    path: { project },
    json: {
      source_branch: branch('The branch with the changes.'),
      target_branch: branch('The branch to merge into.'),
      title: text('The title. A leading “Draft: ” makes it a draft.', 255),
      labels: labels('Labels by name, from list_labels.'),
      ...settings,
    },
    keep: mergeRequestFields,
  }),

  tool(`update_merge_request: PUT ${MERGE_REQUEST}`, {
    title: 'Update a merge request',
    description: 'Update, close or reopen a merge request. Omitted fields stay unchanged.',
    scopes,
    path: mergeRequest,
    json: {
      title: optional(text('The title. A leading “Draft: ” makes it a draft.', 255)),
      target_branch: optional(branch('The branch to merge into.')),
      state_event: optional(oneOf(['close', 'reopen'], 'Closes or reopens it.')),
      add_labels: labels('Labels to add, by name.'),
      remove_labels: labels('Labels to remove, by name.'),
      ...settings,
    },
    keep: mergeRequestFields,
  }),

  tool(`merge_merge_request: PUT ${MERGE_REQUEST}/merge`, {
    title: 'Merge a merge request',
    description: 'Merge a merge request. Read it first, and give its sha so that no unseen commit is merged.',
    scopes,
    path: mergeRequest,
    json: {
      sha: text('The sha of get_merge_request. GitLab refuses to merge any other commit.', 64, {
        pattern: '^[0-9a-f]{40,64}$',
      }),
      squash: optional(flag('Merge as one commit.')),
      should_remove_source_branch: named('remove_source_branch', optional(flag('Delete the source branch.'))),
      merge_commit_message: optional(text('The message of the merge commit.', 10_000)),
    },
    keep: mergeRequestFields,
  }),

  listMergeRequestComments,
  createMergeRequestComment,
]
