import { converted, each, list, named, optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { reads, sets, tool } from '../../../../services/definitions/tool.ts'
import { GRAPH, graphList, graphPages, searchFor, searchPages } from '../../microsoft.ts'
import { cursor, instant, replace_all } from '../../shared-arguments.ts'
import { chat_id, content, importance, memberFields, message, messageFields, reactionType, user } from '../arguments.ts'

/** A member of a new chat, by the placeholder of their ID. Only here, Teams needs the types of objects. */
function member(place: string) {
  return {
    '@odata.type': '#microsoft.graph.aadUserConversationMember',
    roles: ['owner'],
    'user@odata.bind': `${GRAPH}/users('${place}')`,
  }
}

const message_id = message('The ID of the message, from read_chat or search_messages.')
const user_id = user('The ID of the person, from search_people.')
const sent = 'id chatId createdDateTime'
const me = { step: 'me: GET /me', query: { $select: 'id' }, keep: { id: '/id' } }

const changed = converted('odata', {
  'lastModifiedDateTime gt ?': named(
    'changed_after',
    optional(instant('Only messages sent or changed after this time.')),
  ),
  'lastModifiedDateTime lt ?': named(
    'changed_before',
    optional(instant('Only messages sent or changed before this time.')),
  ),
})

/** The tools of Teams for chats, and for finding people and messages. */
export const chatTools = [
  tool('list_chats: GET /chats', {
    title: 'List chats',
    description: 'List your chats, most recent message first: IDs, topics, members, and the last message.',
    scopes: ['Chat.Read'],
    path: { cursor },
    query: {
      $expand: 'members,lastMessagePreview',
      $orderby: 'lastMessagePreview/createdDateTime desc',
      ...graphList(20, 50),
    },
    pagination: graphPages,
    keep: `id topic chatType members { displayName userId email } webUrl
    lastMessagePreview { createdDateTime from { user { displayName } } body|body-to-markdown }`,
  }),

  tool('get_chat: GET /chats/{chat_id}', {
    title: 'Get a chat',
    description: 'Read the topic and the members of a chat, with their IDs.',
    scopes: ['Chat.Read'],
    path: { chat_id },
    query: { $expand: 'members' },
    keep: `id topic chatType createdDateTime webUrl members { ${memberFields} }`,
  }),

  tool('read_chat: GET /chats/{chat_id}/messages', {
    title: 'Read a chat',
    description: 'Read the messages of a chat, most recently changed first.',
    scopes: ['Chat.Read'],
    path: { chat_id, cursor },
    query: {
      // Teams ignores a filter of another time than that of the order.
      $filter: changed,
      $orderby: 'lastModifiedDateTime desc',
      ...graphList(20, 50),
    },
    pagination: graphPages,
    keep: messageFields,
  }),

  tool('send_chat_message: POST /chats/{chat_id}/messages', {
    title: 'Send a message to a chat',
    description:
      'Send a message to a chat, in your name. To write to one person, use message_person, which finds the chat.',
    scopes: ['ChatMessage.Send'],
    path: { chat_id },
    json: { body: content, importance },
    keep: sent,
  }),

  tool('message_person: POST /chats/{chat.id}/messages', {
    title: 'Message a person',
    description: 'Send a message to one person. Uses your existing chat with them, or creates one.',
    scopes: ['Chat.Create', 'ChatMessage.Send'],
    path: { user_id },
    steps: [
      me,
      {
        step: 'chat: POST /chats',
        json: { chatType: 'oneOnOne', members: [member('{me.id}'), member('{user_id}')] },
        keep: { id: '/id' },
        // Nobody sees a chat without messages, and an existing one is used again.
        writes: false,
      },
    ],
    json: { body: content, importance },
    keep: sent,
  }),

  tool('create_chat: POST /chats', {
    title: 'Create a group chat',
    description: 'Create a chat with at least two other people. Returns its ID for send_chat_message.',
    scopes: ['Chat.Create'],
    steps: [me],
    json: {
      chatType: 'group',
      topic: optional(text('The topic.', 250, { pattern: '^[^:]+$' })),
      members: [
        member('{me.id}'),
        each(
          named('user_ids', list(user(''), 'The IDs of the other people, from search_people.', 50, { min: 2 })),
          member('{item}'),
        ),
      ],
    },
    keep: 'id topic chatType webUrl',
  }),

  tool('update_chat_message: PATCH /chats/{chat_id}/messages/{message_id}', {
    title: 'Update a message of a chat',
    description: 'Replace the text of a message that you sent to a chat.',
    scopes: ['Chat.ReadWrite'],
    path: { chat_id, message_id, replace_all },
    steps: [
      {
        step: 'now: GET /chats/{chat_id}/messages/{message_id}',
        guard: { form: 'html', at: '/body/content', unless: 'replace_all', instead: 'send another message' },
      },
    ],
    json: { body: content },
    returns: done('The message was updated.'),
  }),

  tool('react_in_chat: POST /chats/{chat_id}/messages/{message_id}/setReaction', {
    title: 'React in a chat',
    description: 'Add an emoji reaction to a message of a chat.',
    annotations: sets,
    scopes: ['ChatMessage.Send'],
    path: { chat_id, message_id },
    json: { reactionType },
    returns: done('The reaction was added.'),
  }),

  tool('add_chat_member: POST /chats/{chat_id}/members', {
    title: 'Add a member to a chat',
    description:
      'Add a person to a group chat. They see earlier messages only from history_from on. Guests of the organization cannot be added.',
    scopes: ['ChatMember.ReadWrite'],
    path: { chat_id, user_id },
    json: {
      ...member('{user_id}'),
      visibleHistoryStartDateTime: named(
        'history_from',
        optional(instant('The time from which on they see messages.')),
      ),
    },
    returns: done('The person was added.'),
  }),

  tool('search_people: GET /users', {
    title: 'Search people',
    description:
      'Find people of the organization by a part of their name or the beginning of their email address. Returns the ' +
      'IDs for message_person and create_chat.',
    scopes: ['User.ReadBasic.All'],
    path: { cursor },
    // Entra searches people only in this mode.
    headers: { ConsistencyLevel: 'eventual' },
    query: {
      $search: converted('odata', {
        '"displayName:?" OR "mail:?"': named('query', text('A name or an email address.', 200)),
      }),
      $select: 'id,displayName,mail,userPrincipalName',
      ...graphList(10, 100),
    },
    pagination: graphPages,
    keep: 'id displayName mail userPrincipalName',
  }),

  tool('get_presence: GET /users/{user_id}/presence', {
    title: 'Get the presence of a person',
    description: 'Read whether a person is available, busy or away in Teams.',
    scopes: ['Presence.Read.All'],
    path: { user_id: user() },
    keep: 'id availability activity',
  }),

  tool('search_messages: POST /search/query', {
    title: 'Search messages',
    description:
      'Search your chats and channels, the newest first. Returns the beginning of each message, its ID, and its chat ' +
      'or its team and channel: read around it with read_chat or read_thread.',
    annotations: reads,
    scopes: ['Chat.Read', 'ChannelMessage.Read.All'],
    json: searchFor(
      'chatMessage',
      text('Words, and properties: from:ada to:linus sent>2026-03-31 hasAttachment:true IsMentioned:true.', 500),
    ),
    pagination: searchPages,
    keep: `summary resource { id createdDateTime subject from { emailAddress { name address } } chatId
    channelIdentity { teamId channelId } webLink }`,
  }),
]
