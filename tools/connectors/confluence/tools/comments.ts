import { each, flag, integer, list, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { FileNameArgument, filePart } from '../../../../services/definitions/file-argument.ts'
import { done, file } from '../../../../services/definitions/http-tool.ts'
import { sets, tool } from '../../../../services/definitions/tool.ts'
import { cursor, replace_all } from '../../shared-arguments.ts'
import {
  body,
  bodyField,
  bodyFormat,
  listPages,
  listQuery,
  nextVersion,
  numericId,
  page_id,
  V1,
  V2,
} from '../arguments.ts'

const commentFields = 'id status version { number createdAt authorId }'
const readScopes = ['read:comment:confluence']
const writeScopes = ['write:comment:confluence']
const bothScopes = [...writeScopes, ...readScopes]
const comment_id = numericId('The ID of the comment, from list_comments or list_replies.')
const inline_comment_id = numericId('The ID of the comment on a part of the text, from list_inline_comments.')
const ORDER = oneOf(['created-date', '-created-date'], '-created-date: newest first. Default: oldest first.')
const listed = { ...bodyFormat, sort: named('order', optional(ORDER)), ...listQuery }
const wholeComment = `${commentFields} ${bodyField}`

const occurrence = integer('Which occurrence, from 0. Default: 0.', 0, 999)

const attachment_id = text('The ID of the attachment, such as att123456, from list_attachments.', 24, {
  pattern: '^(att)?[0-9]{1,18}$',
})
const label = text('', 255, { pattern: '^[^\\s:,]+$' })

/** Confluence tools for what people add to pages: comments, attachments and labels. */
export const commentTools = [
  tool(`list_comments: GET ${V2}/pages/{page_id}/footer-comments`, {
    title: 'List comments',
    description:
      'List the comments below a page: ID, text (Markdown), author and time. Replies to one: list_replies. Comments ' +
      'on parts of the text: list_inline_comments. Names: list_people.',
    scopes: readScopes,
    path: { page_id, cursor },
    query: listed,
    pagination: listPages,
    keep: wholeComment,
  }),

  tool(`list_replies: GET ${V2}/footer-comments/{comment_id}/children`, {
    title: 'List replies',
    description: 'List the replies to a comment below a page: ID, text (Markdown), author and time.',
    scopes: readScopes,
    path: { comment_id, cursor },
    query: listed,
    pagination: listPages,
    keep: `${wholeComment} parentCommentId`,
  }),

  tool(`add_comment: POST ${V2}/footer-comments`, {
    title: 'Comment on a page',
    description: 'Comment below a page or blog post, or reply to a comment there. Give one of the three IDs.',
    scopes: writeScopes,
    json: {
      pageId: optional(page_id),
      blogPostId: optional(numericId('A blog post, from list_blog_posts.')),
      parentCommentId: named('reply_to', optional(numericId('The comment to reply to, from list_comments.'))),
      body: body('The comment.'),
    },
    needsOneOf: ['page_id', 'blog_post_id', 'reply_to'],
    keep: commentFields,
  }),

  tool(`update_comment: PUT ${V2}/footer-comments/{comment_id}`, {
    title: 'Update a comment',
    description: 'Replace the text of a comment below a page.',
    scopes: bothScopes,
    path: { comment_id, replace_all },
    steps: [
      {
        step: `comment: GET ${V2}/footer-comments/{comment_id}`,
        query: bodyFormat,
        keep: { version: '/version/number' },
        guard: { form: 'adf', at: '/body', unless: 'replace_all', instead: 'reply with add_comment and reply_to' },
      },
    ],
    json: { version: nextVersion('{comment.version}'), body: body('The full new comment.') },
    keep: commentFields,
  }),

  tool(`delete_comment: DELETE ${V2}/footer-comments/{comment_id}`, {
    title: 'Delete a comment',
    description: 'Delete a comment below a page. It cannot be restored.',
    scopes: ['delete:comment:confluence'],
    path: { comment_id },
    returns: done('The comment {comment_id} was deleted.'),
  }),

  tool(`list_inline_comments: GET ${V2}/pages/{page_id}/inline-comments`, {
    title: 'List comments on parts of the text',
    description:
      'List the comments on parts of the text of a page: ID, text (Markdown), the part, author, and whether it is resolved.',
    scopes: readScopes,
    path: { page_id, cursor },
    query: {
      'resolution-status': named(
        'resolution_status',
        optional(oneOf(['open', 'reopened', 'resolved', 'dangling'], 'dangling: the commented text is gone.')),
      ),
      ...listed,
    },
    pagination: listPages,
    keep: `${wholeComment} resolutionStatus properties { inlineOriginalSelection }`,
  }),

  tool(`list_inline_replies: GET ${V2}/inline-comments/{inline_comment_id}/children`, {
    title: 'List replies on a part of the text',
    description: 'List the replies to a comment of list_inline_comments: ID, text (Markdown), author and time.',
    scopes: readScopes,
    path: { inline_comment_id, cursor },
    query: listed,
    pagination: listPages,
    keep: `${wholeComment} parentCommentId`,
  }),

  tool(`add_inline_comment: POST ${V2}/inline-comments`, {
    title: 'Comment on a part of the text',
    description: 'Comment on some words of a page. Read the page with get_page, and give the words exactly.',
    scopes: writeScopes,
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
  }),

  tool(`reply_to_inline_comment: POST ${V2}/inline-comments`, {
    title: 'Reply on a part of the text',
    description: 'Reply to a comment of list_inline_comments.',
    scopes: writeScopes,
    json: { parentCommentId: named('inline_comment_id', inline_comment_id), body: body('The reply.') },
    keep: commentFields,
  }),

  tool(`resolve_inline_comment: PUT ${V2}/inline-comments/{inline_comment_id}`, {
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
  }),

  tool(`list_attachments: GET ${V2}/pages/{page_id}/attachments`, {
    title: 'List attachments',
    description: 'List the files of a page: ID, name, type and size. Download one with download_attachment.',
    scopes: ['read:attachment:confluence'],
    path: { page_id, cursor },
    query: { filename: named('file_name', optional(text('Only the file with this name.', 255))), ...listQuery },
    pagination: listPages,
    keep: 'id title status mediaType fileSize comment createdAt version { number createdAt authorId }',
  }),

  tool(`download_attachment: GET ${V1}/content/{page_id}/child/attachment/{attachment_id}/download`, {
    title: 'Download an attachment',
    description: 'Download a file of a page. Returns a temporary link.',
    scopes: ['read:attachment:confluence'],
    path: { page_id, attachment_id, file_name: FileNameArgument },
    returns: file('{file_name}'),
  }),

  tool(`add_attachment: POST ${V1}/content/{page_id}/child/attachment`, {
    title: 'Attach a file',
    description: 'Attach a new file to a page, from an artifact or from text. Returns its ID, name and size.',
    scopes: ['write:attachment:confluence', 'read:content-details:confluence'],
    path: { page_id },
    // Confluence rejects an upload without this header.
    headers: { 'x-atlassian-token': 'nocheck' },
    multipart: {
      file: filePart(),
      comment: optional(text('A comment on the file.', 255)),
    },
    at: '/results',
    keep: 'id title extensions { mediaType fileSize comment }',
  }),

  tool(`list_labels: GET ${V2}/pages/{page_id}/labels`, {
    title: 'List labels',
    description: 'List the labels of a page. Find pages with a label with search_cql: label = "runbook".',
    scopes: ['read:page:confluence'],
    path: { page_id, cursor },
    query: listQuery,
    pagination: listPages,
    keep: 'id name prefix',
  }),

  tool(`add_labels: POST ${V1}/content/{page_id}/label`, {
    title: 'Label a page',
    description: 'Add labels to a page or blog post. Its other labels stay. Returns all labels.',
    annotations: sets,
    scopes: ['write:label:confluence', 'read:label:confluence'],
    path: { page_id },
    json: each(named('labels', list(label, 'Labels, without spaces: runbook.', 20)), {
      prefix: 'global',
      name: '{item}',
    }),
    at: '/results',
    keep: 'id name prefix',
  }),

  tool(`remove_label: DELETE ${V1}/content/{page_id}/label`, {
    title: 'Remove a label',
    description: 'Remove a label from a page.',
    scopes: ['write:label:confluence'],
    path: { page_id },
    query: { name: named('label', { ...label, description: 'The name of the label, from list_labels.' }) },
    returns: done('The label {label} was removed.'),
  }),
]
