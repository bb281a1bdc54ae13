import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { conversationTools, peopleTools } from './tools/conversations.ts'
import { fileTools, messageTools, readingTools } from './tools/messages.ts'

/** Slack's Web API: a bot token, and for search the token of the person who installs the app (bots cannot search). */
export const slack = defineConnector({
  id: 'slack',
  name: 'Slack',
  category: 'communication',
  description:
    'Search and read messages, threads, channels, people and files; post, schedule, update and react to messages; share files.',
  icon: { monogram: 'S', color: '#4A154B' },
  baseUrl: 'https://slack.com/api',
  hosts: {
    files: { url: 'https://files.slack.com', credential: true },
    // The URL of an upload needs none.
    uploads: { url: 'https://files.slack.com', credential: false },
  },
  auth: {
    type: 'oauth2',
    authorizationUrl: 'https://slack.com/oauth/v2/authorize',
    tokenUrl: 'https://slack.com/api/oauth.v2.access',
    // Slack accepts PKCE only from apps that are declared public clients. Ours have a secret.
    pkce: 'none',
    clientAuth: 'basic',
    scopeSeparator: ',',
    scopes: {
      'channels:read': 'See public channels and who is in them.',
      'channels:history': 'Read messages of public channels the app was added to.',
      'chat:write': 'Post messages as the app; update and delete its own.',
      'users:read': 'See the people of the workspace.',
    },
    optionalScopes: {
      'groups:read': 'See the private channels the app was added to.',
      'im:read': 'See direct messages with the app.',
      'mpim:read': 'See group direct messages the app was added to.',
      'groups:history': 'Read messages of private channels the app was added to.',
      'im:history': 'Read direct messages with the app.',
      'mpim:history': 'Read group direct messages the app was added to.',
      'channels:join': 'Join public channels.',
      'channels:manage': 'Create public channels, invite people to them and set their topics.',
      'groups:write': 'Create private channels, invite people to them and set their topics.',
      'im:write': 'Start direct messages.',
      'mpim:write': 'Start group direct messages.',
      'reactions:write': 'Add and remove emoji reactions.',
      'users:read.email': 'See the email addresses of people, and find people by them.',
      'files:read': 'See the files of conversations the app was added to.',
      'files:write': 'Upload files as the app.',
    },
    userScopes: { 'search:read': 'Search the messages that you can see, with your own identity.' },
    quirks: {
      userToken: '/authed_user',
      grantedScopeSeparator: ',',
      errors: { ok: '/ok', code: '/error' },
      invalidGrant: ['invalid_refresh_token', 'token_revoked', 'token_expired', 'account_inactive'],
      keep: { team_id: '/team/id' },
    },
    // With token rotation, a refresh token works once. Without it, tokens do not expire.
    revocation: { url: 'https://slack.com/api/auth.revoke', method: 'POST', as: 'token' },
    apiKey: {
      header: 'authorization',
      prefix: 'Bearer ',
      probe: true,
      hint: 'A bot token (xoxb-…) or a user token (xoxp-…, which can also search), from OAuth & Permissions of your app at https://api.slack.com/apps.',
    },
  },
  oauthApp: {
    url: 'https://api.slack.com/apps',
    docs: 'https://docs.slack.dev/authentication/installing-with-oauth',
    steps: [
      'Create an app and choose the workspace in which it is developed.',
      'Under *OAuth & Permissions*, enter the redirect URLs, and add the scopes as bot token scopes and user token scopes. Mark those that people may leave out as optional.',
    ],
    redirectUris:
      'Slack accepts only https, so `account connect` needs `--redirect-uri` with a URL of yours that forwards to it.',
    review: 'Slack approves the apps of its Marketplace. Other apps can be installed without it.',
    limits:
      'Apps that are distributed commercially without being approved for the Marketplace may read messages (`conversations.history`, `conversations.replies`) only once per minute, 15 messages at a time. Apps that an organization builds for itself are exempt.',
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
      not_in_channel: 'The app is not in this channel. Call join_channel, or ask someone to write /invite @app there.',
      channel_not_found:
        'The app sees no channel with this ID. Take the ID from list_channels. Invite the app to a private channel.',
      is_archived: 'The channel is archived. Choose another.',
      user_not_found: 'Nobody has this ID. Take it from list_users.',
      users_not_found: 'Nobody has this email address.',
      message_not_found: 'There is no message with this ts in this channel. Take both from the same message.',
      thread_not_found: 'There is no thread with this ts in this channel. Give the ts of its first message.',
      cant_update_message: 'The app can update only its own messages.',
      edit_window_closed: 'The workspace no longer allows changes to this message. Post a new one.',
      cant_delete_message: 'The app can delete only its own messages.',
      already_reacted: 'The reaction already exists. Do nothing.',
      no_reaction: 'The reaction does not exist. Do nothing.',
      invalid_name: 'There is no emoji with this name. Give the name without colons: thumbsup.',
      name_taken: 'A channel with this name exists. Find it with list_channels, or choose another name.',
      already_in_channel: 'They are already in the channel. Do nothing.',
      cant_invite_self: 'The app cannot invite itself. Use join_channel.',
      msg_too_long: 'The text is too long. Send it in parts.',
      file_not_found: 'There is no file with this ID, or the app cannot see it. Take the ID from list_files.',
      no_text: 'The message is empty. Give a text.',
      time_in_past: 'post_at is in the past. Give a later time in seconds.',
      time_too_far: 'post_at is more than 120 days ahead. Choose an earlier time.',
      restricted_action: 'A rule of the workspace forbids this. Ask an admin of the workspace.',
      not_allowed_token_type:
        'This needs another kind of token (search needs a user token). Connect Slack again and grant everything it requests.',
    },
  },
  tools: [...readingTools, ...conversationTools, ...messageTools, ...peopleTools, ...fileTools],
})
