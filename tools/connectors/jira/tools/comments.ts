import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../../../schemas/string-enum.ts'
import { httpTool, pick } from '../../../../services/definitions/http-tool.ts'
import { adds, overwrites, reads } from '../../annotations.ts'
import { cursor, limit } from '../../paging.ts'
import { documentOf, issue, numericId, text } from '../arguments.ts'

const listComments = httpTool({
  operation: 'list_comments',
  title: 'List comments',
  description: 'List the comments of an issue: ID, author, text (HTML, in renderedBody) and dates.',
  annotations: reads,
  scopes: ['read:jira-work'],
  input: {
    issue,
    order: Type.Optional(
      StringEnum(['created', '-created'], {
        description: 'created (oldest first) or -created (newest first). Default: created.',
      }),
    ),
    limit: limit({ max: 100, default: 25 }),
    cursor,
  },
  request: {
    method: 'GET',
    path: '/rest/api/3/issue/{issue}/comment',
    query: { startAt: '{cursor}', maxResults: '{limit}', orderBy: '{order}', expand: 'renderedBody' },
  },
  pagination: { style: 'offset', items: '/comments', total: '/total' },
  result: pick('/comments', ['id', 'author.displayName', 'author.accountId', 'renderedBody', 'created', 'updated']),
})

const addComment = httpTool({
  operation: 'add_comment',
  title: 'Comment',
  description: 'Comment on an issue. Everyone who watches it is notified. Returns the ID of the comment.',
  annotations: adds,
  scopes: ['write:jira-work'],
  input: { issue, body: text('The comment.') },
  request: {
    method: 'POST',
    path: '/rest/api/3/issue/{issue}/comment',
    body: { json: { body: documentOf('body') } },
  },
  result: pick('', ['id', 'author.displayName', 'created']),
})

const updateComment = httpTool({
  operation: 'update_comment',
  title: 'Update a comment',
  description: 'Replace the text of a comment.',
  annotations: overwrites,
  scopes: ['write:jira-work'],
  input: {
    issue,
    comment_id: numericId('The ID of the comment, from list_comments.'),
    body: text('The full new comment.'),
  },
  request: {
    method: 'PUT',
    path: '/rest/api/3/issue/{issue}/comment/{comment_id}',
    body: { json: { body: documentOf('body') } },
  },
  result: pick('', ['id', 'updated']),
})

/** Jira tools for comments. */
export const commentTools = [listComments, addComment, updateComment]
