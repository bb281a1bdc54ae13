import { Type } from '@sinclair/typebox'
import { httpTool, pick, sameNames } from '../../../../services/definitions/http-tool.ts'
import { adds, reads } from '../../annotations.ts'
import { from, id, listPages, listQuery, page, scheduledAt } from '../arguments.ts'

const listBroadcasts = httpTool({
  operation: 'list_broadcasts',
  title: 'List broadcasts',
  description: 'List drafted, scheduled and sent broadcasts: ID, name, status, segment and dates.',
  annotations: reads,
  input: { ...page },
  request: { method: 'GET', path: '/broadcasts', query: listQuery },
  pagination: listPages,
  result: pick('/data', ['id', 'name', 'status', 'segment_id', 'created_at', 'scheduled_at', 'sent_at']),
})

const createBroadcast = httpTool({
  operation: 'create_broadcast',
  title: 'Create broadcast',
  description:
    'Draft an email to a whole segment. Give html, text or both. Returns its ID. Send it with send_broadcast.',
  annotations: adds,
  input: {
    segment: id('The ID of the segment to send to, from list_segments.'),
    from,
    subject: Type.String({ minLength: 1, maxLength: 998 }),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'An internal name. Recipients do not see it.' }),
    ),
    preview_text: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    html: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'The HTML. Use {{{RESEND_UNSUBSCRIBE_URL}}} for the unsubscribe link.',
      }),
    ),
    text: Type.Optional(Type.String({ minLength: 1 })),
  },
  request: {
    method: 'POST',
    path: '/broadcasts',
    body: {
      json: { segment_id: '{segment}', ...sameNames('from', 'subject', 'name', 'preview_text', 'html', 'text') },
    },
  },
  result: pick('', ['id']),
})

const sendBroadcast = httpTool({
  operation: 'send_broadcast',
  title: 'Send broadcast',
  description: 'Send a drafted broadcast to its whole segment, now or later. A sent broadcast cannot be recalled.',
  annotations: { ...adds, destructiveHint: true },
  input: {
    broadcast: id('The ID of the broadcast, from create_broadcast or list_broadcasts.'),
    scheduled_at: Type.Optional(scheduledAt),
  },
  request: { method: 'POST', path: '/broadcasts/{broadcast}/send', body: { json: { scheduled_at: '{scheduled_at}' } } },
  result: pick('', ['id']),
})

/** Resend tools for broadcasts: emails to a whole segment. */
export const broadcastTools = [listBroadcasts, createBroadcast, sendBroadcast]
