import type { TString } from '@sinclair/typebox'
import {
  converted,
  either,
  flag,
  integer,
  named,
  oneOf,
  optional,
  text,
} from '../../../../services/definitions/arguments.ts'
import { FileNameArgument, fileArgument } from '../../../../services/definitions/file-argument.ts'
import { done, file } from '../../../../services/definitions/http-tool.ts'
import { overwrites, sets, tool } from '../../../../services/definitions/tool.ts'
import { pageSize, pageStart } from '../../shared-arguments.ts'
import { channel, pages, person } from '../arguments.ts'

/** A message, identified in its channel by its time. */
function timestamp(description: string): TString {
  return text(`${description} For example 1712345678.123456.`, 17, { pattern: '^\\d{10}\\.\\d{6}$' })
}

/** The message that the tool acts on. */
const ts = timestamp('The ts of the message, from read_channel, read_thread, search_messages or post_message.')

/** The message whose thread gets a reply. */
const thread = timestamp(
  'Reply in the thread of the message with this ts, from read_channel, read_thread or search_messages.',
)

/** The start or end of a period. */
function moment(description: string): TString {
  return text(`${description} Seconds since 1970, or the ts of a message.`, 17, { pattern: '^\\d{10}(\\.\\d{6})?$' })
}

const MARKDOWN =
  'in Markdown: **bold**, *italic*, `code`, lists, [a link](https://example.com). <@U0123456789> mentions a person. ' +
  'Keep it below 4000 characters.'

/** The text of a message. Slack truncates longer texts. */
const message = converted('markdown-to-mrkdwn', named('text', text(`The text ${MARKDOWN}`, 40_000)))

/** The text of the message that shares a file. */
const comment = text(`The text of the message with the file, ${MARKDOWN}`, 40_000)

/** The fields of a message that a model gets. */
const messageFields =
  'ts thread_ts user bot_id username subtype text|mrkdwn-to-markdown reply_count latest_reply reactions { name count } files { id name }'

const reaction = {
  channel,
  timestamp: named('ts', ts),
  name: named('emoji', text('The name of an emoji without colons: thumbsup.', 100, { pattern: "^[a-z0-9_+'-]+$" })),
}

/** Slack tools that read messages. */
export const readingTools = [
  tool('search_messages: GET /search.messages', {
    title: 'Search messages',
    description:
      'Search all messages that the connected person can see, with Slack search syntax. Example: "release notes" ' +
      'in:#general from:@ada after:2026-01-01 has:link. Returns text, author, channel, ts and permalink.',
    as: 'user',
    scopes: ['search:read'],
    query: {
      query: text(
        'Words, "phrases" and modifiers: in:, from:, to:, before:, after:, on:, has:, is:thread, -word.',
        1000,
      ),
      sort: optional(oneOf(['score', 'timestamp'], 'Default: score (best match).')),
      sort_dir: optional(oneOf(['asc', 'desc'], 'Default: desc.')),
      count: pageSize(20, 100),
      page: pageStart,
    },
    pagination: { style: 'page', items: '/messages/matches' },
    keep: 'ts text|mrkdwn-to-markdown user username channel { id name } permalink',
  }),

  tool('read_channel: GET /conversations.history', {
    title: 'Read a channel',
    description:
      'Read the messages of a channel or direct message, newest first. Thread replies are not included: if ' +
      'reply_count is set, use read_thread. user is an ID: get_user returns the name. The app must be in the channel.',
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
  }),

  tool('read_thread: GET /conversations.replies', {
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
  }),

  tool('get_permalink: GET /chat.getPermalink', {
    title: 'Link to a message',
    description: 'Get the URL of a message.',
    query: { channel, message_ts: named('ts', ts) },
    keep: 'channel permalink',
  }),
]

