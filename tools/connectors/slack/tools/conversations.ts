import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../../../schemas/string-enum.ts'
import { httpTool, joined, pick, sameNames } from '../../../../services/definitions/http-tool.ts'
import { adds, overwrites, reads, sets } from '../../annotations.ts'
import { cursor, limit } from '../../paging.ts'
import { channel, user } from '../arguments.ts'

const channelFields = [
  'id',
  'name',
  'is_private',
  'is_archived',
  'is_member',
  'is_im',
  'user',
  'num_members',
  'topic.value',
  'purpose.value',
]

const listChannels = httpTool({
  operation: 'list_channels',
  title: 'List channels',
  description:
    'List channels with their IDs, topics and number of members. is_member says whether the app is in the channel and ' +
    'can read it. Follow cursor to the end: a page can be shorter than limit even if more pages follow.',
  annotations: reads,
  scopes: ['channels:read'],
  input: {
    types: Type.Optional(
      Type.Array(StringEnum(['public_channel', 'private_channel', 'mpim', 'im']), {
        minItems: 1,
        maxItems: 4,
        uniqueItems: true,
        description: 'Which kinds. Default: public channels.',
      }),
    ),
    exclude_archived: Type.Optional(Type.Boolean({ description: 'Whether to omit archived channels.' })),
    limit: limit({ max: 999, default: 100 }),
    cursor,
  },
  request: {
    method: 'GET',
    path: '/conversations.list',
    query: { types: joined('types'), ...sameNames('exclude_archived', 'limit', 'cursor') },
  },
  pagination: { style: 'cursor', items: '/channels', next: '/response_metadata/next_cursor' },
  result: pick('/channels', channelFields),
})

const getChannel = httpTool({
  operation: 'get_channel',
  title: 'Get a channel',
  description: 'Read one channel: name, topic, purpose, number of members, and whether the app is in it.',
  annotations: reads,
  scopes: ['channels:read'],
  input: { channel },
  request: {
    method: 'GET',
    path: '/conversations.info',
    query: { channel: '{channel}', include_num_members: true },
  },
  result: pick('/channel', [...channelFields, 'created', 'creator']),
})

const listChannelMembers = httpTool({
  operation: 'list_channel_members',
  title: 'List the members of a channel',
  description: 'List the IDs of the people in a channel. get_user returns their names.',
  annotations: reads,
  scopes: ['channels:read'],
  input: { channel, limit: limit({ max: 999, default: 100 }), cursor },
  request: {
    method: 'GET',
    path: '/conversations.members',
    query: sameNames('channel', 'limit', 'cursor'),
  },
  pagination: { style: 'cursor', items: '/members', next: '/response_metadata/next_cursor' },
  result: pick('/members', []),
})

const createChannel = httpTool({
  operation: 'create_channel',
  title: 'Create a channel',
  description: 'Create a channel that includes the app. Returns its ID for invite_to_channel and post_message.',
  annotations: adds,
  scopes: ['channels:manage'],
  input: {
    name: Type.String({
      pattern: '^[a-z0-9_-]+$',
      minLength: 1,
      maxLength: 80,
      description: 'Lowercase letters, digits, hyphens and underscores: project-apollo.',
    }),
    is_private: Type.Optional(Type.Boolean({ description: 'Whether only invited people can see it.' })),
  },
  request: {
    method: 'POST',
    path: '/conversations.create',
    body: { json: sameNames('name', 'is_private') },
  },
  result: pick('/channel', ['id', 'name', 'is_private', 'created']),
})

const inviteToChannel = httpTool({
  operation: 'invite_to_channel',
  title: 'Invite to a channel',
  description: 'Add people to a channel that the app is in.',
  annotations: sets,
  scopes: ['channels:manage'],
  input: {
    channel,
    users: Type.Array(user, { minItems: 1, maxItems: 100, description: 'The IDs of the people.' }),
  },
  request: {
    method: 'POST',
    path: '/conversations.invite',
    body: { json: { channel: '{channel}', users: joined('users') } },
  },
  result: pick('/channel', ['id', 'name']),
})

const joinChannel = httpTool({
  operation: 'join_channel',
  title: 'Join a channel',
  description: 'Add the app to a public channel so that it can read messages there.',
  annotations: sets,
  scopes: ['channels:join'],
  input: { channel },
  request: { method: 'POST', path: '/conversations.join', body: { json: { channel: '{channel}' } } },
  result: pick('/channel', ['id', 'name', 'is_member']),
})

const setTopic = httpTool({
  operation: 'set_topic',
  title: 'Set the topic of a channel',
  description: 'Set the topic of a channel.',
  annotations: overwrites,
  scopes: ['channels:manage'],
  input: { channel, topic: Type.String({ maxLength: 250, description: 'The new topic. Empty removes it.' }) },
  request: {
    method: 'POST',
    path: '/conversations.setTopic',
    body: { json: sameNames('channel', 'topic') },
  },
  result: pick('/channel', ['id', 'name', 'topic.value']),
})

const openDirectMessage = httpTool({
  operation: 'open_direct_message',
  title: 'Open a direct message',
  description:
    'Open a direct message with one person, or a group message with up to eight. An existing conversation is reused. ' +
    'Returns the ID of the conversation for post_message.',
  annotations: sets,
  scopes: ['im:write'],
  input: {
    users: Type.Array(user, { minItems: 1, maxItems: 8, description: 'The IDs of the people, without the app.' }),
  },
  request: { method: 'POST', path: '/conversations.open', body: { json: { users: joined('users') } } },
  result: pick('', ['channel.id', 'already_open']),
})

/** Slack tools for channels and direct messages. */
export const conversationTools = [
  listChannels,
  getChannel,
  listChannelMembers,
  createChannel,
  inviteToChannel,
  joinChannel,
  setTopic,
  openDirectMessage,
]
