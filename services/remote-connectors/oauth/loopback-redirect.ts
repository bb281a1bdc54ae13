/** Where the operator's command waits for the answer of an upstream's authorization server: the redirect URI it is registered with. */
export const LOOPBACK_REDIRECT_URI = 'http://127.0.0.1:8976/callback'
