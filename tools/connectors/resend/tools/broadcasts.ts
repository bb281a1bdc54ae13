import { Type } from '@sinclair/typebox'
import { named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { adds, overwrites } from '../../annotations.ts'
import { from, id, listPages, listQuery, recipients, scheduledAt, topic } from '../arguments.ts'

const path = { broadcast: id('The ID of the broadcast, from create_broadcast or list_broadcasts.') }
const segment = id('The ID of the segment to send to, from list_segments.')
const subject = text('', 998)
const broadcastFields = 'id name status segment_id topic_id created_at scheduled_at sent_at'
const content = {
  name: optional(text('An internal name. Recipients do not see it.', 255)),
  preview_text: optional(text('', 255)),
  html: optional(
    Type.String({ minLength: 1, description: 'The HTML. Use {{{RESEND_UNSUBSCRIBE_URL}}} for the unsubscribe link.' }),
  ),
  text: optional(Type.String({ minLength: 1 })),
  reply_to: optional(recipients('Email addresses for replies.')),
  topic_id: named(
    'topic',
    optional({
      ...topic,
      description: `${topic.description} Contacts who unsubscribed from the topic do not get the email.`,
    }),
  ),
}

const listBroadcasts = tool('list_broadcasts: GET /broadcasts', {
  title: 'List broadcasts',
  description: 'List drafted, scheduled and sent broadcasts: ID, name, status, segment and dates.',
  query: listQuery,
  pagination: listPages,
  keep: broadcastFields,
})

const getBroadcast = tool('get_broadcast: GET /broadcasts/{broadcast}', {
  title: 'Get broadcast',
  description: 'Read one broadcast: sender, subject, content, segment and status.',
  path,
  keep: `${broadcastFields} from subject reply_to preview_text html text`,
})

const createBroadcast = tool('create_broadcast: POST /broadcasts', {
  title: 'Create broadcast',
  description:
    'Draft an email to a whole segment. Give html, text or both. Returns its ID. Send it with send_broadcast.',
  json: { segment_id: named('segment', segment), from, subject, ...content },
  keep: 'id',
})

const updateBroadcast = tool('update_broadcast: PATCH /broadcasts/{broadcast}', {
  title: 'Update broadcast',
  description: 'Change a drafted broadcast. Omitted fields stay unchanged. A scheduled one: cancel_broadcast first.',
  path,
  json: {
    segment_id: named('segment', optional(segment)),
    from: optional(from),
    subject: optional(subject),
    ...content,
  },
  keep: 'id',
})

const sendBroadcast = tool('send_broadcast: POST /broadcasts/{broadcast}/send', {
  title: 'Send broadcast',
  description: 'Send a drafted broadcast to its whole segment, now or later. A sent broadcast cannot be recalled.',
  annotations: { ...adds, destructiveHint: true },
  path,
  json: { scheduled_at: optional(scheduledAt) },
  keep: 'id',
})

const cancelBroadcast = tool('cancel_broadcast: POST /broadcasts/{broadcast}/cancel', {
  title: 'Cancel broadcast',
  description:
    'Stop a broadcast. A scheduled one becomes a draft again. Of one that is being sent, emails that already left stay sent.',
  annotations: overwrites,
  path,
  keep: 'id',
})

const deleteBroadcast = tool('delete_broadcast: DELETE /broadcasts/{broadcast}', {
  title: 'Delete broadcast',
  description: 'Delete a drafted or scheduled broadcast permanently. A scheduled one is not sent.',
  path,
  keep: 'id deleted',
})

const listBroadcastRecipients = tool('list_broadcast_recipients: GET /broadcasts/{broadcast}/recipients', {
  title: 'List broadcast recipients',
  description: 'List who received, opened or clicked a broadcast, left it, or did not get it.',
  path,
  query: {
    type: oneOf(['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed', 'suppressed']),
    email: optional(text('Only addresses that contain this.', 320)),
    ...listQuery,
  },
  pagination: listPages,
  keep: 'contact_id email count bounce_type clicked_links { url clicks }',
})

/** Resend tools for broadcasts: emails to a whole segment. */
export const broadcastTools = [
  listBroadcasts,
  getBroadcast,
  createBroadcast,
  updateBroadcast,
  sendBroadcast,
  cancelBroadcast,
  deleteBroadcast,
  listBroadcastRecipients,
]
