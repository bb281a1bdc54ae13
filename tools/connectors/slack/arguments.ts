import { Type } from '@sinclair/typebox'

/** A conversation, by ID. */
export const channel = Type.String({
  pattern: '^[CDG][A-Z0-9]{2,30}$',
  description: 'The ID of a channel or direct message, not its name: C0123456789. From list_channels.',
})

/** A person, by ID. */
export const user = Type.String({
  pattern: '^[UW][A-Z0-9]{2,30}$',
  description: 'The ID of a person: U0123456789. From list_users or find_user_by_email.',
})

/** A message, identified in its channel by its time. */
export function timestamp(description: string) {
  return Type.String({ pattern: '^\\d{10}\\.\\d{6}$', description: `${description} For example 1712345678.123456.` })
}

/** The message that the tool acts on. */
export const ts = timestamp('The ts of the message, from read_channel, read_thread, search_messages or post_message.')

/** The start or end of a period. */
export function moment(description: string) {
  return Type.String({
    pattern: '^\\d{10}(\\.\\d{6})?$',
    description: `${description} Seconds since 1970, or the ts of a message.`,
  })
}

/** The text of a message. Slack truncates longer texts. */
export const text = Type.String({
  minLength: 1,
  maxLength: 40000,
  description:
    'The text in Slack’s mrkdwn: *bold*, _italic_, `code`, <https://example.com|a link>, <@U0123456789> to mention. ' +
    'Keep it below 4000 characters.',
})

/** The fields of a message that a model gets. */
export const messageFields = [
  'ts',
  'thread_ts',
  'user',
  'bot_id',
  'username',
  'subtype',
  'text',
  'reply_count',
  'latest_reply',
  'reactions.name',
  'reactions.count',
  'files.id',
  'files.name',
]
