import { flag, integer, named, optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites, sets } from '../../annotations.ts'
import { channel, message, person, thread, ts } from '../arguments.ts'

const reaction = {
  channel,
  timestamp: named('ts', ts),
  name: named('emoji', text('The name of an emoji without colons: thumbsup.', 100, { pattern: "^[a-z0-9_+'-]+$" })),
}

const postMessage = tool('post_message: POST /chat.postMessage', {
  title: 'Post a message',
  description:
    'Post a message to a channel or direct message as the app, or reply in a thread. Everyone there sees it at once. ' +
    'Returns channel and ts, which identify the message. To message a person, use send_direct_message.',
  scopes: ['chat:write'],
  json: {
    channel,
    text: message,
    thread_ts: optional(thread),
    reply_broadcast: optional(flag('Whether to also show the reply in the channel.')),
    unfurl_links: optional(flag('Whether to show link previews.')),
  },
  keep: 'channel ts message { thread_ts }',
})

const sendDirectMessage = tool('send_direct_message: POST /chat.postMessage', {
  title: 'Send a direct message',
  description: 'Send a direct message to one person as the app. Returns channel and ts, which identify the message.',
  scopes: ['im:write', 'chat:write'],
  steps: [
    {
      step: 'open: POST /conversations.open',
      json: { users: named('user', person()) },
      keep: { channel: '/channel/id' },
      writes: false,
    },
  ],
  json: { channel: '{open.channel}', text: message },
  keep: 'channel ts',
})

const updateMessage = tool('update_message: POST /chat.update', {
  title: 'Update a message',
  description: 'Replace the text of a message that the app posted.',
  annotations: overwrites,
  scopes: ['chat:write'],
  json: { channel, ts, text: message },
  keep: 'channel ts text|mrkdwn-to-markdown',
})

const deleteMessage = tool('delete_message: POST /chat.delete', {
  title: 'Delete a message',
  description: 'Delete a message that the app posted. It cannot be restored.',
  annotations: overwrites,
  scopes: ['chat:write'],
  json: { channel, ts },
  keep: 'channel ts',
})

const scheduleMessage = tool('schedule_message: POST /chat.scheduleMessage', {
  title: 'Schedule a message',
  description: 'Schedule a message, at most 120 days ahead. Returns scheduled_message_id.',
  scopes: ['chat:write'],
  json: {
    channel,
    text: message,
    post_at: integer('The time to post, in seconds since 1970.', 1_700_000_000, 4_102_444_800),
    thread_ts: optional(thread),
  },
  keep: 'channel scheduled_message_id post_at',
})

const addReaction = tool('add_reaction: POST /reactions.add', {
  title: 'React to a message',
  description: 'Add an emoji reaction of the app to a message.',
  annotations: sets,
  scopes: ['reactions:write'],
  json: reaction,
  returns: done('The reaction was added.'),
})

const removeReaction = tool('remove_reaction: POST /reactions.remove', {
  title: 'Remove a reaction',
  description: 'Remove an emoji reaction of the app from a message.',
  annotations: overwrites,
  scopes: ['reactions:write'],
  json: reaction,
  returns: done('The reaction was removed.'),
})

/** Slack tools that write messages. */
export const messageTools = [
  postMessage,
  sendDirectMessage,
  updateMessage,
  deleteMessage,
  scheduleMessage,
  addReaction,
  removeReaction,
]
