import { converted, named, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { reads } from '../../annotations.ts'
import { graphList, graphPages, searchFor, searchPages } from '../../microsoft.ts'
import { cursor } from '../../paging.ts'
import { user } from '../arguments.ts'

const searchPeople = tool('search_people: GET /users', {
  title: 'Search people',
  description:
    'Find people of the organization by a part of their name or the beginning of their email address. Returns the IDs for ' +
    'message_person and create_chat.',
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
})

const getPresence = tool('get_presence: GET /users/{user_id}/presence', {
  title: 'Get the presence of a person',
  description: 'Read whether a person is available, busy or away in Teams.',
  scopes: ['Presence.Read.All'],
  path: { user_id: user() },
  keep: 'id availability activity',
})

const searchMessages = tool('search_messages: POST /search/query', {
  title: 'Search messages',
  description:
    'Search your chats and channels, the newest first. Returns the beginning of each message, its ID, and its chat or its ' +
    'team and channel: read around it with read_chat or read_thread.',
  annotations: reads,
  scopes: ['Chat.Read', 'ChannelMessage.Read.All'],
  json: searchFor(
    'chatMessage',
    text('Words, and properties: from:ada to:linus sent>2026-03-31 hasAttachment:true IsMentioned:true.', 500),
  ),
  pagination: searchPages,
  keep: `summary resource { id createdDateTime subject from { emailAddress { name address } } chatId
    channelIdentity { teamId channelId } webLink }`,
})

/** The tools of Teams for people and search. */
export const peopleTools = [searchPeople, getPresence, searchMessages]
