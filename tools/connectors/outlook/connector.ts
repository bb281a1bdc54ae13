import { defineConnector } from '../../../services/definitions/define-connector.ts'
import {
  GRAPH,
  identityScopes,
  microsoftApp,
  microsoftErrors,
  microsoftIdentity,
  microsoftOAuth,
} from '../microsoft.ts'
import { PREFER } from './arguments.ts'
import { calendarTools } from './tools/calendar.ts'
import { folderTools, messageTools } from './tools/messages.ts'
import { attachmentTools, sendingTools } from './tools/sending.ts'

/** Mail and calendar of Microsoft Graph, version 1.0. An account is one mailbox, of an organization or Outlook.com. */
export const outlook = defineConnector({
  id: 'outlook',
  name: 'Outlook',
  category: 'communication',
  description:
    'Search and read emails; send, answer and forward them; write drafts; keep folders in order; read, create and change events; answer invitations; find meeting times.',
  icon: { monogram: 'O', color: '#0f6cbd' },
  baseUrl: GRAPH,
  auth: {
    ...microsoftOAuth,
    scopes: { ...identityScopes, 'Mail.Read': 'Read all your emails and folders.' },
    optionalScopes: {
      'Mail.ReadWrite': 'Write drafts; move, mark and delete your emails.',
      'Mail.Send': 'Send emails in your name.',
      'Calendars.Read': 'See your calendars and events.',
      'Calendars.ReadWrite': 'Create, change and delete your events, invite guests and answer invitations.',
      'Calendars.Read.Shared': 'See calendars that others share with you, to find times for meetings.',
      'People.Read': 'See the people with whom you work and write, to find their addresses.',
    },
  },
  oauthApp: microsoftApp(
    'Accounts in any organizational directory and personal Microsoft accounts',
    'None of these scopes needs an administrator by itself, but an organization may require that one approves every app. Each app may send 10,000 requests per mailbox in 10 minutes, four at a time.',
  ),
  headers: { prefer: PREFER },
  identity: microsoftIdentity,
  errors: microsoftErrors,
  tools: [...messageTools, ...sendingTools, ...folderTools, ...attachmentTools, ...calendarTools],
})
