import type { TString } from '@sinclair/typebox'
import { named } from '../../services/definitions/arguments.ts'
import type { ConnectorDefinition, OauthApp } from '../../services/definitions/connector-types.ts'
import { pageSize, pageStart } from './shared-arguments.ts'

/** Where Microsoft Graph is (https://learn.microsoft.com/graph/use-the-api). */
export const GRAPH = 'https://graph.microsoft.com/v1.0'

/**
 * How apps sign in at Microsoft (https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow). Without
 * `select_account`, a person with several accounts could not choose. Microsoft has no revocation of one grant. Answers
 * never report offline_access, and may give scopes the address of Graph.
 */
export const microsoftOAuth = {
  type: 'oauth2',
  authorizationUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
  tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
  pkce: 'supported',
  clientAuth: 'post',
  authorizationParams: { response_mode: 'query', prompt: 'select_account' },
  quirks: { grantedScopePrefix: 'https://graph.microsoft.com/', unreportedScopes: ['offline_access'] },
} as const

/** The scopes of every connector of Microsoft Graph: a refresh token, and the identity. */
export const identityScopes = {
  offline_access: 'Stay connected while you are away.',
  'User.Read': 'See your name and email address.',
} as const

/** The account at Microsoft that is connected. */
export const microsoftIdentity = {
  request: { url: '/me', query: { $select: 'id,displayName,userPrincipalName' } },
  label: '{/userPrincipalName}',
  key: '{/id}',
} as const

/** How an app is registered at Microsoft (https://learn.microsoft.com/entra/identity-platform/quickstart-register-app). */
export function microsoftApp(accounts: string, limits: string): OauthApp {
  return {
    url: 'https://go.microsoft.com/fwlink/?linkid=2083908',
    docs: 'https://learn.microsoft.com/entra/identity-platform/quickstart-register-app',
    steps: [
      `Create a registration. Under *Supported account types*, choose *${accounts}*: the gateway signs in at the address for all organizations, which rejects apps of a single one.`,
      'Under *Authentication*, add the platform *Web* with the redirect URIs.',
      'Under *Certificates & secrets*, create a client secret, and copy its value. It lasts at most 24 months: enter a new one before.',
      'Under *API permissions*, add the scopes as delegated permissions of Microsoft Graph.',
    ],
    redirectUris:
      'Microsoft accepts `http` only for this machine. The form does not take `http://127.0.0.1`: enter it in the manifest, as an item of `replyUrlsWithType` of the type `Web`.',
    review:
      'Microsoft verifies the publisher of an app, which needs an account of the Microsoft Cloud Partner Program. In other organizations, people usually cannot consent to an app whose publisher is not verified; their administrator can.',
    limits,
    notes: [
      'An app for one organization needs no verification. Let the gateway sign in there: set `authorization_url` and `token_url` in `CONNECTOR_OVERRIDES`, with the ID of the organization in place of `common`.',
    ],
  }
}

/** How Microsoft Graph reports errors (https://learn.microsoft.com/graph/errors, https://learn.microsoft.com/graph/throttling). */
export const microsoftErrors: NonNullable<ConnectorDefinition['errors']> = {
  message: ['/error/message'],
  code: ['/error/code'],
  rateLimited: ['TooManyRequests', 'ApplicationThrottled'],
  advice: {
    ErrorAccessDenied: 'The account is not allowed to do this, or was not granted the permission.',
    Authorization_RequestDenied:
      'The account is not allowed to do this. An administrator of its organization may have to approve it.',
    ErrorItemNotFound: 'There is no item with this ID in the mailbox. Search for it again.',
    ErrorInvalidIdMalformed: 'This is not an ID of the mailbox. Send an ID exactly as a tool returned it.',
    MailboxNotEnabledForRESTAPI: 'The account has no mailbox in Exchange Online or Outlook.com. Use another account.',
  },
}

/** How Microsoft Graph pages: the next page has the same address with a position of either kind. */
export const graphPages = {
  style: 'next-url',
  items: '/value',
  next: '/@odata.nextLink',
  parameters: ['$skip', '$skiptoken'],
} as const

/** The query of a list of Microsoft Graph. */
export function graphList(usual: number, max: number) {
  return { $top: pageSize(usual, max), $skip: '{cursor.$skip}', $skiptoken: '{cursor.$skiptoken}' }
}

/** A search of Microsoft 365 for one kind of items, of which a page has at most 25. */
export function searchFor(kind: 'event' | 'chatMessage', words: TString) {
  const query = { queryString: named('query', words) }
  return { requests: [{ entityTypes: [kind], query, from: pageStart, size: pageSize(15, 25) }] }
}

/** How the search of Microsoft 365 pages (https://learn.microsoft.com/graph/search-concept-overview). */
export const searchPages = {
  style: 'offset',
  items: '/value/0/hitsContainers/0/hits',
  more: '/value/0/hitsContainers/0/moreResultsAvailable',
  omitsEmpty: true,
} as const
