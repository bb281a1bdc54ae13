import { converted, integer, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { filePart } from '../../../../services/definitions/file-argument.ts'
import { done, file } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { instant, pageSize, pageStart, replace_all } from '../../shared-arguments.ts'
import { issue, markdown, numericId, readScopes, writeScopes } from '../arguments.ts'

const comment_id = numericId('The ID of the comment, from list_comments.')
const sent = (description: string) => converted('markdown-to-adf', markdown(description))

const attachment_id = numericId('The ID of the attachment, from get_issue.')
const fileName = text('The name of the file: report.csv.', 200, { pattern: '^[^\\\\/\\r\\n]+$' })

/** Jira tools for what people add to an issue: comments, work logs and attachments. */
export const activityTools = [
  tool('list_comments: GET /rest/api/3/issue/{issue}/comment', {
    title: 'List comments',
    description: 'List the comments of an issue: ID, author, text (Markdown) and dates.',
    scopes: readScopes,
    path: { issue },
    query: {
      orderBy: named(
        'order',
        optional(
          oneOf(['created', '-created'], 'created (oldest first) or -created (newest first). Default: created.'),
        ),
      ),
      startAt: pageStart,
      maxResults: pageSize(25, 100),
    },
    pagination: { style: 'offset', items: '/comments', total: '/total' },
    keep: 'id author { displayName accountId } body|adf-to-markdown created updated',
  }),

  tool('add_comment: POST /rest/api/3/issue/{issue}/comment', {
    title: 'Comment',
    description: 'Comment on an issue. Everyone who watches it is notified. Returns the ID of the comment.',
    scopes: writeScopes,
    path: { issue },
    json: { body: sent('The comment.') },
    keep: 'id author { displayName } created',
  }),

  tool('update_comment: PUT /rest/api/3/issue/{issue}/comment/{comment_id}', {
    title: 'Update a comment',
    description: 'Replace the text of a comment.',
    scopes: [...writeScopes, ...readScopes],
    path: { issue, comment_id, replace_all },
    steps: [
      {
        step: 'now: GET /rest/api/3/issue/{issue}/comment/{comment_id}',
        guard: { form: 'adf', at: '/body', unless: 'replace_all', instead: 'add another comment with add_comment' },
      },
    ],
    json: { body: sent('The full new comment.') },
    keep: 'id updated',
  }),

  tool('delete_comment: DELETE /rest/api/3/issue/{issue}/comment/{comment_id}', {
    title: 'Delete a comment',
    description: 'Delete a comment. It cannot be restored.',
    scopes: writeScopes,
    path: { issue, comment_id },
    returns: done('The comment {comment_id} was deleted.'),
  }),

  tool('list_worklogs: GET /rest/api/3/issue/{issue}/worklog', {
    title: 'List work logs',
    description: 'List the time that people logged on an issue: ID, author, start, time spent and comment (Markdown).',
    scopes: readScopes,
    path: { issue },
    query: { startAt: pageStart, maxResults: pageSize(50, 1000) },
    pagination: { style: 'offset', items: '/worklogs', total: '/total' },
    keep: 'id author { displayName accountId } started timeSpent timeSpentSeconds comment|adf-to-markdown',
  }),

  tool('add_worklog: POST /rest/api/3/issue/{issue}/worklog', {
    title: 'Log work',
    description: 'Log time that you spent on an issue. It reduces the remaining estimate.',
    scopes: writeScopes,
    path: { issue },
    json: {
      timeSpentSeconds: integer('The time spent, in seconds: 3600 for an hour.', 60, 31_536_000),
      started: converted('time-with-plain-offset', optional(instant('The start of the work. Default: now.'))),
      comment: converted('markdown-to-adf', optional(markdown('What was done.'))),
    },
    keep: 'id started timeSpent',
  }),

  tool('download_attachment: GET /rest/api/3/attachment/content/{attachment_id}', {
    title: 'Download an attachment',
    description: 'Download an attachment of an issue. Returns a temporary link.',
    scopes: readScopes,
    path: { attachment_id, file_name: optional(fileName) },
    returns: file('{file_name}'),
  }),

  tool('add_attachment: POST /rest/api/3/issue/{issue}/attachments', {
    title: 'Attach a file',
    description: 'Attach a new file to an issue, from an artifact or from text. Returns its ID, name and size.',
    scopes: writeScopes,
    path: { issue },
    // Jira rejects an upload without this header.
    headers: { 'x-atlassian-token': 'no-check' },
    multipart: { file: filePart() },
    keep: 'id filename size mimeType created',
  }),

  tool('delete_attachment: DELETE /rest/api/3/attachment/{attachment_id}', {
    title: 'Delete an attachment',
    description: 'Delete an attachment from its issue. It cannot be restored.',
    scopes: writeScopes,
    path: { attachment_id },
    returns: done('The attachment {attachment_id} was deleted.'),
  }),
]
