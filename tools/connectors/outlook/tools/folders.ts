import { flag, list, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites } from '../../annotations.ts'
import { graphList, graphPages } from '../../microsoft.ts'
import { cursor } from '../../paging.ts'
import { folder, message_id, readScopes, writeScopes } from '../arguments.ts'

const keep = 'id displayName parentFolderId childFolderCount unreadItemCount totalItemCount'
const moved = 'id subject parentFolderId'

const listFolders = tool('list_folders: GET /me/mailFolders', {
  title: 'List folders',
  description: 'List the top folders of the mailbox with their IDs, and how many emails are unread.',
  scopes: readScopes,
  path: { cursor },
  query: graphList(100, 250),
  pagination: graphPages,
  keep,
})

const listSubfolders = tool('list_subfolders: GET /me/mailFolders/{folder_id}/childFolders', {
  title: 'List subfolders',
  description: 'List the folders in a folder, which list_folders does not contain.',
  scopes: readScopes,
  path: { folder_id: folder('The folder.'), cursor },
  query: graphList(100, 250),
  pagination: graphPages,
  keep,
})

const createFolder = tool('create_folder: POST /me/mailFolders', {
  title: 'Create a folder',
  description: 'Create a top folder. Returns its ID for move_message.',
  scopes: writeScopes,
  json: { displayName: named('name', text('The name.', 255)) },
  keep,
})

const moveMessage = tool('move_message: POST /me/messages/{message_id}/move', {
  title: 'Move a message',
  description: 'Move an email to a folder. archive takes it out of the inbox. Its ID stays the same.',
  annotations: overwrites,
  scopes: writeScopes,
  path: { message_id },
  json: { destinationId: named('folder_id', folder('The new folder.')) },
  keep: moved,
})

const deleteMessage = tool('delete_message: POST /me/messages/{message_id}/move', {
  title: 'Delete a message',
  description: 'Move an email or draft to Deleted Items. move_message brings it back.',
  annotations: overwrites,
  scopes: writeScopes,
  path: { message_id },
  json: { destinationId: 'deleteditems' },
  keep: moved,
})

const markMessage = tool('mark_message: PATCH /me/messages/{message_id}', {
  title: 'Mark a message',
  description: 'Mark an email as read or unread, flag it for follow-up, or set its categories.',
  scopes: writeScopes,
  path: { message_id },
  json: {
    isRead: optional(flag('Whether it is read.')),
    flag: {
      flagStatus: named('flag', optional(oneOf(['notFlagged', 'flagged', 'complete'], 'The flag for follow-up.'))),
    },
    categories: optional(
      list(text('', 255), 'The names of all its categories. An empty list removes them.', 25, { min: 0 }),
    ),
  },
  keep: 'id subject isRead flag { flagStatus } categories',
})

/** Outlook's tools for folders, and for keeping emails in order. */
export const folderTools = [listFolders, listSubfolders, createFolder, moveMessage, deleteMessage, markMessage]
