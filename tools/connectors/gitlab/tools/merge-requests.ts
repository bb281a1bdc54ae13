import { flag, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { instant } from '../../times.ts'
import {
  branch,
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

const mergeRequestFields = `iid project_id title state draft source_branch target_branch labels author { username }
  assignees { id username } reviewers { id username } detailed_merge_status has_conflicts user_notes_count sha web_url
  created_at updated_at merged_at references { full }`
const filters = {
  search: optional(text('Words in the title or description.', 500)),
  state: optional(oneOf(['opened', 'closed', 'merged', 'locked', 'all'], 'Default: all.')),
  labels: labels('Only merge requests with all of these labels.'),
  author_username: optional(username('Only merge requests by this login.')),
  reviewer_username: optional(username('Only merge requests that this login reviews.')),
  updated_after: optional(instant('Only merge requests updated since this time.')),
  ...order,
  ...listQuery,
}
const settings = {
  description: optional(markdown('The text.', { min: 0 })),
  assignee_ids: optional(users('All assignees; [0] for none.')),
  reviewer_ids: optional(users('All reviewers; [0] for none.')),
  milestone_id,
  remove_source_branch: optional(flag('Delete the source branch after the merge.')),
  squash: optional(flag('Merge as one commit.')),
}
const path = { project, merge_request: number('merge request', 'search_merge_requests or list_merge_requests') }
const MERGE_REQUEST = '/projects/{project}/merge_requests/{merge_request}'

const searchMergeRequests = tool('search_merge_requests: GET /merge_requests', {
  title: 'Search merge requests',
  description:
    'Search merge requests in all projects. Returns number (iid), project ID, title, state and branches. For one project ' +
    'use list_merge_requests.',
  scopes,
  query: { scope: searchScope, ...filters },
  pagination: listPages,
  keep: mergeRequestFields,
})

const listMergeRequests = tool('list_merge_requests: GET /projects/{project}/merge_requests', {
  title: 'List merge requests',
  description: 'List or search the merge requests of one project. Returns number (iid), title, state and branches.',
  scopes,
  path: { project },
  query: {
    source_branch: optional(branch('Only from this branch.')),
    target_branch: optional(branch('Only into this branch.')),
    ...filters,
  },
  pagination: listPages,
  keep: mergeRequestFields,
})

const getMergeRequest = tool(`get_merge_request: GET ${MERGE_REQUEST}`, {
  title: 'Get a merge request',
  description:
    'Read one merge request: text, branches, reviewers, the last pipeline, and whether it can be merged. Changes: ' +
    'list_merge_request_diffs. Comments: list_merge_request_comments.',
  scopes,
  path,
  keep: `${mergeRequestFields} description changes_count merge_user { username } merge_commit_sha squash
    milestone { id title } head_pipeline { id status web_url } blocking_discussions_resolved`,
})

const listMergeRequestDiffs = tool(`list_merge_request_diffs: GET ${MERGE_REQUEST}/diffs`, {
  title: 'List the changes of a merge request',
  description: 'List the changed files of a merge request with their diffs. Large diffs are left out by GitLab.',
  scopes,
  path,
  query: listQuery,
  pagination: listPages,
  keep: 'old_path new_path new_file renamed_file deleted_file diff collapsed too_large',
})

const createMergeRequest = tool('create_merge_request: POST /projects/{project}/merge_requests', {
  title: 'Create a merge request',
  description: 'Propose to merge one branch into another. Make the branch with create_branch. Returns number and URL.',
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
})

const updateMergeRequest = tool(`update_merge_request: PUT ${MERGE_REQUEST}`, {
  title: 'Update a merge request',
  description: 'Update, close or reopen a merge request. Omitted fields stay unchanged.',
  scopes,
  path,
  json: {
    title: optional(text('The title. A leading “Draft: ” makes it a draft.', 255)),
    target_branch: optional(branch('The branch to merge into.')),
    state_event: optional(oneOf(['close', 'reopen'])),
    add_labels: labels('Labels to add, by name.'),
    remove_labels: labels('Labels to remove, by name.'),
    ...settings,
  },
  keep: mergeRequestFields,
})

const mergeMergeRequest = tool(`merge_merge_request: PUT ${MERGE_REQUEST}/merge`, {
  title: 'Merge a merge request',
  description: 'Merge a merge request. Read it first, and give its sha so that no unseen commit is merged.',
  scopes,
  path,
  json: {
    sha: text('The sha of get_merge_request. GitLab refuses to merge another one.', 64, {
      pattern: '^[0-9a-f]{40,64}$',
    }),
    squash: optional(flag('Merge as one commit.')),
    should_remove_source_branch: named('remove_source_branch', optional(flag('Delete the source branch.'))),
    merge_commit_message: optional(text('The message of the merge commit.', 10_000)),
  },
  keep: mergeRequestFields,
})

const listMergeRequestComments = tool(`list_merge_request_comments: GET ${MERGE_REQUEST}/notes`, {
  title: 'List the comments of a merge request',
  description: 'List the comments of a merge request, those on lines of code too. Notes with system are changes.',
  scopes,
  path,
  query: { ...order, ...listQuery },
  pagination: listPages,
  keep: `${noteFields} position { new_path new_line old_path old_line }`,
})

const createMergeRequestComment = tool(`create_merge_request_comment: POST ${MERGE_REQUEST}/notes`, {
  title: 'Comment on a merge request',
  description: 'Add a comment to a merge request. Everyone who follows it is notified.',
  scopes,
  path,
  json: { body: markdown('The comment.') },
  keep: noteFields,
})

/** GitLab's tools for merge requests. */
export const mergeRequestTools = [
  searchMergeRequests,
  listMergeRequests,
  getMergeRequest,
  listMergeRequestDiffs,
  createMergeRequest,
  updateMergeRequest,
  mergeMergeRequest,
  listMergeRequestComments,
  createMergeRequestComment,
]
