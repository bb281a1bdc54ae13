import { flag, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { pageSize, pageStart } from '../../paging.ts'
import { channel, messageFields, moment, pages, timestamp, ts } from '../arguments.ts'

const searchMessages = tool('search_messages: GET /search.messages', {
  title: 'Search messages',
  description:
    'Search all messages that the connected person can see, with Slack search syntax. Example: "release notes" ' +
    'in:#general from:@ada after:2026-01-01 has:link. Returns text, author, channel, ts and permalink.',
  as: 'user',
  scopes: ['search:read'],
  query: {
    query: text('Words, "phrases" and modifiers: in:, from:, to:, before:, after:, on:, has:, is:thread, -word.', 1000),
    sort: optional(oneOf(['score', 'timestamp'], 'Default: score (best match).')),
    sort_dir: optional(oneOf(['asc', 'desc'])),
    count: pageSize(20, 100),
    page: pageStart,
  },
  pagination: { style: 'page', items: '/messages/matches' },
  keep: 'ts text|mrkdwn-to-markdown user username channel { id name } permalink',
})

const readChannel = tool('read_channel: GET /conversations.history', {
  title: 'Read a channel',
  description:
    'Read the messages of a channel or direct message, newest first. Thread replies are not included: if reply_count is ' +
    'set, use read_thread. user is an ID: get_user returns the name. The app must be in the channel.',
  scopes: ['channels:history'],
  query: {
    channel,
    oldest: optional(moment('Only messages after this time.')),
    latest: optional(moment('Only messages before this time.')),
    inclusive: optional(flag('Whether to include messages exactly at oldest and latest.')),
    limit: pageSize(50, 200),
    cursor: pageStart,
  },
  pagination: pages('/messages'),
  keep: messageFields,
})

const readThread = tool('read_thread: GET /conversations.replies', {
  title: 'Read a thread',
  description: 'Read a thread, oldest first: the first message and its replies.',
  scopes: ['channels:history'],
  query: {
    channel,
    ts: timestamp(
      'The ts of the first message of the thread, from read_channel or search_messages (thread_ts of any of its replies).',
    ),
    oldest: optional(moment('Only messages after this time.')),
    latest: optional(moment('Only messages before this time.')),
    limit: pageSize(50, 200),
    cursor: pageStart,
  },
  pagination: pages('/messages'),
  keep: messageFields,
})

const getPermalink = tool('get_permalink: GET /chat.getPermalink', {
  title: 'Link to a message',
  description: 'Get the URL of a message.',
  query: { channel, message_ts: named('ts', ts) },
  keep: 'channel permalink',
})

/** Slack tools that read messages. */
export const readingTools = [searchMessages, readChannel, readThread, getPermalink]
