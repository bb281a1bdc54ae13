import { Type } from '@sinclair/typebox'
import { fileArgument } from '../../../../services/definitions/file-argument.ts'
import { httpTool, pick, sameNames } from '../../../../services/definitions/http-tool.ts'
import { adds, overwrites, reads } from '../../annotations.ts'
import { from, id, listPages, listQuery, page, scheduledAt } from '../arguments.ts'

const email = id('The ID of the email, from send_email or list_emails.')
const closed = { additionalProperties: false }

function recipients(description: string) {
  return Type.Array(Type.String({ minLength: 3, maxLength: 320 }), { minItems: 1, maxItems: 50, description })
}

const sendEmail = httpTool({
  operation: 'send_email',
  title: 'Send email',
  description:
    'Send an email now, or later with scheduled_at. Give html, text or both. Returns its ID for get_email, ' +
    'reschedule_email and cancel_email.',
  annotations: adds,
  input: {
    from,
    to: recipients('Email addresses, at most 50.'),
    subject: Type.String({ minLength: 1, maxLength: 998 }),
    html: Type.Optional(Type.String({ minLength: 1 })),
    text: Type.Optional(Type.String({ minLength: 1, description: 'Default: derived from html.' })),
    cc: Type.Optional(recipients('Email addresses, at most 50.')),
    bcc: Type.Optional(recipients('Email addresses, at most 50.')),
    reply_to: Type.Optional(recipients('Email addresses, at most 50.')),
    scheduled_at: Type.Optional(scheduledAt),
    attachments: Type.Optional(
      Type.Array(
        Type.Object(
          {
            filename: Type.String({ minLength: 1, maxLength: 255 }),
            content: Type.Optional(fileArgument({ what: 'The file', minLength: 1 })),
            path: Type.Optional(
              Type.String({
                pattern: '^https://[^\\s]+$',
                description: 'A public URL that Resend fetches the file from, in place of content.',
              }),
            ),
          },
          closed,
        ),
        { minItems: 1, maxItems: 20, description: 'Files, at most 25 MiB together. Each has content or path.' },
      ),
    ),
    tags: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,256}$' }),
            value: Type.String({ pattern: '^[A-Za-z0-9_-]{1,256}$' }),
          },
          closed,
        ),
        { minItems: 1, maxItems: 20, description: 'Tags that identify the email in events.' },
      ),
    ),
  },
  request: {
    method: 'POST',
    path: '/emails',
    body: {
      json: sameNames(
        'from',
        'to',
        'subject',
        'html',
        'text',
        'cc',
        'bcc',
        'reply_to',
        'scheduled_at',
        'attachments',
        'tags',
      ),
    },
  },
  result: pick('', ['id']),
})

const listEmails = httpTool({
  operation: 'list_emails',
  title: 'List emails',
  description:
    'List sent and scheduled emails, newest first: ID, addresses, subject, dates, and the last event of each ' +
    '(delivered, bounced, opened). Read one with get_email.',
  annotations: reads,
  input: { ...page },
  request: { method: 'GET', path: '/emails', query: listQuery },
  pagination: listPages,
  result: pick('/data', ['id', 'from', 'to', 'subject', 'last_event', 'created_at', 'scheduled_at']),
})

const getEmail = httpTool({
  operation: 'get_email',
  title: 'Get email',
  description: 'Read one sent or scheduled email: its content and its last event.',
  annotations: reads,
  input: { email },
  request: { method: 'GET', path: '/emails/{email}' },
  result: pick('', [
    'id',
    'from',
    'to',
    'cc',
    'bcc',
    'reply_to',
    'subject',
    'text',
    'html',
    'last_event',
    'created_at',
    'scheduled_at',
  ]),
})

const rescheduleEmail = httpTool({
  operation: 'reschedule_email',
  title: 'Reschedule email',
  description: 'Change the time of a scheduled email.',
  annotations: overwrites,
  input: { email, scheduled_at: scheduledAt },
  request: { method: 'PATCH', path: '/emails/{email}', body: { json: { scheduled_at: '{scheduled_at}' } } },
  result: pick('', ['id', 'scheduled_at']),
})

const cancelEmail = httpTool({
  operation: 'cancel_email',
  title: 'Cancel email',
  description: 'Cancel a scheduled email. It cannot be scheduled again.',
  annotations: overwrites,
  input: { email },
  request: { method: 'POST', path: '/emails/{email}/cancel' },
  result: pick('', ['id']),
})

/** Resend tools for emails. */
export const emailTools = [sendEmail, listEmails, getEmail, rescheduleEmail, cancelEmail]
