import type { TString } from '@sinclair/typebox'
import { converted, flag, list, named, oneOf, optional, text } from '../../../services/definitions/arguments.ts'
import { done } from '../../../services/definitions/http-tool.ts'
import { overwrites, sets, tool } from '../../../services/definitions/tool.ts'
import { googlePages } from '../google.ts'
import { pageSize, pageStart } from '../shared-arguments.ts'

/** The path of the account's mailbox. */
const ME = '/gmail/v1/users/me'

const readScopes = ['https://www.googleapis.com/auth/gmail.readonly']
const writeScopes = ['https://www.googleapis.com/auth/gmail.compose']
const changeScopes = ['https://www.googleapis.com/auth/gmail.modify']

/** The fields of a message that results keep. */
const messageFields = 'id threadId labelIds payload|gmail-message'

/** A thread. */
const thread_id = id('The ID of the thread, from search_threads or threadId of a message.')

/** An ID that Gmail assigned. */
function id(description: string): TString {
  return text(description, 100, { pattern: '^[A-Za-z0-9_-]+$' })
}

const ADDRESS = "[\\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*"
const address = text('', 320, { pattern: `^([^<>\\r\\n]{1,200} <${ADDRESS}>|${ADDRESS})$` })

function addresses(description: string, max = 100) {
  return list(address, `${description} ada@example.com or Ada Lovelace <ada@example.com>.`, max)
}

const email = {
  to: addresses('The recipients:'),
  cc: optional(addresses('The Cc recipients:')),
  bcc: optional(addresses('The Bcc recipients:')),
  body: text('The text: Markdown, or plain text with format text. Without the quoted message.', 32_000),
  format: {
    ...optional(
      oneOf(['markdown', 'text'], 'markdown (default): sent as plain and formatted text. text: sent unchanged.'),
    ),
    default: 'markdown',
  },
}

/** A new email. */
const newEmail = converted('email', {
  ...email,
  subject: text('The subject.', 500, { pattern: '^[^\\r\\n]+$' }),
})

/** An answer, which other mail programs show below the message with this Message-ID. */
const answer = converted('email', {
  ...email,
  subject: text(
    'The subject of the message, after Re:, for example: Re: Offsite. Gmail needs the same one in a thread.',
    500,
    { pattern: '^[^\\r\\n]+$' },
  ),
  in_reply_to: text('message_id of the message to answer, from get_message or get_thread.', 998, {
    pattern: '^<[!-;=?-~]+>$',
  }),
  references: optional(
    text('references of the message to answer, unchanged. Omit it if the message has no references.', 20_000, {
      pattern: '^<[!-;=?-~]+>([ ,]*<[!-;=?-~]+>)*$',
    }),
  ),
})

const message_id = id('The ID of the message, from get_thread: id, not message_id.')

const draft_id = id('The ID of the draft, from list_drafts or create_draft.')
const draftFields = 'id message { id threadId }'

const labeledThread = 'id messages { id labelIds }'

