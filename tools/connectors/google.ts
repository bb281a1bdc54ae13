import type { ConnectorDefinition, OauthApp } from '../../services/definitions/connector-types.ts'

/**
 * How apps sign in at Google (https://developers.google.com/identity/protocols/oauth2/web-server). Without `consent`,
 * only the first sign-in gives a refresh token.
 */
export const googleOAuth = {
  type: 'oauth2',
  authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  pkce: 'supported',
  clientAuth: 'post',
  authorizationParams: { access_type: 'offline', prompt: 'consent' },
  revocation: {
    method: 'POST',
    url: 'https://oauth2.googleapis.com/revoke',
    form: { token: '{refresh_token}' },
    as: 'token',
  },
} as const

const SENSITIVE =
  'Google verifies apps with sensitive scopes, such as those for events, before everyone may use them. Apps for the accounts of your own organization need no verification: choose the audience *Internal*.'
const RESTRICTED =
  'Some scopes are restricted: Google verifies the app before everyone may use it, and may require a security assessment. Apps for the accounts of your own organization need no verification: choose the audience *Internal*.'

/** How an app is registered at Google (https://support.google.com/cloud/answer/15549945). */
export function googleApp(api: string, scopes: 'sensitive' | 'restricted'): OauthApp {
  return {
    url: 'https://console.cloud.google.com/auth/clients',
    docs: 'https://developers.google.com/identity/protocols/oauth2/web-server',
    steps: [
      `Choose or create a project, and enable the ${api} in it.`,
      'Create a client of the type *Web application*.',
      'Under *Data access*, add the scopes.',
    ],
    review: scopes === 'restricted' ? RESTRICTED : SENSITIVE,
    limits:
      'While the publishing status is *Testing*, only up to 100 test users that you list can connect, and each authorization ends after seven days.',
  }
}

/** How Google's APIs report errors (https://developers.google.com/workspace/calendar/api/guides/errors). */
export const googleErrors: NonNullable<ConnectorDefinition['errors']> = {
  message: ['/error/message'],
  code: ['/error/errors/0/reason', '/error/status'],
  rateLimited: ['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded'],
  scopeMissing: ['insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'],
  advice: { conditionNotMet: 'Someone else changed the item at the same time. Call again.' },
}

/** How Google's lists page. An empty one may be left out. */
export function googlePages(items: string) {
  return { style: 'cursor', items, next: '/nextPageToken', omitsEmpty: true } as const
}
