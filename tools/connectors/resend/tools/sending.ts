import { Type } from '@sinclair/typebox'
import { list, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { fileArgument } from '../../../../services/definitions/file-argument.ts'
import { overwrites, tool, triggers } from '../../../../services/definitions/tool.ts'
import { id, listPages, listQuery, scheduledAt, topic, values } from '../arguments.ts'

/** The sender. */
const from = text('The sender, on a verified domain (list_domains): Ada <ada@example.com>', 320, { min: 3 })

/** The contents of a message. */
const html = Type.String({ minLength: 1, description: 'The HTML.' })
const plainText = Type.String({ minLength: 1, description: 'Default: derived from html.' })

/** Several email addresses. */
function recipients(description: string) {
  return Type.Array(Type.String({ minLength: 3, maxLength: 320 }), { minItems: 1, maxItems: 50, description })
}

const closed = { additionalProperties: false }
const addresses = 'Email addresses, at most 50.'
const subject = text('The subject.', 998)
const attachment = Type.Object(
  {
    filename: text('The name of the file: report.pdf.', 255),
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
const tagText = (description: string) => text(description, 256, { pattern: '^[A-Za-z0-9_-]+$' })
const tags = list(
  Type.Object({ name: tagText('Its name: category.'), value: tagText('Its value: welcome.') }, closed),
  'Tags that identify the email in events.',
  20,
)
const topicId = named(
  'topic',
  optional({
    ...topic,
    description: `${topic.description} Contacts who unsubscribed from the topic do not get the email.`,
  }),
)
const message = {
  html: optional(html),
  text: optional(plainText),
  cc: optional(recipients(addresses)),
  bcc: optional(recipients(addresses)),
  reply_to: optional(recipients(addresses)),
  scheduled_at: optional(scheduledAt),
}

const replyTo = optional(recipients('Email addresses for replies.'))

const templatePath = { template: text('The ID or alias of the template, from list_templates.', 255) }
const variable = Type.Object(
  {
    key: text('PRODUCT_NAME', 50, { pattern: '^[A-Za-z0-9_]+$' }),
    type: oneOf(['string', 'number'], 'The type of its values.'),
    fallback_value: optional(
      Type.Union([Type.String({ maxLength: 2000 }), Type.Number()], {
        description: 'The value if an email gives none.',
      }),
    ),
  },
  closed,
)
const templateContent = {
  html: { ...html, description: 'The HTML. A variable is written as {{{PRODUCT_NAME}}}.' },
  subject: optional(text('The subject, unless a sender gives one.', 998)),
  from: optional(from),
  reply_to: replyTo,
  text: optional(plainText),
  alias: optional(text('A name for use in place of the ID: welcome-email.', 255)),
  variables: optional(
    list(variable, 'All variables of the HTML. One without fallback_value needs a value for each email.', 50),
  ),
}
const name = text('The name, which recipients do not see.', 255)

const broadcastPath = { broadcast: id('The ID of the broadcast, from create_broadcast or list_broadcasts.') }
const segment = id('The ID of the segment to send to, from list_segments.')
const broadcastFields = 'id name status segment_id topic_id created_at scheduled_at sent_at'
const broadcastContent = {
  name: optional(text('An internal name. Recipients do not see it.', 255)),
  preview_text: optional(text('What inboxes show beside the subject.', 255)),
  html: optional(
    Type.String({ minLength: 1, description: 'The HTML. Use {{{RESEND_UNSUBSCRIBE_URL}}} for the unsubscribe link.' }),
  ),
  text: optional(plainText),
  reply_to: replyTo,
  topic_id: topicId,
}

/** Resend tools that send emails. */
export const sendingTools = [
  tool('send_email: POST /emails', {
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
      topic_id: topicId,
    },
    keep: 'id',
  }),

  tool('send_template: POST /emails', {
    title: 'Send template',
    description:
      'Send a published template (list_templates) with values for its variables, which get_template lists. Returns an ID.',
    json: {
      template: {
        id: named('template', text('The ID or alias of a published template, from list_templates.', 255)),
        variables: optional(values('A value for each variable by its key; variables with a fallback may be omitted.')),
      },
      to: recipients(addresses),
      from: optional({ ...from, description: `${from.description} Default: that of the template.` }),
      subject: optional(text('Default: that of the template.', 998)),
      cc: message.cc,
      bcc: message.bcc,
      reply_to: message.reply_to,
      scheduled_at: message.scheduled_at,
      tags: optional(tags),
      topic_id: topicId,
    },
    keep: 'id',
  }),

  tool('send_batch: POST /emails/batch', {
    title: 'Send batch',
    description:
      'Send up to 100 different emails at once, now or later with scheduled_at. Give each html, text or both. ' +
      'Returns their IDs in the same order. With attachments, use send_email.',
    json: named(
      'emails',
      list(
        Type.Object({ from, to: recipients(addresses), subject, ...message, tags: optional(tags) }, closed),
        'The emails. If one is invalid, none is sent.',
        100,
      ),
    ),
    keep: 'data { id }',
  }),
]

/** Resend tools for templates. */
export const templateTools = [
  tool('list_templates: GET /templates', {
    title: 'List templates',
    description:
      'List email templates: ID, alias, name and status. Only published ones can be sent, with send_template.',
    query: listQuery,
    pagination: listPages,
    keep: 'id name alias status published_at created_at updated_at',
  }),

  tool('get_template: GET /templates/{template}', {
    title: 'Get template',
    description: 'Read one template: subject, HTML, text and variables.',
    path: templatePath,
    keep: `id name alias status from subject reply_to html text variables { key type fallback_value } published_at
    has_unpublished_versions created_at updated_at`,
  }),

  tool('create_template: POST /templates', {
    title: 'Create template',
    description: 'Draft an email template. Returns its ID. Publish it with publish_template before it is sent.',
    json: { name, ...templateContent },
    keep: 'id',
  }),

  tool('update_template: PATCH /templates/{template}', {
    title: 'Update template',
    description: 'Change the draft of a template. Emails use it after publish_template. Omitted fields stay unchanged.',
    path: templatePath,
    json: { name: optional(name), ...templateContent, html: optional(templateContent.html) },
    keep: 'id',
  }),

  tool('publish_template: POST /templates/{template}/publish', {
    title: 'Publish template',
    description: 'Publish the draft of a template. From now on, emails use it.',
    annotations: overwrites,
    path: templatePath,
    keep: 'id',
  }),

  tool('duplicate_template: POST /templates/{template}/duplicate', {
    title: 'Duplicate template',
    description: 'Copy a template as a new draft. Returns its ID.',
    path: templatePath,
    keep: 'id',
  }),

  tool('delete_template: DELETE /templates/{template}', {
    title: 'Delete template',
    description: 'Delete a template permanently.',
    path: templatePath,
    keep: 'id deleted',
  }),
]

/** Resend tools for broadcasts: emails to a whole segment. */
export const broadcastTools = [
  tool('list_broadcasts: GET /broadcasts', {
    title: 'List broadcasts',
    description: 'List drafted, scheduled and sent broadcasts: ID, name, status, segment and dates.',
    query: listQuery,
    pagination: listPages,
    keep: broadcastFields,
  }),

  tool('get_broadcast: GET /broadcasts/{broadcast}', {
    title: 'Get broadcast',
    description: 'Read one broadcast: sender, subject, content, segment and status.',
    path: broadcastPath,
    keep: `${broadcastFields} from subject reply_to preview_text html text`,
  }),

  tool('create_broadcast: POST /broadcasts', {
    title: 'Create broadcast',
    description:
      'Draft an email to a whole segment. Give html, text or both. Returns its ID. Send it with send_broadcast.',
    json: { segment_id: named('segment', segment), from, subject, ...broadcastContent },
    keep: 'id',
  }),

  tool('update_broadcast: PATCH /broadcasts/{broadcast}', {
    title: 'Update broadcast',
    description:
      'Change a drafted broadcast. Omitted fields stay unchanged. Cancel a scheduled broadcast with cancel_broadcast first.',
    path: broadcastPath,
    json: {
      segment_id: named('segment', optional(segment)),
      from: optional(from),
      subject: optional(subject),
      ...broadcastContent,
    },
    keep: 'id',
  }),

  tool('send_broadcast: POST /broadcasts/{broadcast}/send', {
    title: 'Send broadcast',
    description: 'Send a drafted broadcast to its whole segment, now or later. A sent broadcast cannot be recalled.',
    annotations: triggers,
    path: broadcastPath,
    json: { scheduled_at: optional(scheduledAt) },
    keep: 'id',
  }),

  tool('cancel_broadcast: POST /broadcasts/{broadcast}/cancel', {
    title: 'Cancel broadcast',
    description:
      'Stop a broadcast. A scheduled one becomes a draft again. Emails that were already sent are not recalled.',
    annotations: overwrites,
    path: broadcastPath,
    keep: 'id',
  }),

  tool('delete_broadcast: DELETE /broadcasts/{broadcast}', {
    title: 'Delete broadcast',
    description: 'Delete a drafted or scheduled broadcast permanently. A scheduled one is not sent.',
    path: broadcastPath,
    keep: 'id deleted',
  }),

  tool('list_broadcast_recipients: GET /broadcasts/{broadcast}/recipients', {
    title: 'List broadcast recipients',
    description: 'List who received, opened or clicked a broadcast, left it, or did not get it.',
    path: broadcastPath,
    query: {
      type: oneOf(
        ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed', 'suppressed'],
        'What happened to the email.',
      ),
      email: optional(text('Only addresses that contain this.', 320)),
      ...listQuery,
    },
    pagination: listPages,
    keep: 'contact_id email count bounce_type clicked_links { url clicks }',
  }),
]
