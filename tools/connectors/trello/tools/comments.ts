import { Type } from '@sinclair/typebox'
import { httpTool, pick } from '../../../../services/definitions/http-tool.ts'
import { adds, reads } from '../../annotations.ts'
import { cursor, limit } from '../../paging.ts'
import { card } from '../arguments.ts'

const listComments = httpTool({
  operation: 'list_comments',
  title: 'List comments',
  description: 'List the comments on a card, newest first: text, author and date.',
  annotations: reads,
  input: { card, limit: limit({ max: 50, default: 20 }), cursor },
  request: {
    method: 'GET',
    path: '/cards/{card}/actions',
    query: { filter: 'commentCard', fields: 'data,date', limit: '{limit}', page: '{cursor}' },
  },
  pagination: { style: 'page', items: '', first: 0 },
  result: pick('', ['id', 'date', 'data.text', 'memberCreator.fullName', 'memberCreator.username']),
})

const addComment = httpTool({
  operation: 'add_comment',
  title: 'Add comment',
  description: 'Comment on a card. Everyone who follows it is notified.',
  annotations: adds,
  input: { card, text: Type.String({ minLength: 1, maxLength: 16_384, description: 'Markdown.' }) },
  request: { method: 'POST', path: '/cards/{card}/actions/comments', body: { json: { text: '{text}' } } },
  result: pick('', ['id', 'date', 'data.text', 'memberCreator.username']),
})

/** The comments on Trello's cards. */
export const commentTools = [listComments, addComment]
