import { list, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { file } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites } from '../../annotations.ts'
import { day } from '../../times.ts'
import { attachmentFields, fileName, id, listPages, listQuery, scheduledAt } from '../arguments.ts'

const email = id('The ID of the email, from send_email or list_emails.')
const METRICS = [
  'received',
  'sent',
  'delivered',
  'bounced',
  'opened',
  'clicked',
  'complained',
  'unsubscribed',
  'suppressed',
  'failed',
  'delivery_rate',
  'open_rate',
  'click_rate',
  'bounce_rate',
  'complaint_rate',
] as const

const listEmails = tool('list_emails: GET /emails', {
  title: 'List emails',
  description:
    'List sent and scheduled emails, newest first: ID, addresses, subject, dates, and the last event of each ' +
    '(delivered, bounced, opened). Read one with get_email.',
  query: listQuery,
  pagination: listPages,
  keep: 'id from to subject last_event created_at scheduled_at',
})

const getEmail = tool('get_email: GET /emails/{email}', {
  title: 'Get email',
  description: 'Read one sent or scheduled email: its content and its last event.',
  path: { email },
  keep: 'id message_id from to cc bcc reply_to subject text html last_event created_at scheduled_at',
})

const rescheduleEmail = tool('reschedule_email: PATCH /emails/{email}', {
  title: 'Reschedule email',
  description: 'Change the time of a scheduled email.',
  path: { email },
  json: { scheduled_at: scheduledAt },
  keep: 'id scheduled_at',
})

const cancelEmail = tool('cancel_email: POST /emails/{email}/cancel', {
  title: 'Cancel email',
  description: 'Cancel a scheduled email. It cannot be scheduled again.',
  annotations: overwrites,
  path: { email },
  keep: 'id',
})

const listEmailAttachments = tool('list_email_attachments: GET /emails/{email}/attachments', {
  title: 'List email attachments',
  description:
    'List the attachments of a sent email: ID, name, type and size. Download one with download_email_attachment.',
  path: { email },
  query: listQuery,
  pagination: listPages,
  keep: attachmentFields,
})

const downloadEmailAttachment = tool('download_email_attachment: GET outbound{found.url}', {
  title: 'Download email attachment',
  description: 'Store an attachment of a sent email as an artifact, and return its URL.',
  path: { email, attachment: id('The ID of the attachment, from list_email_attachments.'), file_name: fileName },
  steps: [{ step: 'found: GET /emails/{email}/attachments/{attachment}', keep: { url: '/download_url' } }],
  returns: file('{file_name}'),
})

const getMetrics = tool('get_metrics: GET /emails/metrics', {
  title: 'Get email metrics',
  description: 'Count what happened to the emails of a period: sent, delivered, bounced, opened, and rates in percent.',
  query: {
    start_date: optional(day('The first day. Default: 6 days before the last one.')),
    end_date: optional(day('The last day. Default: today.')),
    timezone: optional(
      text('The time zone of the days: Europe/Berlin. Default: UTC.', 64, { pattern: '^[A-Za-z0-9_+/-]+$' }),
    ),
    metrics: optional(list(oneOf(METRICS), 'Only these. Default: all.', METRICS.length)),
    dimensions: optional(list(oneOf(['period', 'domain', 'broadcast']), 'Also separately by each of these.', 3)),
    granularity: optional(
      oneOf(['hourly', 'daily', 'weekly', 'monthly'], 'The periods of the dimension period. Default: daily.'),
    ),
  },
  keep: 'start_date end_date granularity totals data',
})

/** Resend tools for sent and scheduled emails. */
export const emailTools = [
  listEmails,
  getEmail,
  rescheduleEmail,
  cancelEmail,
  listEmailAttachments,
  downloadEmailAttachment,
  getMetrics,
]
