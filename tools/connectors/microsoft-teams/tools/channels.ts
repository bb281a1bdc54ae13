import { optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { sets, tool } from '../../../../services/definitions/tool.ts'
import { graphList, graphPages } from '../../microsoft.ts'
import { cursor } from '../../shared-arguments.ts'
import {
  CHANNEL,
  content,
  importance,
  inChannel,
  memberFields,
  message,
  messageFields,
  reactionType,
  team_id,
} from '../arguments.ts'

const readScopes = ['ChannelMessage.Read.All']
const sendScopes = ['ChannelMessage.Send']
const message_id = message('The ID of the first message of the thread, from read_channel or search_messages.')
const sent = 'id createdDateTime webUrl'

/** The tools of Teams for teams and channels. */
export const channelTools = [
  tool('list_teams: GET /me/joinedTeams', {
    title: 'List teams',
    description: 'List the teams you belong to, with their IDs.',
    scopes: ['Team.ReadBasic.All'],
    at: '/value',
    keep: 'id displayName description isArchived',
  }),

  tool('list_channels: GET /teams/{team_id}/channels', {
    title: 'List channels',
    description: 'List the channels of a team that you can see, with their IDs.',
    scopes: ['Channel.ReadBasic.All'],
    path: { team_id },
    // Without it, Teams looks up the email address of each channel.
    query: { $select: 'id,displayName,description,membershipType,webUrl' },
    at: '/value',
    keep: 'id displayName description membershipType webUrl',
  }),

  tool(`read_channel: GET ${CHANNEL}/messages`, {
    title: 'Read a channel',
    description: 'Read the first message of each thread in a channel, newest first. Read replies with read_thread.',
    scopes: readScopes,
    path: { ...inChannel, cursor },
    query: graphList(20, 50),
    pagination: graphPages,
    keep: messageFields,
  }),

  tool(`get_channel_message: GET ${CHANNEL}/messages/{message_id}`, {
    title: 'Get a message of a channel',
    description: 'Read the first message of a thread in a channel. Read its replies with read_thread.',
    scopes: readScopes,
    path: { ...inChannel, message_id },
    keep: messageFields,
  }),

  tool(`read_thread: GET ${CHANNEL}/messages/{message_id}/replies`, {
    title: 'Read a thread',
    description: 'Read the replies to a message of a channel. Read the message itself with read_channel.',
    scopes: readScopes,
    path: { ...inChannel, message_id, cursor },
    query: graphList(20, 50),
    pagination: graphPages,
    keep: messageFields,
  }),

  tool(`send_channel_message: POST ${CHANNEL}/messages`, {
    title: 'Send a message to a channel',
    description: 'Begin a thread in a channel, in your name. To answer in a thread, use reply_in_channel.',
    scopes: sendScopes,
    path: inChannel,
    json: { subject: optional(text('The title above the message.', 255)), body: content, importance },
    keep: sent,
  }),

  tool(`reply_in_channel: POST ${CHANNEL}/messages/{message_id}/replies`, {
    title: 'Reply in a channel',
    description: 'Reply to a message of a channel in its thread, in your name.',
    scopes: sendScopes,
    path: { ...inChannel, message_id },
    json: { body: content, importance },
    keep: sent,
  }),

  tool(`react_in_channel: POST ${CHANNEL}/messages/{message_id}/setReaction`, {
    title: 'React in a channel',
    description: 'Add an emoji reaction to the first message of a thread.',
    annotations: sets,
    scopes: sendScopes,
    path: { ...inChannel, message_id },
    json: { reactionType },
    returns: done('The reaction was added.'),
  }),

  tool('list_team_members: GET /teams/{team_id}/members', {
    title: 'List the members of a team',
    description: 'List the people of a team with their IDs and email addresses, and who owns it.',
    scopes: ['TeamMember.Read.All'],
    path: { team_id, cursor },
    query: graphList(100, 999),
    pagination: graphPages,
    keep: memberFields,
  }),

  tool(`list_channel_members: GET ${CHANNEL}/members`, {
    title: 'List the members of a channel',
    description: 'List the members of a channel; for a private or shared channel, the people who can see it.',
    scopes: ['ChannelMember.Read.All'],
    path: { ...inChannel, cursor },
    query: graphList(100, 999),
    pagination: graphPages,
    keep: memberFields,
  }),
]
