import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { browserSignIn } from './browser-sign-in.ts'
import { REDIRECT_URI } from './oauth-client.ts'

/** The OAuth provider of an SDK client. Its scripted browser signs the account in and keeps the callback. */
export function memoryProvider(account: string) {
  let information: StoredOAuthClientInformation | undefined
  let tokens: StoredOAuthTokens | undefined
  let verifier = ''
  let discovery: OAuthDiscoveryState | undefined
  let callback: URL | undefined
  const authProvider: OAuthClientProvider = {
    redirectUrl: REDIRECT_URI,
    clientMetadata: {
      client_name: 'test',
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => information,
    saveClientInformation(saved) {
      information = saved
    },
    tokens: () => tokens,
    saveTokens(saved) {
      tokens = saved
    },
    codeVerifier: () => verifier,
    saveCodeVerifier(saved) {
      verifier = saved
    },
    discoveryState: () => discovery,
    saveDiscoveryState(saved) {
      discovery = saved
    },
    async redirectToAuthorization(authorizationUrl) {
      if (callback !== undefined) throw new Error('The client starts a second sign-in')
      callback = await browserSignIn(authorizationUrl, account)
    },
  }
  return {
    authProvider,
    callback: () => {
      if (callback === undefined) throw new Error('The client has not started a sign-in')
      return callback
    },
  }
}
