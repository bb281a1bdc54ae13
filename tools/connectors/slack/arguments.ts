import type { TString } from '@sinclair/typebox'
import { converted, named, text } from '../../../services/definitions/arguments.ts'

/** A conversation, by ID. */
export const channel = text(
  'The ID of a channel or direct message, not its name: C0123456789. From list_channels or search_messages.',
  32,
  { pattern: '^[CDG][A-Z0-9]{2,30}$' },
)

/** A person, by ID. */
export function person(
  description = 'The ID of a person: U0123456789. From list_users or find_user_by_email.',
): TString {
  return text(description, 32, { pattern: '^[UW][A-Z0-9]{2,30}$' })
}

/** A message, identified in its channel by its time. */
export function timestamp(description: string): TString {
  return text(`${description} For example 1712345678.123456.`, 17, { pattern: '^\\d{10}\\.\\d{6}$' })
}

/** The message that the tool acts on. */
export const ts = timestamp('The ts of the message, from read_channel, read_thread, search_messages or post_message.')

/** The message whose thread gets a reply. */
export const thread = timestamp(
  'Reply in the thread of the message with this ts, from read_channel, read_thread or search_messages.',
)

/** The start or end of a period. */
export function moment(description: string): TString {
  return text(`${description} Seconds since 1970, or the ts of a message.`, 17, { pattern: '^\\d{10}(\\.\\d{6})?$' })
}

const MARKDOWN =
  'in Markdown: **bold**, *italic*, `code`, lists, [a link](https://example.com). <@U0123456789> mentions a person. ' +
  'Keep it below 4000 characters.'

/** The text of a message. Slack truncates longer texts. */
export const message = converted('markdown-to-mrkdwn', named('text', text(`The text ${MARKDOWN}`, 40_000)))

/** The text of the message that shares a file. */
export const comment = text(`The text of the message with the file, ${MARKDOWN}`, 40_000)

/** The fields of a message that a model gets. */
export const messageFields =
  'ts thread_ts user bot_id username subtype text|mrkdwn-to-markdown reply_count latest_reply reactions { name count } files { id name }'

/** How Slack pages most lists. */
export function pages(items: string) {
  return { style: 'cursor', items, next: '/response_metadata/next_cursor' } as const
}
