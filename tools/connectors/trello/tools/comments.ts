import { text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { pageSize, pageStart } from '../../paging.ts'
import { card, fullId } from '../arguments.ts'

const markdown = text('Markdown.', 16_384)

const listComments = tool('list_comments: GET /cards/{card}/actions', {
  title: 'List comments',
  description: 'List the comments on a card, newest first: ID, text, author and date.',
  path: { card },
  query: { filter: 'commentCard', fields: 'data,date', limit: pageSize(20, 50), page: pageStart },
  pagination: { style: 'page', items: '', first: 0 },
  keep: 'id date data { text } memberCreator { fullName username }',
})

const addComment = tool('add_comment: POST /cards/{card}/actions/comments', {
  title: 'Add comment',
  description: 'Comment on a card. Everyone who follows it is notified.',
  path: { card },
  json: { text: markdown },
  keep: 'id date data { text } memberCreator { username }',
})

const editComment = tool('edit_comment: PUT /cards/{card}/actions/{comment}/comments', {
  title: 'Edit comment',
  description: 'Replace the text of a comment of the connected member.',
  path: { card, comment: fullId('The ID of the comment, from list_comments or add_comment.') },
  json: { text: markdown },
  keep: 'id date data { text } memberCreator { username }',
})

/** The comments on Trello's cards. */
export const commentTools = [listComments, addComment, editComment]
