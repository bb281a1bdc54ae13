import { Type } from '@sinclair/typebox'
import { done, httpTool, pick, sameNames } from '../../../../services/definitions/http-tool.ts'
import { adds, overwrites, sets } from '../../annotations.ts'
import { channel, text, timestamp, ts } from '../arguments.ts'

const thread = timestamp('Reply in the thread of the message with this ts.')
const emoji = Type.String({
  pattern: "^[a-z0-9_+'-]{1,100}$",
  description: 'The name of an emoji without colons: thumbsup.',
})

const postMessage = httpTool({
  operation: 'post_message',
  title: 'Post a message',
  description:
    'Post a message to a channel or direct message as the app, or reply in a thread. Everyone there sees it at once. ' +
    'Returns channel and ts, which identify the message. To message a person, call open_direct_message first.',
  annotations: adds,
  scopes: ['chat:write'],
  input: {
    channel,
    text,
    thread_ts: Type.Optional(thread),
    reply_broadcast: Type.Optional(Type.Boolean({ description: 'Whether to also show the reply in the channel.' })),
    unfurl_links: Type.Optional(Type.Boolean({ description: 'Whether to show link previews.' })),
  },
  request: {
    method: 'POST',
    path: '/chat.postMessage',
    body: {
      json: sameNames('channel', 'text', 'thread_ts', 'reply_broadcast', 'unfurl_links'),
    },
  },
  result: pick('', ['channel', 'ts', 'message.thread_ts']),
})

const updateMessage = httpTool({
  operation: 'update_message',
  title: 'Update a message',
  description: 'Replace the text of a message that the app posted.',
  annotations: overwrites,
  scopes: ['chat:write'],
  input: { channel, ts, text },
  request: {
    method: 'POST',
    path: '/chat.update',
    body: { json: sameNames('channel', 'ts', 'text') },
  },
  result: pick('', ['channel', 'ts', 'text']),
})

const deleteMessage = httpTool({
  operation: 'delete_message',
  title: 'Delete a message',
  description: 'Delete a message that the app posted. It cannot be restored.',
  annotations: overwrites,
  scopes: ['chat:write'],
  input: { channel, ts },
  request: { method: 'POST', path: '/chat.delete', body: { json: sameNames('channel', 'ts') } },
  result: pick('', ['channel', 'ts']),
})

const scheduleMessage = httpTool({
  operation: 'schedule_message',
  title: 'Schedule a message',
  description: 'Schedule a message, at most 120 days ahead. Returns scheduled_message_id.',
  annotations: adds,
  scopes: ['chat:write'],
  input: {
    channel,
    text,
    post_at: Type.Integer({
      minimum: 1_700_000_000,
      maximum: 4_102_444_800,
      description: 'The time to post, in seconds since 1970.',
    }),
    thread_ts: Type.Optional(thread),
  },
  request: {
    method: 'POST',
    path: '/chat.scheduleMessage',
    body: { json: sameNames('channel', 'text', 'post_at', 'thread_ts') },
  },
  result: pick('', ['channel', 'scheduled_message_id', 'post_at']),
})

const addReaction = httpTool({
  operation: 'add_reaction',
  title: 'React to a message',
  description: 'Add an emoji reaction of the app to a message.',
  annotations: sets,
  scopes: ['reactions:write'],
  input: { channel, ts, emoji },
  request: {
    method: 'POST',
    path: '/reactions.add',
    body: { json: { channel: '{channel}', timestamp: '{ts}', name: '{emoji}' } },
  },
  result: done('The reaction was added.'),
})

const removeReaction = httpTool({
  operation: 'remove_reaction',
  title: 'Remove a reaction',
  description: 'Remove an emoji reaction of the app from a message.',
  annotations: overwrites,
  scopes: ['reactions:write'],
  input: { channel, ts, emoji },
  request: {
    method: 'POST',
    path: '/reactions.remove',
    body: { json: { channel: '{channel}', timestamp: '{ts}', name: '{emoji}' } },
  },
  result: done('The reaction was removed.'),
})

/** Slack tools that write messages. */
export const messageTools = [postMessage, updateMessage, deleteMessage, scheduleMessage, addReaction, removeReaction]
