import { Type } from '@sinclair/typebox'
import { list, named, optional, text } from '../../../../services/definitions/arguments.ts'
import { fileArgument } from '../../../../services/definitions/file-argument.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { from, html, plainText, recipients, scheduledAt, topic, values } from '../arguments.ts'

const closed = { additionalProperties: false }
const addresses = 'Email addresses, at most 50.'
const subject = text('', 998)
const attachment = Type.Object(
  {
    filename: Type.String({ minLength: 1, maxLength: 255 }),
    content: optional(fileArgument({ what: 'The file', minLength: 1 })),
    path: optional(
      Type.String({
        pattern: '^https://[^\\s]+$',
        description: 'A public URL that Resend fetches the file from, in place of content.',
      }),
    ),
    content_id: optional(
      text('A name for an image in the HTML: <img src="cid:logo"> shows the file with content_id logo.', 127),
    ),
  },
  closed,
)
const tagText = Type.String({ pattern: '^[A-Za-z0-9_-]{1,256}$' })
const tags = list(Type.Object({ name: tagText, value: tagText }, closed), 'Tags that identify the email in events.', 20)
const topicId = optional({
  ...topic,
  description: `${topic.description} Contacts who unsubscribed from the topic do not get the email.`,
})
const message = {
  html: optional(html),
  text: optional(plainText),
  cc: optional(recipients(addresses)),
  bcc: optional(recipients(addresses)),
  reply_to: optional(recipients(addresses)),
  scheduled_at: optional(scheduledAt),
}

const sendEmail = tool('send_email: POST /emails', {
  title: 'Send email',
  description:
    'Send an email now, or later with scheduled_at. Give html, text or both. Returns its ID for get_email, ' +
    'reschedule_email and cancel_email.',
  json: {
    from,
    to: recipients(addresses),
    subject,
    ...message,
    attachments: optional(list(attachment, 'Files, at most 25 MiB together. Each has content or path.', 20)),
    tags: optional(tags),
    topic_id: named('topic', topicId),
  },
  keep: 'id',
})

const sendTemplate = tool('send_template: POST /emails', {
  title: 'Send template',
  description:
    'Send a published template (list_templates) with values for its variables, which get_template lists. Returns an ID.',
  json: {
    template: {
      id: named('template', text('The ID or alias of a published template, from list_templates.', 255)),
      variables: optional(values('A value for each variable by its key; those with a fallback may be missing.')),
    },
    to: recipients(addresses),
    from: optional({ ...from, description: `${from.description} Default: that of the template.` }),
    subject: optional(text('Default: that of the template.', 998)),
    cc: message.cc,
    bcc: message.bcc,
    reply_to: message.reply_to,
    scheduled_at: message.scheduled_at,
    tags: optional(tags),
    topic_id: named('topic', topicId),
  },
  keep: 'id',
})

const sendBatch = tool('send_batch: POST /emails/batch', {
  title: 'Send batch',
  description:
    'Send up to 100 different emails at once, now or later with scheduled_at. Give each html, text or both. Returns their IDs ' +
    'in the same order. With attachments, use send_email.',
  json: named(
    'emails',
    list(
      Type.Object({ from, to: recipients(addresses), subject, ...message, tags: optional(tags) }, closed),
      'The emails. If one is invalid, none is sent.',
      100,
    ),
  ),
  keep: 'data { id }',
})

/** Resend tools that send email. */
export const sendingTools = [sendEmail, sendTemplate, sendBatch]