/** Gmail's tools. */
export const gmailTools = [
  tool(`search_threads: GET ${ME}/threads`, {
    title: 'Search threads',
    description:
      'Search the threads of the mailbox, the newest first. Returns thread IDs and the beginning of their last ' +
      'message; read one with get_thread.',
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
  }),

  tool(`get_thread: GET ${ME}/threads/{thread_id}`, {
    title: 'Read a thread',
    description:
      'Read all messages of a thread, the oldest first: sender, recipients, date, subject, text, attachments, and ' +
      'the message_id and references that reply needs.',
    scopes: readScopes,
    path: { thread_id },
    query: { format: 'full' },
    keep: 'id messages|gmail-messages',
  }),

  tool(`get_message: GET ${ME}/messages/{message_id}`, {
    title: 'Read a message',
    description: 'Read one message. Long texts are cut later than in get_thread.',
    scopes: readScopes,
    path: { message_id },
    query: { format: 'full' },
    keep: messageFields,
  }),

  tool(`read_text_attachment: GET ${ME}/messages/{message_id}/attachments/{attachment_id}`, {
    title: 'Read a text attachment',
    description: 'Read an attachment that is text (CSV, JSON, a calendar invitation), or the text of a PDF.',
    scopes: readScopes,
    path: {
      message_id,
      attachment_id: text('attachment_id in the attachments of get_message or get_thread.', 2000, {
        pattern: '^[A-Za-z0-9_-]+$',
      }),
    },
    keep: 'size data|base64-to-text',
  }),

  tool(`send_email: POST ${ME}/messages/send`, {
    title: 'Send an email',
    description:
      'Send a new email at once. To answer an email, use reply; to let the user review it first, use create_draft.',
    scopes: writeScopes,
    json: { raw: newEmail },
    keep: 'id threadId labelIds',
  }),

  tool(`reply: POST ${ME}/messages/send`, {
    title: 'Answer an email',
    description:
      'Answer a message in its thread, at once. Read it with get_thread first: the recipients are its from (or ' +
      'reply_to) and, to answer all, its to and cc without yourself.',
    scopes: writeScopes,
    json: { raw: answer, threadId: named('thread_id', thread_id) },
    keep: 'id threadId labelIds',
  }),

  tool(`list_drafts: GET ${ME}/drafts`, {
    title: 'List drafts',
    description: 'List or search drafts: their IDs. Read one with get_draft.',
    scopes: readScopes,
    query: {
      q: named('query', optional(text('As in search_threads.', 1000))),
      maxResults: pageSize(25, 500),
      pageToken: pageStart,
    },
    pagination: googlePages('/drafts'),
    keep: draftFields,
  }),

  tool(`get_draft: GET ${ME}/drafts/{draft_id}`, {
    title: 'Read a draft',
    description: 'Read a draft: recipients, subject and text.',
    scopes: readScopes,
    path: { draft_id },
    query: { format: 'full' },
    keep: `id message { ${messageFields} }`,
  }),

  tool(`create_draft: POST ${ME}/drafts`, {
    title: 'Create a draft',
    description: 'Write a draft of a new email, which the user can change and send. Returns its ID for send_draft.',
    scopes: writeScopes,
    json: { message: { raw: newEmail } },
    keep: draftFields,
  }),

  tool(`draft_reply: POST ${ME}/drafts`, {
    title: 'Create a draft reply',
    description: 'Write a draft reply in a thread, with the arguments of reply. Returns its ID for send_draft.',
    scopes: writeScopes,
    json: { message: { raw: answer, threadId: named('thread_id', thread_id) } },
    keep: draftFields,
  }),

  tool(`update_draft: PUT ${ME}/drafts/{draft_id}`, {
    title: 'Replace a draft',
    description:
      'Replace the whole draft of a new email, and remove its attachments. Read what should stay with get_draft ' +
      'first. To replace a draft reply, delete it and use draft_reply.',
    scopes: writeScopes,
    path: { draft_id },
    json: { message: { raw: newEmail } },
    keep: draftFields,
  }),

  tool(`send_draft: POST ${ME}/drafts/send`, {
    title: 'Send a draft',
    description: 'Send a draft to its recipients.',
    scopes: writeScopes,
    json: { id: named('draft_id', draft_id) },
    keep: 'id threadId labelIds',
  }),

  tool(`delete_draft: DELETE ${ME}/drafts/{draft_id}`, {
    title: 'Delete a draft',
    description: 'Delete a draft. It cannot be restored.',
    scopes: writeScopes,
    path: { draft_id },
    returns: done('The draft was deleted.'),
  }),

  tool(`list_labels: GET ${ME}/labels`, {
    title: 'List labels',
    description:
      'List the labels of the mailbox with their IDs, including Gmail’s own: INBOX, UNREAD, STARRED, SPAM, TRASH.',
    scopes: readScopes,
    at: '/labels',
    keep: 'id name type',
  }),

  tool(`create_label: POST ${ME}/labels`, {
    title: 'Create a label',
    description: 'Create a label. Returns its ID for label_thread. A slash puts it below another label: Clients/Acme.',
    scopes: changeScopes,
    json: { name: text('The name.', 225) },
    keep: 'id name',
  }),

  tool(`label_thread: POST ${ME}/threads/{thread_id}/modify`, {
    title: 'Label a thread',
    description:
      'Add labels to all messages of a thread, or remove them. Removing UNREAD marks it as read; adding STARRED ' +
      'stars it; adding INBOX takes it out of the archive.',
    annotations: sets,
    scopes: changeScopes,
    path: { thread_id },
    json: {
      addLabelIds: named('add', optional(list(id(''), 'IDs of labels to add, from list_labels.', 100))),
      removeLabelIds: named('remove', optional(list(id(''), 'IDs of labels to remove.', 100))),
    },
    needsOneOf: ['add', 'remove'],
    keep: labeledThread,
  }),

  tool(`archive_thread: POST ${ME}/threads/{thread_id}/modify`, {
    title: 'Archive a thread',
    description: 'Take a thread out of the inbox. Search still finds it.',
    annotations: sets,
    scopes: changeScopes,
    path: { thread_id },
    json: { removeLabelIds: ['INBOX'] },
    keep: labeledThread,
  }),

  tool(`trash_thread: POST ${ME}/threads/{thread_id}/trash`, {
    title: 'Move a thread to the trash',
    description: 'Move a thread to the trash. Gmail deletes it after 30 days; restore_thread undoes it.',
    annotations: overwrites,
    scopes: changeScopes,
    path: { thread_id },
    keep: labeledThread,
  }),

  tool(`restore_thread: POST ${ME}/threads/{thread_id}/untrash`, {
    title: 'Restore a thread from the trash',
    description: 'Take a thread out of the trash. Find it with search_threads and in:trash.',
    annotations: sets,
    scopes: changeScopes,
    path: { thread_id },
    keep: labeledThread,
  }),
]
