import { flag, list, named, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { googlePages } from '../../google.ts'
import { pageSize, pageStart } from '../../paging.ts'
import { answer, id, ME, messageFields, newEmail, readScopes, thread_id, writeScopes } from '../arguments.ts'

const message_id = id('The ID of the message, from get_thread: id, not message_id.')

const searchThreads = tool(`search_threads: GET ${ME}/threads`, {
  title: 'Search threads',
  description:
    'Search the threads of the mailbox, the newest first. Returns thread IDs and the beginning of their last message; ' +
    'read one with get_thread.',
  scopes: readScopes,
  query: {
    q: named(
      'query',
      optional(
        text(
          'As in Gmail: from:ada@example.com to:me subject:offsite is:unread has:attachment label:work in:inbox ' +
            'after:2026/03/31 before:2026/04/30 newer_than:7d "exact words" OR -without. Without it, all threads.',
          1000,
        ),
      ),
    ),
    labelIds: optional(list(id(''), 'Only threads with all of these labels: IDs of list_labels.', 20)),
    includeSpamTrash: optional(flag('Include spam and trash.')),
    maxResults: pageSize(25, 500),
    pageToken: pageStart,
  },
  pagination: googlePages('/threads'),
  keep: 'id snippet',
})

const getThread = tool(`get_thread: GET ${ME}/threads/{thread_id}`, {
  title: 'Read a thread',
  description:
    'Read all messages of a thread, the oldest first: sender, recipients, date, subject, text, attachments, and the ' +
    'message_id and references that reply needs.',
  scopes: readScopes,
  path: { thread_id },
  query: { format: 'full' },
  keep: 'id messages|gmail-messages',
})

const getMessage = tool(`get_message: GET ${ME}/messages/{message_id}`, {
  title: 'Read a message',
  description: 'Read one message. Long texts are cut later than in get_thread.',
  scopes: readScopes,
  path: { message_id },
  query: { format: 'full' },
  keep: messageFields,
})

const readAttachment = tool(`read_text_attachment: GET ${ME}/messages/{message_id}/attachments/{attachment_id}`, {
  title: 'Read a text attachment',
  description: 'Read an attachment that is text: CSV, JSON, a calendar invitation.',
  scopes: readScopes,
  path: {
    message_id,
    attachment_id: text('attachment_id in the attachments of get_message or get_thread.', 2000, {
      pattern: '^[A-Za-z0-9_-]+$',
    }),
  },
  keep: 'size data|base64-to-text',
})

const sendEmail = tool(`send_email: POST ${ME}/messages/send`, {
  title: 'Send an email',
  description: 'Send a new email at once. To answer one, use reply; to let the person look first, use create_draft.',
  scopes: writeScopes,
  json: { raw: newEmail },
  keep: 'id threadId labelIds',
})

const reply = tool(`reply: POST ${ME}/messages/send`, {
  title: 'Answer an email',
  description:
    'Answer a message in its thread, at once. Read it with get_thread first: the recipients are its from (or reply_to) ' +
    'and, to answer all, its to and cc without yourself.',
  scopes: writeScopes,
  json: { raw: answer, threadId: named('thread_id', thread_id) },
  keep: 'id threadId labelIds',
})

/** Gmail's tools for reading and sending. */
export const messageTools = [searchThreads, getThread, getMessage, readAttachment, sendEmail, reply]
