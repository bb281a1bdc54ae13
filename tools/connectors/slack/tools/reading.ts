import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../../../schemas/string-enum.ts'
import { httpTool, pick, sameNames } from '../../../../services/definitions/http-tool.ts'
import { reads } from '../../annotations.ts'
import { cursor, limit } from '../../paging.ts'
import { channel, messageFields, moment, timestamp, ts, user } from '../arguments.ts'

const searchMessages = httpTool({
  operation: 'search_messages',
  title: 'Search messages',
  description:
    'Search all messages that the connected person can see, with Slack search syntax. Example: "release notes" ' +
    'in:#general from:@ada after:2026-01-01 has:link. Returns text, author, channel, ts and permalink.',
  annotations: reads,
  as: 'user',
  scopes: ['search:read'],
  input: {
    query: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'Words, "phrases" and modifiers: in:, from:, to:, before:, after:, on:, has:, is:thread, -word.',
    }),
    sort: Type.Optional(StringEnum(['score', 'timestamp'], { description: 'Default: score (best match).' })),
    sort_dir: Type.Optional(StringEnum(['asc', 'desc'])),
    limit: limit({ max: 100, default: 20 }),
    cursor,
  },
  request: {
    method: 'GET',
    path: '/search.messages',
    query: { ...sameNames('query', 'sort', 'sort_dir'), count: '{limit}', page: '{cursor}' },
  },
  pagination: { style: 'page', items: '/messages/matches' },
  result: pick('/messages/matches', ['ts', 'text', 'user', 'username', 'channel.id', 'channel.name', 'permalink']),
})

const readChannel = httpTool({
  operation: 'read_channel',
  title: 'Read a channel',
  description:
    'Read the messages of a channel or direct message, newest first. Thread replies are not included: if reply_count is ' +
    'set, use read_thread. user is an ID: get_user returns the name. The app must be in the channel.',
  annotations: reads,
  scopes: ['channels:history'],
  input: {
    channel,
    oldest: Type.Optional(moment('Only messages after this time.')),
    latest: Type.Optional(moment('Only messages before this time.')),
    inclusive: Type.Optional(
      Type.Boolean({ description: 'Whether to include messages exactly at oldest and latest.' }),
    ),
    limit: limit({ max: 200, default: 50 }),
    cursor,
  },
  request: {
    method: 'GET',
    path: '/conversations.history',
    query: sameNames('channel', 'oldest', 'latest', 'inclusive', 'limit', 'cursor'),
  },
  pagination: { style: 'cursor', items: '/messages', next: '/response_metadata/next_cursor' },
  result: pick('/messages', messageFields),
})

const readThread = httpTool({
  operation: 'read_thread',
  title: 'Read a thread',
  description: 'Read a thread, oldest first: the first message and its replies.',
  annotations: reads,
  scopes: ['channels:history'],
  input: {
    channel,
    ts: timestamp('The ts of the first message of the thread (thread_ts of any of its replies).'),
    oldest: Type.Optional(moment('Only messages after this time.')),
    latest: Type.Optional(moment('Only messages before this time.')),
    limit: limit({ max: 200, default: 50 }),
    cursor,
  },
  request: {
    method: 'GET',
    path: '/conversations.replies',
    query: sameNames('channel', 'ts', 'oldest', 'latest', 'limit', 'cursor'),
  },
  pagination: { style: 'cursor', items: '/messages', next: '/response_metadata/next_cursor' },
  result: pick('/messages', messageFields),
})

const getPermalink = httpTool({
  operation: 'get_permalink',
  title: 'Link to a message',
  description: 'Get the URL of a message.',
  annotations: reads,
  input: { channel, ts },
  request: {
    method: 'GET',
    path: '/chat.getPermalink',
    query: { channel: '{channel}', message_ts: '{ts}' },
  },
  result: pick('', ['channel', 'permalink']),
})

const listFiles = httpTool({
  operation: 'list_files',
  title: 'List files',
  description: 'List shared files, newest first: ID, name, type, size, who shared it, where, and a link.',
  annotations: reads,
  scopes: ['files:read'],
  input: {
    channel: Type.Optional(channel),
    user: Type.Optional({ ...user, description: 'Only files of the person with this ID.' }),
    ts_from: Type.Optional(moment('Only files created after this time.')),
    ts_to: Type.Optional(moment('Only files created before this time.')),
    types: Type.Optional(
      StringEnum(['all', 'spaces', 'snippets', 'images', 'gdocs', 'zips', 'pdfs'], {
        description: 'Default: all.',
      }),
    ),
    limit: limit({ max: 100, default: 20 }),
    cursor,
  },
  request: {
    method: 'GET',
    path: '/files.list',
    query: { ...sameNames('channel', 'user', 'ts_from', 'ts_to', 'types'), count: '{limit}', page: '{cursor}' },
  },
  pagination: { style: 'page', items: '/files' },
  result: pick('/files', ['id', 'name', 'title', 'mimetype', 'size', 'user', 'created', 'channels', 'permalink']),
})

/** Slack tools that read messages and files. */
export const readingTools = [searchMessages, readChannel, readThread, getPermalink, listFiles]
