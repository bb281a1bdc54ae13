import { oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { addresses, body, id, message_id, people, sendScopes, writeScopes } from '../arguments.ts'

const email = {
  toRecipients: people('to', addresses('The email addresses of the recipients.')),
  ccRecipients: people('cc', optional(addresses('The email addresses of the Cc recipients.'))),
  bccRecipients: people('bcc', optional(addresses('The email addresses of the Bcc recipients.'))),
  subject: text('The subject.', 255),
  importance: optional(oneOf(['low', 'normal', 'high'], 'Default: normal.')),
  body: body('The text.'),
}
const answer = { body: body('The text, without the quoted message.') }
const path = { message_id }
const draft_id = id('The ID of the draft, from create_draft, draft_reply or list_messages of drafts.')
const keep = 'id conversationId subject toRecipients { emailAddress { name address } } isDraft webLink'

const sendEmail = tool('send_email: POST /me/sendMail', {
  title: 'Send an email',
  description:
    'Send a new email at once. To answer one, use reply; with attachments, or to let the person look first, create_draft.',
  scopes: sendScopes,
  json: { message: email },
  returns: done('The email was handed over to be sent.'),
})

const reply = tool('reply: POST /me/messages/{message_id}/reply', {
  title: 'Answer an email',
  description: 'Answer the sender of an email in its conversation, at once. To answer everyone, use reply_all.',
  scopes: sendScopes,
  path,
  json: { message: answer },
  returns: done('The answer was handed over to be sent.'),
})

const replyAll = tool('reply_all: POST /me/messages/{message_id}/replyAll', {
  title: 'Answer an email to everyone',
  description: 'Answer the sender and all recipients of an email in its conversation, at once.',
  scopes: sendScopes,
  path,
  json: { message: answer },
  returns: done('The answer to everyone was handed over to be sent.'),
})

const forward = tool('forward: POST /me/messages/{message_id}/forward', {
  title: 'Forward an email',
  description: 'Forward an email with its attachments to others, at once.',
  scopes: sendScopes,
  path,
  json: {
    toRecipients: people('to', addresses('The email addresses of the recipients.')),
    // Outlook does not say whether it reads a comment as HTML: this pattern makes it the same.
    comment: optional(text('One line of plain text above the email.', 1000, { pattern: '^[^<>&\\r\\n]+$' })),
  },
  returns: done('The email was handed over to be forwarded.'),
})

const createDraft = tool('create_draft: POST /me/messages', {
  title: 'Create a draft',
  description:
    'Write a draft of a new email, which the person can change and send. Returns its ID for add_attachment and send_draft.',
  scopes: writeScopes,
  json: email,
  keep,
})

const draftReply = tool('draft_reply: POST /me/messages/{message_id}/{kind}', {
  title: 'Create a draft of an answer',
  description: 'Write a draft of an answer in its conversation. Returns its ID for add_attachment and send_draft.',
  scopes: writeScopes,
  path: {
    message_id,
    kind: {
      ...optional(oneOf(['createReply', 'createReplyAll'], 'createReplyAll answers everyone. Default: createReply.')),
      default: 'createReply',
    },
  },
  json: { message: answer },
  keep,
})

const updateDraft = tool('update_draft: PATCH /me/messages/{draft_id}', {
  title: 'Update a draft',
  description:
    'Update a draft. Omitted fields stay unchanged; each given one is replaced as a whole: read it with get_message.',
  scopes: writeScopes,
  path: { draft_id },
  json: {
    toRecipients: people('to', optional(addresses('The email addresses of all recipients.', { min: 0 }))),
    ccRecipients: people('cc', optional(addresses('Those of all recipients of copies.', { min: 0 }))),
    bccRecipients: people('bcc', optional(addresses('Those of all recipients of hidden copies.', { min: 0 }))),
    subject: optional(text('The subject.', 255)),
    body: body('The whole text.', { required: false }),
  },
  keep,
})

const sendDraft = tool('send_draft: POST /me/messages/{draft_id}/send', {
  title: 'Send a draft',
  description: 'Send a draft to its recipients.',
  scopes: sendScopes,
  path: { draft_id },
  returns: done('The draft was handed over to be sent.'),
})

/** Outlook's tools for sending and drafts. */
export const sendingTools = [sendEmail, reply, replyAll, forward, createDraft, draftReply, updateDraft, sendDraft]
