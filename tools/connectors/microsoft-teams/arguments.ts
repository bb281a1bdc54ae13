import type { TString } from '@sinclair/typebox'
import { converted, named, oneOf, optional, text } from '../../../services/definitions/arguments.ts'

const GUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'

export const team_id = text('The ID of the team, from list_teams.', 36, { pattern: GUID })
const channel_id = thread('The ID of the channel, from list_channels: 19:…@thread.tacv2.')
export const chat_id = thread('The ID of the chat, from list_chats, create_chat or search_messages: 19:….')

/** A person of the organization. */
export function user(description = 'The ID of the person, from search_people or the members of a chat.'): TString {
  return text(description, 36, { pattern: GUID })
}

/** A message, in its channel or chat. */
export function message(description: string): TString {
  return text(description, 20, { pattern: '^\\d+$' })
}

function thread(description: string): TString {
  return text(description, 300, { pattern: '^[^\\s/]+$' })
}

export const CHANNEL = '/teams/{team_id}/channels/{channel_id}'
export const inChannel = { team_id, channel_id }

/** The text of a message. */
export const content = {
  contentType: 'html',
  content: converted('markdown-to-html', named('text', text('The text. Markdown.', 20_000))),
}

/** How a message is shown. */
export const importance = optional(oneOf(['normal', 'high', 'urgent'], 'Default: normal.'))

/** The emoji of a reaction. */
export const reactionType = text('The emoji: 👍.', 20)

const person = 'user { id displayName }'

/** The fields of a message that results keep. */
export const messageFields = `id replyToId messageType createdDateTime lastEditedDateTime deletedDateTime subject importance
  from { ${person} application { displayName } } body|body-to-markdown attachments { name contentType contentUrl }
  mentions { mentionText mentioned { ${person} } } reactions { reactionType user { ${person} } } webUrl`

/** The fields of a member that results keep. */
export const memberFields = 'displayName userId email roles'
