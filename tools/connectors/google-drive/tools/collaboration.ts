import { flag, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { googlePages } from '../../google.ts'
import { pageSize, pageStart } from '../../shared-arguments.ts'
import { anyDrive, FILES, fieldMask, file_id, listMask, readScopes, writeScopes } from '../arguments.ts'

const PERMISSIONS = `${FILES}/{file_id}/permissions`
const permissionFields = 'id type role emailAddress displayName domain expirationTime deleted'
const permission_id = text('The ID of the permission, from list_permissions.', 200, { pattern: '^[A-Za-z0-9_-]+$' })
const permission = { ...anyDrive, fields: fieldMask(permissionFields) }
const role = oneOf(
  ['reader', 'commenter', 'writer'],
  'Whether they may only read, also comment, or also change the file.',
)

const COMMENTS = `${FILES}/{file_id}/comments`
const replyFields = 'id content action createdTime author { displayName }'
const commentFields = `id content resolved createdTime modifiedTime author { displayName me } quotedFileContent { value }
  replies { ${replyFields} }`
const comment_id = text('The ID of the comment, from list_comments.', 200, { pattern: '^[A-Za-z0-9_-]+$' })
const content = text('The text of the comment, without formatting.', 4000)

/** Google Drive's tools for sharing and comments. */
export const collaborationTools = [
  tool(`list_permissions: GET ${PERMISSIONS}`, {
    title: 'List who has access',
    description: 'List who a file or folder is shared with: permission IDs, people, groups and their roles.',
    scopes: readScopes,
    path: { file_id },
    query: {
      ...anyDrive,
      fields: listMask('permissions', permissionFields),
      pageSize: pageSize(50, 100),
      pageToken: pageStart,
    },
    pagination: googlePages('/permissions'),
    keep: permissionFields,
  }),

  tool(`share_file: POST ${PERMISSIONS}`, {
    title: 'Share a file',
    description: 'Share a file or folder with a person or a group. They receive an email unless notify is false.',
    scopes: writeScopes,
    path: { file_id },
    query: {
      sendNotificationEmail: named('notify', optional(flag('Whether they receive an email. Default: true.'))),
      emailMessage: named('message', optional(text('A message in this email.', 2000))),
      ...permission,
    },
    json: {
      type: { ...optional(oneOf(['user', 'group'], 'Default: user.')), default: 'user' },
      role,
      emailAddress: named(
        'email',
        text('The email address of the person or group.', 320, { pattern: '^[^@\\s]+@[^@\\s]+$' }),
      ),
    },
    keep: permissionFields,
  }),

  tool(`share_by_link: POST ${PERMISSIONS}`, {
    title: 'Share a file by its link',
    description:
      'Let everyone with the link open a file or folder without signing in. The link is webViewLink of get_file.',
    scopes: writeScopes,
    path: { file_id },
    query: permission,
    json: { type: 'anyone', role },
    keep: permissionFields,
  }),

  tool(`update_permission: PATCH ${PERMISSIONS}/{permission_id}`, {
    title: 'Change what someone may do',
    description: 'Change the role of a person, a group or everyone with the link.',
    scopes: writeScopes,
    path: { file_id, permission_id },
    query: permission,
    json: { role },
    keep: permissionFields,
  }),

  tool(`remove_permission: DELETE ${PERMISSIONS}/{permission_id}`, {
    title: 'Stop sharing a file',
    description: 'Remove the access of a person, a group or everyone with the link to a file or folder.',
    scopes: writeScopes,
    path: { file_id, permission_id },
    query: anyDrive,
    returns: done('The permission was removed.'),
  }),

  tool(`list_comments: GET ${COMMENTS}`, {
    title: 'List comments',
    description:
      'List the comments on a file with their replies, the text they are about, and whether they are resolved.',
    scopes: readScopes,
    path: { file_id },
    query: {
      includeDeleted: optional(flag('Include deleted comments, which have no text.')),
      pageSize: pageSize(50, 100),
      pageToken: pageStart,
      fields: listMask('comments', commentFields),
    },
    pagination: googlePages('/comments'),
    keep: commentFields,
  }),

  tool(`add_comment: POST ${COMMENTS}`, {
    title: 'Add a comment',
    description: 'Comment on a file as a whole. Returns the ID of the comment.',
    scopes: writeScopes,
    path: { file_id },
    query: { fields: fieldMask(commentFields) },
    json: { content },
    keep: commentFields,
  }),

  tool(`reply_to_comment: POST ${COMMENTS}/{comment_id}/replies`, {
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
  }),

  tool(`delete_comment: DELETE ${COMMENTS}/{comment_id}`, {
    title: 'Delete a comment',
    description: 'Delete one of your comments with its replies.',
    scopes: writeScopes,
    path: { file_id, comment_id },
    returns: done('The comment was deleted.'),
  }),
]
