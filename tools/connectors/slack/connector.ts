import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { conversationTools } from './tools/conversations.ts'
import { messageTools } from './tools/messages.ts'
import { peopleTools } from './tools/people.ts'
import { readingTools } from './tools/reading.ts'

/** Slack, its Web API: a bot token, and the token of whoever installs the app for search, which Slack gives no bot. */
export const slack = defineConnector({
  id: 'slack',
  name: 'Slack',
  category: 'communication',
  description:
    'Search and read messages, threads, channels, people and files; post, schedule, change and react to messages.',
  icon: { monogram: 'S', color: '#4A154B' },
  baseUrl: 'https://slack.com/api',
  auth: {
    type: 'oauth2',
    authorizationUrl: 'https://slack.com/oauth/v2/authorize',
    tokenUrl: 'https://slack.com/api/oauth.v2.access',
    // Slack takes PKCE from apps that are declared public clients; ours keep a secret.
    pkce: 'none',
    clientAuth: 'basic',
    scopeSeparator: ',',
    scopes: {
      'channels:read': 'See public channels and who is in them.',
      'groups:read': 'See the private channels the app was added to.',
      'im:read': 'See direct messages with the app.',
      'mpim:read': 'See group direct messages the app was added to.',
      'channels:history': 'Read messages of public channels the app was added to.',
      'groups:history': 'Read messages of private channels the app was added to.',
      'im:history': 'Read direct messages with the app.',
      'mpim:history': 'Read group direct messages the app was added to.',
      'channels:join': 'Join public channels.',
      'channels:manage': 'Make public channels, invite people to them and set their topics.',
      'groups:write': 'Make private channels, invite people to them and set their topics.',
      'im:write': 'Begin direct messages.',
      'mpim:write': 'Begin group direct messages.',
      'chat:write': 'Post messages as the app, and change and delete its own.',
      'reactions:write': 'Add and remove emoji reactions.',
      'users:read': 'See the people of the workspace.',
      'users:read.email': 'See the e-mail addresses of people, and find people by them.',
      'files:read': 'See the files of conversations the app was added to.',
    },
    userScopes: { 'search:read': 'Search the messages you can see yourself, with your own identity.' },
    quirks: {
      userToken: '/authed_user',
      grantedScopeSeparator: ',',
      errors: { ok: '/ok', code: '/error' },
      invalidGrant: ['invalid_refresh_token', 'token_revoked', 'token_expired', 'account_inactive'],
      keep: { team_id: '/team/id' },
    },
    // Where token rotation is on, a refresh token works once; elsewhere tokens do not expire.
    revocation: { url: 'https://slack.com/api/auth.revoke', method: 'POST', as: 'token' },
    apiKey: {
      header: 'authorization',
      prefix: 'Bearer ',
      probe: true,
      hint: 'A bot token (xoxb-…) or a user token (xoxp-…, which can search too), from OAuth & Permissions of your Slack app.',
    },
  },
  identity: {
    request: { method: 'POST', url: '/auth.test' },
    label: '{/user} ({/team})',
    key: '{/team_id}/{/user_id}',
  },
  errors: {
    failedWhen: { pointer: '/ok', is: 'false' },
    message: ['/response_metadata/messages/0', '/error'],
    code: ['/error'],
    unauthorized: ['invalid_auth', 'token_expired', 'token_revoked', 'account_inactive', 'not_authed'],
    rateLimited: ['ratelimited', 'rate_limited'],
    scopeMissing: ['missing_scope'],
    advice: {
      not_in_channel: 'The app is not in this channel: join_channel, or have someone write /invite @app there.',
      channel_not_found:
        'No channel of this id is visible to the app: take the id from list_channels; a private channel needs an invitation.',
      is_archived: 'The channel is archived: choose another.',
      user_not_found: 'Nobody has this id: take it from list_users.',
      users_not_found: 'Nobody has this e-mail address.',
      message_not_found: 'There is no message with this ts in this channel: take both from the same message.',
      thread_not_found: 'There is no thread with this ts in this channel: give the ts of its first message.',
      cant_update_message: 'The app can change its own messages only.',
      edit_window_closed: 'The workspace no longer allows this message to be changed.',
      cant_delete_message: 'The app can delete its own messages only.',
      already_reacted: 'The reaction is there already: there is nothing to do.',
      no_reaction: 'The reaction is not there: there is nothing to do.',
      invalid_name: 'No emoji of this name: give the name without colons, as in thumbsup.',
      name_taken: 'A channel of this name exists: find it with list_channels, or choose another name.',
      already_in_channel: 'They are in the channel already: there is nothing to do.',
      cant_invite_self: 'The app cannot invite itself: use join_channel.',
      msg_too_long: 'The text is too long: send it in parts.',
      no_text: 'Give a text.',
      time_in_past: 'post_at lies in the past: give a later time in seconds.',
      time_too_far: 'post_at is more than 120 days ahead: choose an earlier time.',
      restricted_action: 'A rule of the workspace forbids this: ask an admin of it.',
      not_allowed_token_type:
        'This needs another kind of token (search needs that of a person): connect Slack again, and allow all it asks for.',
    },
  },
  tools: [...readingTools, ...conversationTools, ...messageTools, ...peopleTools],
})
