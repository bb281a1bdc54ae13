import { flag, list, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { overwrites, sets, tool } from '../../../../services/definitions/tool.ts'
import { pageSize, pageStart } from '../../shared-arguments.ts'
import { channel, pages, person } from '../arguments.ts'

const channelFields =
  'id name is_private is_archived is_member is_im user num_members topic { value } purpose { value }'

const personFields = 'id name real_name profile { display_name email title } tz is_bot deleted'

/** Slack tools for channels and direct messages. */
export const conversationTools = [
  tool('list_channels: GET /conversations.list', {
    title: 'List channels',
    description:
      'List channels with their IDs, topics and number of members. is_member says whether the app is in the channel ' +
      'and can read it. Follow cursor to the end: a page can be shorter than limit even if more pages follow.',
    scopes: ['channels:read'],
    query: {
      types: {
        $join: optional(
          list(
            oneOf(['public_channel', 'private_channel', 'mpim', 'im']),
            'The kinds of channels. Default: public channels.',
            4,
          ),
        ),
        separator: ',',
      },
      exclude_archived: optional(flag('Whether to omit archived channels.')),
      limit: pageSize(100, 999),
      cursor: pageStart,
    },
    pagination: pages('/channels'),
    keep: channelFields,
  }),

  tool('get_channel: GET /conversations.info', {
    title: 'Get a channel',
    description: 'Read one channel: name, topic, purpose, number of members, and whether the app is in it.',
    scopes: ['channels:read'],
    query: { channel, include_num_members: true },
    at: '/channel',
    keep: `${channelFields} created creator`,
  }),

  tool('list_channel_members: GET /conversations.members', {
    title: 'List the members of a channel',
    description: 'List the IDs of the people in a channel. get_user returns their names.',
    scopes: ['channels:read'],
    query: { channel, limit: pageSize(100, 999), cursor: pageStart },
    pagination: pages('/members'),
  }),

  tool('create_channel: POST /conversations.create', {
    title: 'Create a channel',
    description: 'Create a channel that includes the app. Returns its ID for invite_to_channel and post_message.',
    scopes: ['channels:manage'],
    json: {
      name: text('Lowercase letters, digits, hyphens and underscores: project-apollo.', 80, {
        pattern: '^[a-z0-9_-]+$',
      }),
      is_private: optional(flag('Whether only invited people can see it.')),
    },
    at: '/channel',
    keep: 'id name is_private created',
  }),

  tool('invite_to_channel: POST /conversations.invite', {
    title: 'Invite to a channel',
    description: 'Add people to a channel that the app is in.',
    annotations: sets,
    scopes: ['channels:manage'],
    json: { channel, users: { $join: list(person(), 'The IDs of the people.', 100), separator: ',' } },
    at: '/channel',
    keep: 'id name',
  }),

  tool('join_channel: POST /conversations.join', {
    title: 'Join a channel',
    description: 'Add the app to a public channel so that it can read messages there.',
    annotations: sets,
    scopes: ['channels:join'],
    json: { channel },
    at: '/channel',
    keep: 'id name is_member',
  }),

  tool('set_topic: POST /conversations.setTopic', {
    title: 'Set the topic of a channel',
    description: 'Set the topic of a channel.',
    annotations: overwrites,
    scopes: ['channels:manage'],
    json: { channel, topic: text('The new topic. Empty removes it.', 250, { min: 0 }) },
    at: '/channel',
    keep: 'id name topic { value }',
  }),

  tool('open_direct_message: POST /conversations.open', {
    title: 'Open a direct message',
    description:
      'Open a direct message with one person, or a group message with up to eight. An existing conversation is ' +
      'reused. Returns the ID of the conversation for post_message and read_channel. send_direct_message opens and ' +
      'posts at once.',
    annotations: sets,
    scopes: ['im:write'],
    json: { users: { $join: list(person(), 'The IDs of the people, without the app.', 8), separator: ',' } },
    keep: 'channel { id } already_open',
  }),
]

/** Slack tools for people. */
export const peopleTools = [
  tool('list_users: GET /users.list', {
    title: 'List people',
    description:
      'List the people of the workspace, including bots and deleted users: ID, name, email address and time zone.',
    scopes: ['users:read'],
    query: { limit: pageSize(100, 200), cursor: pageStart },
    pagination: pages('/members'),
    keep: personFields,
  }),

  tool('get_user: GET /users.info', {
    title: 'Get a person',
    description: 'Read one person by ID: name, display name, email address, title and time zone.',
    scopes: ['users:read'],
    query: { user: person() },
    at: '/user',
    keep: `${personFields} profile { status_text } is_admin`,
  }),

  tool('find_user_by_email: GET /users.lookupByEmail', {
    title: 'Find a person by email',
    description: 'Find a person by email address. Returns the ID for send_direct_message and mentions.',
    scopes: ['users:read.email'],
    query: { email: text('The full email address: ada@example.com.', 254, { min: 3, pattern: '^[^\\s@]+@[^\\s@]+$' }) },
    at: '/user',
    keep: personFields,
  }),
]
