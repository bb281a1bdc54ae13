import { named, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { id, listPages, listQuery, page_id } from '../arguments.ts'

const keep = 'id discussion_id created_time created_by { id } rich_text { plain_text }'

const listComments = tool('list_comments: GET /comments', {
  title: 'List comments',
  description: 'List the open comments of a page. Returns text, author ID and discussion ID. Names: list_users.',
  query: { block_id: named('page_id', page_id), ...listQuery },
  pagination: listPages,
  keep,
})

const createComment = tool('create_comment: POST /comments', {
  title: 'Comment on a page',
  description: 'Add a comment to a page, or answer a discussion. Give either page_id or discussion_id.',
  json: {
    parent: { page_id: optional(page_id) },
    discussion_id: optional(id('The discussion to answer, from list_comments.')),
    markdown: text('The comment: Markdown with bold, italic, code and links.', 20_000),
  },
  needsOneOf: ['page_id', 'discussion_id'],
  keep,
})

const listUsers = tool('list_users: GET /users', {
  title: 'List users',
  description:
    'List the members of the workspace. Returns IDs, which people properties take, names and email addresses.',
  query: listQuery,
  pagination: listPages,
  keep: 'id name type person { email }',
})

/** Notion's tools for comments and users. */
export const commentTools = [listComments, createComment, listUsers]
