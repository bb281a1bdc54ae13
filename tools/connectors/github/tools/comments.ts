import { optional } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { instant } from '../../times.ts'
import { id, listPages, listQuery, markdown, number, REPOSITORY, repository, scopes } from '../arguments.ts'

const ISSUE_COMMENTS = `${REPOSITORY}/issues/{issue_number}/comments`
const COMMENT = `${REPOSITORY}/issues/comments/{comment_id}`
const issue_number = number('issue or pull request')
const comment_id = id('The ID of the comment, from list_issue_comments.')
const body = markdown('The comment.', { min: 1 })

const listIssueComments = tool(`list_issue_comments: GET ${ISSUE_COMMENTS}`, {
  title: 'List comments',
  description:
    'List the comments of an issue or pull request, oldest first. Returns ID, author, text and dates. For comments on ' +
    'lines of code use list_review_comments.',
  scopes,
  path: { ...repository, issue_number },
  query: { since: optional(instant('Only comments updated since this time.')), ...listQuery },
  pagination: listPages,
  keep: 'id user { login } body html_url created_at updated_at',
})

const addComment = tool(`add_comment: POST ${ISSUE_COMMENTS}`, {
  title: 'Comment',
  description: 'Comment on an issue or pull request. Everyone who follows it is notified. Returns the ID and URL.',
  scopes,
  path: { ...repository, issue_number },
  json: { body },
  keep: 'id html_url user { login } created_at',
})

const updateComment = tool(`update_comment: PATCH ${COMMENT}`, {
  title: 'Change a comment',
  description: 'Replace the text of a comment on an issue or pull request.',
  scopes,
  path: { ...repository, comment_id },
  json: { body },
  keep: 'id html_url user { login } updated_at',
})

const deleteComment = tool(`delete_comment: DELETE ${COMMENT}`, {
  title: 'Delete a comment',
  description: 'Delete a comment on an issue or pull request for good.',
  scopes,
  path: { ...repository, comment_id },
  returns: done('Deleted the comment {comment_id}.'),
})

/** GitHub tools for comments. */
export const commentTools = [listIssueComments, addComment, updateComment, deleteComment]
