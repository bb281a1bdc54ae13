import { named, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites } from '../../annotations.ts'
import { photo_id, rest } from '../arguments.ts'

const comment_id = text('The ID of the comment, from get_comments or add_comment.', 100, { pattern: '^[\\w-]+$' })
const comment_text = named('text', text('The comment.', 20_000))

const getComments = tool('get_comments: GET /rest', {
  title: 'Get comments',
  description:
    'Read the comments on a photo, the oldest first: ID, text (_content), author and time. Without comments, nothing.',
  query: { ...rest('photos.comments.getList'), photo_id },
  at: '/comments',
  keep: 'photo_id comment { id author authorname realname datecreate|epoch-seconds-to-time permalink _content }',
})

const addComment = tool('add_comment: POST /rest', {
  title: 'Comment on a photo',
  description: 'Comment on a photo. Its owner is notified.',
  form: { ...rest('photos.comments.addComment'), photo_id, comment_text },
  at: '/comment',
  keep: 'id permalink',
})

const editComment = tool('edit_comment: POST /rest', {
  title: 'Edit a comment',
  description: 'Replace the text of one of your comments.',
  annotations: overwrites,
  form: { ...rest('photos.comments.editComment'), comment_id, comment_text },
  returns: done('The comment was changed.'),
})

const deleteComment = tool('delete_comment: POST /rest', {
  title: 'Delete a comment',
  description: 'Delete one of your comments, or a comment on one of your photos.',
  annotations: overwrites,
  form: { ...rest('photos.comments.deleteComment'), comment_id },
  returns: done('The comment was deleted.'),
})

/** Flickr's tools for comments on photos. */
export const commentTools = [getComments, addComment, editComment, deleteComment]
