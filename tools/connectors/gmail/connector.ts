import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { googleApp, googleErrors, googleOAuth } from '../google.ts'
import { gmailTools } from './tools.ts'

/** The Gmail API, version 1. An account is one mailbox. */
export const gmail = defineConnector({
  id: 'gmail',
  name: 'Gmail',
  category: 'communication',
  description: 'Search and read threads; send and answer emails; write drafts; label, archive and trash threads.',
  icon: { simpleIcon: 'gmail' },
  baseUrl: 'https://gmail.googleapis.com',
  auth: {
    ...googleOAuth,
    scopes: { 'https://www.googleapis.com/auth/gmail.readonly': 'Read all your emails and labels.' },
    optionalScopes: {
      'https://www.googleapis.com/auth/gmail.compose': 'Write drafts and send emails in your name.',
      'https://www.googleapis.com/auth/gmail.modify': 'Label, archive and trash your emails, and write new ones.',
    },
  },
  oauthApp: googleApp('Gmail API', 'restricted'),
  identity: { request: { url: '/gmail/v1/users/me/profile' }, label: '{/emailAddress}' },
  errors: {
    ...googleErrors,
    // https://developers.google.com/workspace/gmail/api/guides/handle-errors
    rateLimited: [...(googleErrors.rateLimited ?? []), 'dailyLimitExceeded'],
  },
  tools: gmailTools,
})
