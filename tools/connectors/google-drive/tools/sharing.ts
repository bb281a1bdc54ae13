import { flag, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { googlePages } from '../../google.ts'
import { pageSize, pageStart } from '../../paging.ts'
import { anyDrive, FILES, fieldMask, file_id, listMask, readScopes, writeScopes } from '../arguments.ts'

const PERMISSIONS = `${FILES}/{file_id}/permissions`
const keep = 'id type role emailAddress displayName domain expirationTime deleted'
const permission_id = text('The ID of the permission, from list_permissions.', 200, { pattern: '^[A-Za-z0-9_-]+$' })
const permission = { ...anyDrive, fields: fieldMask(keep) }
const role = oneOf(['reader', 'commenter', 'writer'], 'Whether they may read, also comment, or also change the file.')

const listPermissions = tool(`list_permissions: GET ${PERMISSIONS}`, {
  title: 'List who has access',
  description: 'List with whom a file or folder is shared: permission IDs, people, groups and their roles.',
  scopes: readScopes,
  path: { file_id },
  query: { ...anyDrive, fields: listMask('permissions', keep), pageSize: pageSize(50, 100), pageToken: pageStart },
  pagination: googlePages('/permissions'),
  keep,
})

const shareFile = tool(`share_file: POST ${PERMISSIONS}`, {
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
  keep,
})

const shareByLink = tool(`share_by_link: POST ${PERMISSIONS}`, {
  title: 'Share a file by its link',
  description:
    'Let everyone who has the link open a file or folder, without signing in. The link is webViewLink of get_file.',
  scopes: writeScopes,
  path: { file_id },
  query: permission,
  json: { type: 'anyone', role },
  keep,
})

const updatePermission = tool(`update_permission: PATCH ${PERMISSIONS}/{permission_id}`, {
  title: 'Change what someone may do',
  description: 'Change the role of a person, a group or everyone with the link.',
  scopes: writeScopes,
  path: { file_id, permission_id },
  query: permission,
  json: { role },
  keep,
})

const removePermission = tool(`remove_permission: DELETE ${PERMISSIONS}/{permission_id}`, {
  title: 'Stop sharing a file',
  description: 'Take the access to a file or folder from a person, a group or everyone with the link.',
  scopes: writeScopes,
  path: { file_id, permission_id },
  query: anyDrive,
  returns: done('The permission was removed.'),
})

/** Google Drive's tools for sharing. */
export const sharingTools = [listPermissions, shareFile, shareByLink, updatePermission, removePermission]
