import { flag, integer, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { cursor } from '../../paging.ts'
import {
  body,
  bodyField,
  bodyFormat,
  commentFields,
  listPages,
  listQuery,
  nextVersion,
  numericId,
  page_id,
  V2,
} from '../arguments.ts'

const readScopes = ['read:comment:confluence']
const scopes = ['write:comment:confluence']
const bothScopes = [...scopes, ...readScopes]
const comment_id = numericId('The ID of the comment, from list_comments or list_replies.')
const inline_comment_id = numericId('The ID of the comment on a part of the text, from list_inline_comments.')
const ORDER = oneOf(['created-date', '-created-date'], '-created-date: newest first. Default: oldest first.')
const listed = { ...bodyFormat, sort: named('order', optional(ORDER)), ...listQuery }
const keep = `${commentFields} ${bodyField}`

const listComments = tool(`list_comments: GET ${V2}/pages/{page_id}/footer-comments`, {
  title: 'List comments',
  description:
    'List the comments below a page: ID, text (Markdown), author and time. Replies to one: list_replies. Comments on parts ' +
    'of the text: list_inline_comments. Names: list_people.',
  scopes: readScopes,
  path: { page_id, cursor },
  query: listed,
  pagination: listPages,
  keep,
})

const listReplies = tool(`list_replies: GET ${V2}/footer-comments/{comment_id}/children`, {
  title: 'List replies',
  description: 'List the replies to a comment below a page: ID, text (Markdown), author and time.',
  scopes: readScopes,
  path: { comment_id, cursor },
  query: listed,
  pagination: listPages,
  keep: `${keep} parentCommentId`,
})

const addComment = tool(`add_comment: POST ${V2}/footer-comments`, {
  title: 'Comment on a page',
  description: 'Comment below a page or blog post, or reply to a comment there. Give one of the three IDs.',
  scopes,
  json: {
    pageId: optional(page_id),
    blogPostId: optional(numericId('A blog post, from list_blog_posts.')),
    parentCommentId: named('reply_to', optional(numericId('The comment to reply to, from list_comments.'))),
    body: body('The comment.'),
  },
  needsOneOf: ['page_id', 'blog_post_id', 'reply_to'],
  keep: commentFields,
})

const updateComment = tool(`update_comment: PUT ${V2}/footer-comments/{comment_id}`, {
  title: 'Update a comment',
  description: 'Replace the text of a comment below a page.',
  scopes: bothScopes,
  path: { comment_id },
  steps: [{ step: `comment: GET ${V2}/footer-comments/{comment_id}`, keep: { version: '/version/number' } }],
  json: { version: nextVersion('{comment.version}'), body: body('The full new comment.') },
  keep: commentFields,
})

const deleteComment = tool(`delete_comment: DELETE ${V2}/footer-comments/{comment_id}`, {
  title: 'Delete a comment',
  description: 'Delete a comment below a page. It cannot be restored.',
  scopes: ['delete:comment:confluence'],
  path: { comment_id },
  returns: done('The comment {comment_id} was deleted.'),
})

const listInlineComments = tool(`list_inline_comments: GET ${V2}/pages/{page_id}/inline-comments`, {
  title: 'List comments on parts of the text',
  description:
    'List the comments on parts of the text of a page: ID, text (Markdown), the part, author, and whether it is resolved.',
  scopes: readScopes,
  path: { page_id, cursor },
  query: {
    'resolution-status': named(
      'resolution_status',
      optional(oneOf(['open', 'reopened', 'resolved', 'dangling'], 'dangling: the part of the text is gone.')),
    ),
    ...listed,
  },
  pagination: listPages,
  keep: `${keep} resolutionStatus properties { inlineOriginalSelection }`,
})

const listInlineReplies = tool(`list_inline_replies: GET ${V2}/inline-comments/{inline_comment_id}/children`, {
  title: 'List replies on a part of the text',
  description: 'List the replies to a comment of list_inline_comments: ID, text (Markdown), author and time.',
  scopes: readScopes,
  path: { inline_comment_id, cursor },
  query: listed,
  pagination: listPages,
  keep: `${keep} parentCommentId`,
})

const occurrence = integer('Which of them, from 0. Default: 0.', 0, 999)

const addInlineComment = tool(`add_inline_comment: POST ${V2}/inline-comments`, {
  title: 'Comment on a part of the text',
  description: 'Comment on some words of a page. Read the page with get_page, and give the words exactly.',
  scopes,
  json: {
    pageId: page_id,
    body: body('The comment.'),
    inlineCommentProperties: {
      textSelection: named('words', text('The words in the page, without Markdown, within one paragraph.', 1000)),
      textSelectionMatchCount: named(
        'matches',
        optional({ ...integer('How often the words occur in the page. Default: 1.', 1, 1000), default: 1 }),
      ),
      textSelectionMatchIndex: named('occurrence', optional({ ...occurrence, default: 0 })),
    },
  },
  keep: commentFields,
})

const replyInline = tool(`reply_to_inline_comment: POST ${V2}/inline-comments`, {
  title: 'Reply on a part of the text',
  description: 'Reply to a comment of list_inline_comments.',
  scopes,
  json: { parentCommentId: named('inline_comment_id', inline_comment_id), body: body('The reply.') },
  keep: commentFields,
})

const resolveInline = tool(`resolve_inline_comment: PUT ${V2}/inline-comments/{inline_comment_id}`, {
  title: 'Resolve a comment',
  description: 'Resolve or reopen a comment of list_inline_comments. Its text stays unchanged.',
  scopes: bothScopes,
  path: { inline_comment_id },
  steps: [
    {
      step: `comment: GET ${V2}/inline-comments/{inline_comment_id}`,
      query: { 'body-format': 'storage' },
      keep: { version: '/version/number', text: '/body/storage/value' },
    },
  ],
  json: {
    version: { number: nextVersion('{comment.version}').number },
    body: { representation: 'storage', value: '{comment.text}' },
    resolved: flag('true resolves it, false reopens it.'),
  },
  keep: `${commentFields} resolutionStatus`,
})

/** Confluence tools for comments. */
export const commentTools = [
  listComments,
  listReplies,
  addComment,
  updateComment,
  deleteComment,
  listInlineComments,
  listInlineReplies,
  addInlineComment,
  replyInline,
  resolveInline,
]
