import {
  converted,
  either,
  flag,
  list,
  named,
  oneOf,
  optional,
  text,
} from '../../../../services/definitions/arguments.ts'
import { overwrites, tool } from '../../../../services/definitions/tool.ts'
import { graphList, graphPages } from '../../microsoft.ts'
import { cursor, instant } from '../../shared-arguments.ts'
import { folder, id, message_id, readScopes, writeScopes } from '../arguments.ts'

const person = 'emailAddress { name address }'
const messageFields = `id conversationId subject bodyPreview from { ${person} } toRecipients { ${person} } receivedDateTime isRead isDraft
  hasAttachments importance flag { flagStatus } categories parentFolderId`
const SUMMARY =
  'id,conversationId,subject,bodyPreview,from,toRecipients,receivedDateTime,isRead,isDraft,hasAttachments,importance,flag,categories,parentFolderId'
const ANY_TIME = '1970-01-01T00:00:00Z'
const words = text(
  'Words in sender, subject and text, and properties as in Outlook: from:ada@example.com to:linus subject:offsite ' +
    'body:venue attachment:report hasAttachments:true received>=2026-03-31 "exact words" AND OR NOT.',
  1000,
)
/** Outlook wants what it sorts by first. */
const filter = converted('odata', {
  'receivedDateTime ge ?': either(
    named('received_after', optional(instant('Only emails from this time on.'))),
    ANY_TIME,
  ),
  'receivedDateTime lt ?': named('received_before', optional(instant('Only emails before this time.'))),
  'isRead eq ?': named('is_read', optional(flag('true: only read emails. false: only unread ones.'))),
  "from/emailAddress/address eq '?'": named('from', optional(text('The email address of the sender.', 320))),
  'hasAttachments eq ?': named(
    'has_attachments',
    optional(flag('true: only emails with attachments. false: only those without.')),
  ),
})

const folderFields = 'id displayName parentFolderId childFolderCount unreadItemCount totalItemCount'
const moved = 'id subject parentFolderId'

/** Outlook's tools for reading emails. */
export const messageTools = [
  tool('search_messages: GET /me/messages', {
    title: 'Search messages',
    description:
      'Search the emails of all folders by words, the newest first: at most 1000. Returns IDs, senders, recipients, ' +
      'times and the beginning; read one with get_message.',
    scopes: readScopes,
    path: { cursor },
    query: {
      $search: converted('odata', { '"?"': named('query', words) }),
      $select: SUMMARY,
      ...graphList(25, 250),
    },
    pagination: graphPages,
    keep: messageFields,
  }),

  tool('list_messages: GET /me/mailFolders/{folder_id}/messages', {
    title: 'List messages',
    description:
      'List the emails or drafts of a folder, newest first. Returns IDs, senders, recipients, times and the ' +
      'beginning; read one with get_message. To find words, use search_messages.',
    scopes: readScopes,
    path: { folder_id: { ...optional(folder('The folder. Default: inbox.')), default: 'inbox' }, cursor },
    query: {
      $filter: filter,
      $orderby: 'receivedDateTime desc',
      $select: SUMMARY,
      ...graphList(25, 250),
    },
    pagination: graphPages,
    keep: messageFields,
  }),

  tool('get_conversation: GET /me/messages', {
    title: 'Read a conversation',
    description:
      'Read all emails of a conversation, including sent ones. They are not sorted: use receivedDateTime. Returns ' +
      'senders, recipients and texts as Markdown.',
    scopes: readScopes,
    path: { cursor },
    query: {
      // Outlook cannot sort them.
      $filter: converted('odata', {
        "conversationId eq '?'": named(
          'conversation_id',
          id('conversationId of a message, from search_messages or list_messages.'),
        ),
      }),
      $select: 'id,subject,from,toRecipients,ccRecipients,receivedDateTime,isRead,isDraft,hasAttachments,body',
      ...graphList(10, 25),
    },
    pagination: graphPages,
    keep: `id subject from { ${person} } toRecipients { ${person} } ccRecipients { ${person} } receivedDateTime isRead isDraft
    hasAttachments body|body-to-markdown`,
  }),

  tool('get_message: GET /me/messages/{message_id}', {
    title: 'Read a message',
    description:
      'Read one email or draft: sender, recipients, time, and the text as Markdown with what it quotes. Its ' +
      'attachments are in list_attachments.',
    scopes: readScopes,
    path: { message_id },
    keep: `${messageFields} ccRecipients { ${person} } bccRecipients { ${person} } replyTo { ${person} } sentDateTime body|body-to-markdown
    webLink`,
  }),

  tool('search_people: GET /me/people', {
    title: 'Search people',
    description:
      'Find the email addresses of people by name, for send_email and create_event: frequent contacts of the user ' +
      'come first.',
    scopes: ['People.Read'],
    path: { cursor },
    query: {
      $search: converted('odata', { '"?"': named('query', text('A name or the beginning of an email address.', 200)) }),
      ...graphList(10, 50),
    },
    pagination: graphPages,
    keep: 'displayName scoredEmailAddresses { address } jobTitle department companyName',
  }),
]

/** Outlook's tools for folders, and for keeping emails in order. */
export const folderTools = [
  tool('list_folders: GET /me/mailFolders', {
    title: 'List folders',
    description: 'List the top folders of the mailbox with their IDs, and how many emails are unread.',
    scopes: readScopes,
    path: { cursor },
    query: graphList(100, 250),
    pagination: graphPages,
    keep: folderFields,
  }),

  tool('list_subfolders: GET /me/mailFolders/{folder_id}/childFolders', {
    title: 'List subfolders',
    description: 'List the folders in a folder, which list_folders does not contain.',
    scopes: readScopes,
    path: { folder_id: folder('The folder.'), cursor },
    query: graphList(100, 250),
    pagination: graphPages,
    keep: folderFields,
  }),

  tool('create_folder: POST /me/mailFolders', {
    title: 'Create a folder',
    description: 'Create a top folder. Returns its ID for move_message.',
    scopes: writeScopes,
    json: { displayName: named('name', text('The name.', 255)) },
    keep: folderFields,
  }),

  tool('move_message: POST /me/messages/{message_id}/move', {
    title: 'Move a message',
    description: 'Move an email to a folder. archive takes it out of the inbox. Its ID stays the same.',
    annotations: overwrites,
    scopes: writeScopes,
    path: { message_id },
    json: { destinationId: named('folder_id', folder('The new folder.')) },
    keep: moved,
  }),

  tool('delete_message: POST /me/messages/{message_id}/move', {
    title: 'Delete a message',
    description: 'Move an email or draft to Deleted Items. move_message brings it back.',
    annotations: overwrites,
    scopes: writeScopes,
    path: { message_id },
    json: { destinationId: 'deleteditems' },
    keep: moved,
  }),

  tool('mark_message: PATCH /me/messages/{message_id}', {
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
  }),
]
