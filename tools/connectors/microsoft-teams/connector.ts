import { defineConnector } from '../../../services/definitions/define-connector.ts'
import {
  GRAPH,
  identityScopes,
  microsoftApp,
  microsoftErrors,
  microsoftIdentity,
  microsoftOAuth,
} from '../microsoft.ts'
import { channelTools } from './tools/channels.ts'
import { chatTools } from './tools/chats.ts'

const BY_ADMIN = 'An administrator of your organization must approve this.'

/** Teams of Microsoft Graph, version 1.0. An account is one person of an organization: personal accounts have no access. */
export const microsoftTeams = defineConnector({
  id: 'microsoft-teams',
  name: 'Microsoft Teams',
  category: 'communication',
  description:
    'Read and search channels and chats; send, answer and react to messages; message people, create chats; list teams and members.',
  icon: { monogram: 'T', color: '#5b5fc7' },
  baseUrl: GRAPH,
  auth: {
    ...microsoftOAuth,
    scopes: { ...identityScopes, 'Chat.Read': 'Read your chats.' },
    optionalScopes: {
      'ChatMessage.Send': 'Send messages to your chats, in your name.',
      'Chat.Create': 'Create chats.',
      'Chat.ReadWrite': 'Read, send and change messages in your chats.',
      'ChatMember.ReadWrite': 'Add people to your chats.',
      'Team.ReadBasic.All': 'See the teams you belong to.',
      'Channel.ReadBasic.All': 'See the channels of your teams.',
      'ChannelMessage.Send': 'Send messages to channels, in your name.',
      'User.ReadBasic.All': 'See the names and email addresses of the people of your organization.',
      'Presence.Read.All': 'See who is available.',
      'ChannelMessage.Read.All': `Read the messages of your channels. ${BY_ADMIN}`,
      'TeamMember.Read.All': `See the members of your teams. ${BY_ADMIN}`,
      'ChannelMember.Read.All': `See the members of your channels. ${BY_ADMIN}`,
    },
  },
  oauthApp: microsoftApp(
    'Accounts in any organizational directory',
    'Personal accounts have no access to Teams. `ChannelMessage.Read.All`, `TeamMember.Read.All` and `ChannelMember.Read.All` need the consent of an administrator. Without it, people must leave these scopes out when they connect.',
  ),
  identity: microsoftIdentity,
  errors: {
    ...microsoftErrors,
    advice: {
      ...microsoftErrors.advice,
      Forbidden: 'The account is not allowed to do this: it may lack a permission, or not belong to the team or chat.',
      NotFound:
        'There is no such team, channel, chat or message, or the account cannot see it. Take the IDs from the list tools.',
    },
  },
  tools: [...channelTools, ...chatTools],
})
