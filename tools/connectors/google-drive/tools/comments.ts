import { flag, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { googlePages } from '../../google.ts'
import { pageSize, pageStart } from '../../paging.ts'
import { FILES, fieldMask, file_id, listMask, readScopes, writeScopes } from '../arguments.ts'

const COMMENTS = `${FILES}/{file_id}/comments`
const replyFields = 'id content action createdTime author { displayName }'
const keep = `id content resolved createdTime modifiedTime author { displayName me } quotedFileContent { value }
  replies { ${replyFields} }`
const comment_id = text('The ID of the comment, from list_comments.', 200, { pattern: '^[A-Za-z0-9_-]+$' })
const content = text('The text of the comment, without formatting.', 4000)

const listComments = tool(`list_comments: GET ${COMMENTS}`, {
  title: 'List comments',
  description:
    'List the comments on a file with their replies, the text they are about, and whether they are resolved.',
  scopes: readScopes,
  path: { file_id },
  query: {
    includeDeleted: optional(flag('Include deleted comments, which have no text.')),
    pageSize: pageSize(50, 100),
    pageToken: pageStart,
    fields: listMask('comments', keep),
  },
  pagination: googlePages('/comments'),
  keep,
})

const addComment = tool(`add_comment: POST ${COMMENTS}`, {
  title: 'Add a comment',
  description: 'Comment on a file as a whole. Returns the ID of the comment.',
  scopes: writeScopes,
  path: { file_id },
  query: { fields: fieldMask(keep) },
  json: { content },
  keep,
})

const replyToComment = tool(`reply_to_comment: POST ${COMMENTS}/{comment_id}/replies`, {
  title: 'Reply to a comment',
  description: 'Reply to a comment, resolve it or reopen it.',
  scopes: writeScopes,
  path: { file_id, comment_id },
  query: { fields: fieldMask(replyFields) },
  json: {
    content: optional(content),
    action: named('action', optional(oneOf(['resolve', 'reopen'], 'Resolve or reopen the comment.'))),
  },
  needsOneOf: ['content', 'action'],
  keep: replyFields,
})

const deleteComment = tool(`delete_comment: DELETE ${COMMENTS}/{comment_id}`, {
  title: 'Delete a comment',
  description: 'Delete one of your comments with its replies.',
  scopes: writeScopes,
  path: { file_id, comment_id },
  returns: done('The comment was deleted.'),
})

/** Google Drive's tools for comments. */
export const commentTools = [listComments, addComment, replyToComment, deleteComment]
