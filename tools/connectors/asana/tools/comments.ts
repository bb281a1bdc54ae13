import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { asked, gid, listOf, listPages, markdown, scopes, task } from '../arguments.ts'

const commentFields = 'gid type text created_at created_by { gid name } is_edited'
const comment = gid('The gid of the comment, from list_comments or add_comment.')

const listComments = tool('list_comments: GET /tasks/{task}/stories', {
  title: 'List comments',
  description:
    'List the comments of a task and its recorded changes, the oldest first. Comments have the type comment, changes the type system.',
  scopes,
  path: { task },
  query: listOf(commentFields),
  pagination: listPages,
  keep: commentFields,
})

const addComment = tool('add_comment: POST /tasks/{task}/stories', {
  title: 'Comment on a task',
  description: 'Add a comment to a task. Its followers and those mentioned are notified.',
  scopes,
  path: { task },
  query: { opt_fields: asked(commentFields) },
  json: { data: { html_text: markdown('text', 'The comment.', true) } },
  at: '/data',
  keep: commentFields,
})

const updateComment = tool('update_comment: PUT /stories/{comment}', {
  title: 'Edit a comment',
  description: 'Replace the text of a comment of the connected person.',
  scopes,
  path: { comment },
  query: { opt_fields: asked(commentFields) },
  json: { data: { html_text: markdown('text', 'The whole new text.', true) } },
  at: '/data',
  keep: commentFields,
})

const deleteComment = tool('delete_comment: DELETE /stories/{comment}', {
  title: 'Delete a comment',
  description: 'Delete a comment of the connected person. It cannot be restored.',
  scopes,
  path: { comment },
  returns: done('The comment was deleted.'),
})

/** Asana's tools for comments, which are some of the stories of a task. */
export const commentTools = [listComments, addComment, updateComment, deleteComment]
