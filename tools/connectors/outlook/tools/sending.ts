import { converted, either, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { FileNameArgument, fileArgument } from '../../../../services/definitions/file-argument.ts'
import { done, file } from '../../../../services/definitions/http-tool.ts'
import { adds, type ToolParts, tool } from '../../../../services/definitions/tool.ts'
import { replace_all } from '../../shared-arguments.ts'
import { addresses, body, comment, id, message_id, people, readScopes, sendScopes, writeScopes } from '../arguments.ts'

const email = {
  toRecipients: people('to', addresses('The email addresses of the recipients.')),
  ccRecipients: people('cc', optional(addresses('The email addresses of the Cc recipients.'))),
  bccRecipients: people('bcc', optional(addresses('The email addresses of the Bcc recipients.'))),
  subject: text('The subject.', 255),
  importance: optional(oneOf(['low', 'normal', 'high'], 'Default: normal.')),
  body: body('The text.'),
}
/**
 * The text of an answer above the message that it quotes. Outlook quotes it in drafts, but a text that is given with the
 * answer takes its place (https://learn.microsoft.com/graph/api/message-createreply).
 */
const answer = {
  body: {
    contentType: 'HTML',
    content: converted('answer-html', {
      text: named('body', text('The text, without the quoted message, which Outlook adds. Markdown.', 100_000)),
      quoted: '{draft.quoted}',
    }),
  },
}
const draft = { id: '/id', quoted: { pointer: '/body/content', otherwise: '' } }
const path = { message_id }
const draft_id = id('The ID of the draft, from create_draft, draft_reply or list_messages of drafts.')
const draftFields = 'id conversationId subject toRecipients { emailAddress { name address } } isDraft webLink'

/** A tool that answers an email: Outlook makes the draft, its text is set, and it is sent. */
function answering(name: string, create: string, texts: Pick<ToolParts, 'title' | 'description' | 'returns'>) {
  return tool(`${name}: POST /me/messages/{draft.id}/send`, {
    ...texts,
    scopes: [...writeScopes, ...sendScopes],
    path,
    steps: [
      { step: `draft: POST /me/messages/{message_id}/${create}`, keep: draft },
      { step: 'text: PATCH /me/messages/{draft.id}', json: answer },
    ],
  })
}

const ATTACHMENTS = '/me/messages/{message_id}/attachments'

/** Outlook's tools for sending and drafts. */
export const sendingTools = [
  tool('send_email: POST /me/sendMail', {
    title: 'Send an email',
    description:
      'Send a new email at once. To answer an email, use reply; for attachments or a review by the user, create_draft.',
    scopes: sendScopes,
    json: { message: email },
    returns: done('Outlook accepted the email for sending.'),
  }),

  answering('reply', 'createReply', {
    title: 'Answer an email',
    description:
      'Answer the sender of an email in its conversation, at once, above the quoted email. To answer everyone, use reply_all.',
    returns: done('Outlook accepted the answer for sending.'),
  }),

  answering('reply_all', 'createReplyAll', {
    title: 'Answer an email to everyone',
    description:
      'Answer the sender and all recipients of an email in its conversation, at once, above the quoted email.',
    returns: done('Outlook accepted the answer to everyone for sending.'),
  }),

  tool('forward: POST /me/messages/{message_id}/forward', {
    title: 'Forward an email',
    description: 'Forward an email with its attachments, at once.',
    scopes: sendScopes,
    path,
    json: {
      toRecipients: people('to', addresses('The email addresses of the recipients.')),
      comment: optional(comment('What to write above the email.')),
    },
    returns: done('Outlook accepted the email for forwarding.'),
  }),

  tool('create_draft: POST /me/messages', {
    title: 'Create a draft',
    description:
      'Write a draft of a new email, which the user can change and send. Returns its ID for add_attachment and send_draft.',
    scopes: writeScopes,
    json: email,
    keep: draftFields,
  }),

  tool('draft_reply: PATCH /me/messages/{draft.id}', {
    title: 'Create a draft reply',
    description:
      'Write a draft reply in a conversation, above the quoted email. Returns its ID for add_attachment and send_draft.',
    annotations: adds,
    scopes: writeScopes,
    path: {
      message_id,
      kind: {
        ...optional(oneOf(['createReply', 'createReplyAll'], 'createReplyAll answers everyone. Default: createReply.')),
        default: 'createReply',
      },
    },
    steps: [{ step: 'draft: POST /me/messages/{message_id}/{kind}', keep: draft }],
    json: answer,
    keep: draftFields,
  }),

  tool('update_draft: PATCH /me/messages/{draft_id}', {
    title: 'Update a draft',
    description:
      'Update a draft. Omitted fields stay unchanged; each given one is replaced as a whole: read it with get_message.',
    scopes: writeScopes,
    path: { draft_id, replace_all },
    steps: [
      {
        step: 'now: GET /me/messages/{draft_id}',
        query: { $select: 'body' },
        given: ['body'],
        guard: { form: 'html', at: '/body/content', unless: 'replace_all' },
      },
      {
        step: 'draft: GET /me/messages/{draft_id}',
        query: { $select: 'toRecipients,ccRecipients,bccRecipients' },
        given: ['to', 'cc', 'bcc'],
        keep: {
          to: { pointer: '/toRecipients', otherwise: [] },
          cc: { pointer: '/ccRecipients', otherwise: [] },
          bcc: { pointer: '/bccRecipients', otherwise: [] },
        },
      },
    ],
    json: {
      toRecipients: people('to', optional(addresses('The email addresses of all recipients.', { min: 0 })), 'draft.to'),
      ccRecipients: people(
        'cc',
        optional(addresses('The email addresses of all Cc recipients.', { min: 0 })),
        'draft.cc',
      ),
      bccRecipients: people(
        'bcc',
        optional(addresses('The email addresses of all Bcc recipients.', { min: 0 })),
        'draft.bcc',
      ),
      subject: optional(text('The subject.', 255)),
      body: body('The whole text.', { required: false }),
    },
    keep: draftFields,
  }),

  tool('send_draft: POST /me/messages/{draft_id}/send', {
    title: 'Send a draft',
    description: 'Send a draft to its recipients.',
    scopes: sendScopes,
    path: { draft_id },
    returns: done('Outlook accepted the draft for sending.'),
  }),
]

/** Outlook's tools for attachments. */
export const attachmentTools = [
  tool(`list_attachments: GET ${ATTACHMENTS}`, {
    title: 'List attachments',
    description: 'List the attachments of an email: IDs for download_attachment, names, types and sizes in bytes.',
    scopes: readScopes,
    path: { message_id },
    query: { $select: 'id,name,contentType,size,isInline' },
    at: '/value',
    keep: 'id name contentType size isInline',
  }),

  tool(`download_attachment: GET ${ATTACHMENTS}/{attachment_id}/$value`, {
    title: 'Download an attachment',
    description:
      'Read the content of an attachment; an attached email or event in its own format. Returns an artifact ID and a ' +
      'URL. A link to a file in OneDrive has no content.',
    scopes: readScopes,
    path: { message_id, attachment_id: id('The ID of the attachment, from list_attachments.') },
    steps: [{ step: `info: GET ${ATTACHMENTS}/{attachment_id}`, query: { $select: 'name' }, keep: { name: '/name' } }],
    returns: file('{info.name}'),
  }),

  tool('add_attachment: POST /me/messages/{draft_id}/attachments', {
    title: 'Add an attachment',
    description: 'Attach a file of at most 3 MB to a draft. Then send it with send_draft.',
    scopes: writeScopes,
    path: { draft_id },
    json: {
      '@odata.type': '#microsoft.graph.fileAttachment',
      name: either(named('file_name', FileNameArgument), '{content.name}'),
      contentBytes: named('content', fileArgument({ what: 'The file' })),
    },
    keep: 'id name contentType size',
  }),
]
