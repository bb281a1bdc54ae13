import { converted, either, flag, named, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { graphList, graphPages } from '../../microsoft.ts'
import { cursor } from '../../paging.ts'
import { instant } from '../../times.ts'
import { folder, id, message_id, readScopes } from '../arguments.ts'

const person = 'emailAddress { name address }'
const keep = `id conversationId subject bodyPreview from { ${person} } toRecipients { ${person} } receivedDateTime isRead isDraft
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
  'isRead eq ?': named('is_read', optional(flag('Only read ones, or only unread ones.'))),
  "from/emailAddress/address eq '?'": named('from', optional(text('The email address of the sender.', 320))),
  'hasAttachments eq ?': named('has_attachments', optional(flag('Only with attachments, or only without.'))),
})

const searchMessages = tool('search_messages: GET /me/messages', {
  title: 'Search messages',
  description:
    'Search the emails of all folders by words, the newest first: at most 1000. Returns IDs, senders, recipients, times and ' +
    'the beginning; read one with get_message.',
  scopes: readScopes,
  path: { cursor },
  query: {
    $search: converted('odata', { '"?"': named('query', words) }),
    $select: SUMMARY,
    ...graphList(25, 250),
  },
  pagination: graphPages,
  keep,
})

const listMessages = tool('list_messages: GET /me/mailFolders/{folder_id}/messages', {
  title: 'List messages',
  description:
    'List the emails of a folder, the newest first; of drafts too. Returns IDs, senders, recipients, times and the ' +
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
  keep,
})

const getConversation = tool('get_conversation: GET /me/messages', {
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
})

const getMessage = tool('get_message: GET /me/messages/{message_id}', {
  title: 'Read a message',
  description:
    'Read one email or draft: sender, recipients, time, and the text as Markdown with what it quotes. Its attachments are ' +
    'in list_attachments.',
  scopes: readScopes,
  path: { message_id },
  keep: `${keep} ccRecipients { ${person} } bccRecipients { ${person} } replyTo { ${person} } sentDateTime body|body-to-markdown
    webLink`,
})

const searchPeople = tool('search_people: GET /me/people', {
  title: 'Search people',
  description:
    'Find the email addresses of people by name, for send_email and create_event: those with whom the person works or ' +
    'writes most come first.',
  scopes: ['People.Read'],
  path: { cursor },
  query: {
    $search: converted('odata', { '"?"': named('query', text('A name or the beginning of an email address.', 200)) }),
    ...graphList(10, 50),
  },
  pagination: graphPages,
  keep: 'displayName scoredEmailAddresses { address } jobTitle department companyName',
})

/** Outlook's tools for reading emails. */
export const messageTools = [searchMessages, listMessages, getConversation, getMessage, searchPeople]
