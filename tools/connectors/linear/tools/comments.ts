import { named, optional } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites, reads } from '../../annotations.ts'
import { id, issue, listPages, markdown, page, pageInfo } from '../arguments.ts'

const comment = named('comment_id', id('The comment, from list_comments.'))

const listComments = tool('list_comments: POST /graphql', {
  title: 'List comments',
  description: 'List the comments of an issue: ID, text, author, time, and the comment that each replies to.',
  annotations: reads,
  scopes: ['read'],
  graphql: `query ListComments($id: String!, $first: Int, $after: String) {
  issue(id: $id) {
    comments(first: $first, after: $after) {
      nodes { id body url createdAt editedAt resolvedAt user { displayName } parent { id } } ${pageInfo}
    }
  }
}`,
  variables: { id: named('issue', issue('The issue.')), ...page },
  pagination: listPages('issue/comments'),
})

const addComment = tool('add_comment: POST /graphql', {
  title: 'Comment',
  description: 'Comment on an issue, or reply to one of its comments. Everyone who follows the issue is notified.',
  scopes: ['comments:create'],
  graphql: `mutation AddComment($input: CommentCreateInput!) {
  commentCreate(input: $input) { success comment { id url createdAt } }
}`,
  variables: {
    input: {
      issueId: named('issue', issue('The issue.')),
      body: markdown('The comment.'),
      parentId: optional(id('The comment this replies to, from list_comments.')),
    },
  },
  at: '/data/commentCreate',
})

const updateComment = tool('update_comment: POST /graphql', {
  title: 'Update a comment',
  description: 'Replace the text of a comment of yours.',
  annotations: overwrites,
  scopes: ['write'],
  graphql: `mutation UpdateComment($id: String!, $input: CommentUpdateInput!) {
  commentUpdate(id: $id, input: $input) { success comment { id url editedAt } }
}`,
  variables: { id: comment, input: { body: markdown('The full new comment.') } },
  at: '/data/commentUpdate',
})

const deleteComment = tool('delete_comment: POST /graphql', {
  title: 'Delete a comment',
  description: 'Delete a comment. It cannot be restored.',
  annotations: overwrites,
  scopes: ['write'],
  graphql: 'mutation DeleteComment($id: String!) { commentDelete(id: $id) { success } }',
  variables: { id: comment },
  at: '/data/commentDelete',
})

/** Linear tools for comments. */
export const commentTools = [listComments, addComment, updateComment, deleteComment]
