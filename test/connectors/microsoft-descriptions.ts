import type { Departure, Description, SentRequest } from './descriptions.ts'

const PEOPLE = 'its description has members of any kind, not people'
const MEMBERS: Departure = { reason: PEOPLE, fields: ['userId', 'email'] }
const CHATS: Departure = { reason: PEOPLE, fields: ['members.userId', 'members.email'] }

/** The descriptions of Microsoft's connectors. */
export const MICROSOFT: Readonly<Record<string, Description>> = {
  outlook: {
    file: 'microsoft-graph.json',
    responseDepth: 4,
    translate: inTheirTerms,
    departures: {
      list_events: { reason: 'the description sorts only by whole properties', unknown: ['query.$orderby'] },
    },
    undescribed: 'its description has a part of Microsoft Graph; handwritten exchanges cover the others',
  },
  'microsoft-teams': {
    file: 'microsoft-teams.yaml',
    responseDepth: 4,
    translate: inTheirTerms,
    departures: {
      list_team_members: MEMBERS,
      list_channel_members: MEMBERS,
      list_chats: CHATS,
      get_chat: CHATS,
      create_chat: { reason: 'it sends two requests', undescribed: true },
      message_person: { reason: 'it sends three requests', undescribed: true },
    },
    undescribed: 'its description has no people, no search and no teams of a person; handwritten exchanges cover them',
  },
}

/**
 * The descriptions require the type of each object, which the API needs only where there are several. They leave out a
 * position of pages, which comes from the URL of the next page, and references by address
 * (https://learn.microsoft.com/graph/api/chat-post-members). They have a parameter of sendMail in upper case
 * (https://learn.microsoft.com/graph/api/user-sendmail).
 */
function inTheirTerms(request: SentRequest): void {
  Reflect.deleteProperty(request.query, '$skiptoken')
  const { '@odata.type': type, ...typed } = Object(withTypes(request.body))
  if (type === undefined) return
  const { message, 'user@odata.bind': _, ...others } = typed
  const action = /\/(sendMail|setReaction)$/.test(request.path)
  request.body = {
    ...(!action && { '@odata.type': type }),
    ...(message !== undefined && { Message: message }),
    ...others,
  }
}

function withTypes(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withTypes)
  if (typeof body !== 'object' || body === null) return body
  const members = Object.entries(body).map(([name, value]) => [name, withTypes(value)])
  return { '@odata.type': 'any', ...Object.fromEntries(members) }
}
