import { Type } from '@sinclair/typebox'
import type { ConnectorDefinition, OauthApp, SettingsDiscovery } from '../../services/definitions/connector-types.ts'

/** How apps sign in at Atlassian (https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/). */
export const atlassianOAuth = {
  type: 'oauth2',
  authorizationUrl: 'https://auth.atlassian.com/authorize',
  tokenUrl: 'https://auth.atlassian.com/oauth/token',
  pkce: 'none',
  clientAuth: 'post',
  authorizationParams: { audience: 'api.atlassian.com', prompt: 'consent' },
  // A refresh token works once. Its response contains the next one.
  quirks: {
    // Atlassian answers an unknown refresh token with this code or invalid_grant, and 403.
    invalidGrant: ['unauthorized_client'],
  },
} as const

/** How an app is registered at Atlassian, for the API of one product. */
export function atlassianApp(product: string, docs: string): OauthApp {
  return {
    url: 'https://developer.atlassian.com/console/myapps/',
    docs,
    steps: [
      'Create an OAuth 2.0 integration.',
      `Under *Permissions*, add the ${product} API.`,
      'Under *Authorization*, configure OAuth 2.0 (3LO) with the redirect URI.',
    ],
    redirectUris: 'An app has one callback URL, so register one app for the dashboard and one for `account connect`.',
    limits: 'Others can use the app when its *Distribution* status is *Sharing*.',
    notes: [
      'Atlassian asks providers of software not to make their customers create apps of their own: offer one app for all your organizations.',
    ],
  }
}

/** The settings of an account: it is one person on one site. */
export const atlassianSettings = Type.Object(
  {
    cloud_id: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9-]{1,64}$',
        description: 'The Atlassian ID of the site. It is discovered.',
      }),
    ),
    site: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'The address of the site: https://example.atlassian.net. Required if you have several sites.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** Finds the sites of an account. A site is listed once for each product that was granted: `scope` tells them apart. */
export function atlassianSites(scope: string): SettingsDiscovery {
  return {
    request: { url: 'https://api.atlassian.com/oauth/token/accessible-resources' },
    items: '',
    where: { pointer: '/scopes', includes: scope },
    settings: { cloud_id: '/id', site: '/url' },
    chosenBy: 'site',
  }
}

/** The message of Atlassian's gateway for a missing scope. It has no other code, and comes with 401. */
export const SCOPE_MISSING = 'Unauthorized; scope does not match'

export const atlassianRateLimit: NonNullable<ConnectorDefinition['rateLimit']> = {
  reset: 'x-ratelimit-reset',
  unit: 'iso',
  remaining: 'x-ratelimit-remaining',
}