/** Slack tools that write messages. */
export const messageTools = [
  tool('post_message: POST /chat.postMessage', {
    title: 'Post a message',
    description:
      'Post a message to a channel or direct message as the app, or reply in a thread. Everyone there sees it at ' +
      'once. Returns channel and ts, which identify the message. To message a person, use send_direct_message.',
    scopes: ['chat:write'],
    json: {
      channel,
      text: message,
      thread_ts: optional(thread),
      reply_broadcast: optional(flag('Whether to also show the reply in the channel.')),
      unfurl_links: optional(flag('Whether to show link previews.')),
    },
    keep: 'channel ts message { thread_ts }',
  }),

  tool('send_direct_message: POST /chat.postMessage', {
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
  }),

  tool('update_message: POST /chat.update', {
    title: 'Update a message',
    description: 'Replace the text of a message that the app posted.',
    annotations: overwrites,
    scopes: ['chat:write'],
    json: { channel, ts, text: message },
    keep: 'channel ts text|mrkdwn-to-markdown',
  }),

  tool('delete_message: POST /chat.delete', {
    title: 'Delete a message',
    description: 'Delete a message that the app posted. It cannot be restored.',
    annotations: overwrites,
    scopes: ['chat:write'],
    json: { channel, ts },
    keep: 'channel ts',
  }),

  tool('schedule_message: POST /chat.scheduleMessage', {
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
  }),

  tool('add_reaction: POST /reactions.add', {
    title: 'React to a message',
    description: 'Add an emoji reaction of the app to a message.',
    annotations: sets,
    scopes: ['reactions:write'],
    json: reaction,
    returns: done('The reaction was added.'),
  }),

  tool('remove_reaction: POST /reactions.remove', {
    title: 'Remove a reaction',
    description: 'Remove an emoji reaction of the app from a message.',
    annotations: overwrites,
    scopes: ['reactions:write'],
    json: reaction,
    returns: done('The reaction was removed.'),
  }),
]

/** Slack tools for files, which messages share. */
export const fileTools = [
  tool('list_files: GET /files.list', {
    title: 'List files',
    description: 'List shared files, newest first: ID, name, type, size, who shared it, where, and a link.',
    scopes: ['files:read'],
    query: {
      channel: optional(channel),
      user: optional(person('Only files of the person with this ID.')),
      ts_from: optional(moment('Only files created after this time.')),
      ts_to: optional(moment('Only files created before this time.')),
      types: optional(oneOf(['all', 'spaces', 'snippets', 'images', 'gdocs', 'zips', 'pdfs'], 'Default: all.')),
      count: pageSize(20, 100),
      page: pageStart,
    },
    pagination: { style: 'page', items: '/files' },
    keep: 'id name title mimetype size user created channels permalink',
  }),

  tool('download_file: GET files{info.url}', {
    title: 'Download a file',
    description: 'Read the content of a file stored in Slack. Returns an artifact ID and a URL.',
    scopes: ['files:read'],
    steps: [
      {
        step: 'info: GET /files.info',
        query: {
          file: text('The ID of the file, from list_files or a message: F0123456789.', 32, { pattern: '^F[A-Z0-9]+$' }),
        },
        keep: { url: '/file/url_private_download', name: '/file/name' },
      },
    ],
    returns: file('{info.name}'),
  }),

  tool('upload_file: POST /files.completeUploadExternal', {
    title: 'Upload a file',
    description:
      'Upload a file and share it in a channel or direct message that the app is in, or in a thread. Returns the ID of the file.',
    scopes: ['files:write'],
    steps: [
      {
        step: 'reserve: POST /files.getUploadURLExternal',
        form: { length: '{content.bytes}', filename: either(named('file_name', FileNameArgument), '{content.name}') },
        keep: { url: '/upload_url', file: '/file_id' },
        writes: false,
      },
      {
        step: 'send: POST uploads{reserve.url}',
        raw: named('content', fileArgument({ what: 'The file', minLength: 1 })),
        // Nobody sees a file before its upload is completed.
        writes: false,
      },
    ],
    json: {
      files: [{ id: '{reserve.file}', title: optional(text('The title of the file. Default: its name.', 250)) }],
      channel_id: named('channel', channel),
      thread_ts: optional(thread),
      initial_comment: converted('markdown-to-mrkdwn', named('comment', optional(comment))),
    },
    at: '/files',
    keep: 'id title',
  }),
]
