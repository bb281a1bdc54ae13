import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { communityTools } from './tools/community.ts'
import { photoTools } from './tools/photos.ts'

/** Flickr's API, with signed requests. Uploads have a host of their own, which answers in XML only. */
export const flickr = defineConnector({
  id: 'flickr',
  name: 'Flickr',
  category: 'creative',
  description:
    'Search, read and upload photos; change titles, tags and who can see them; albums, comments, favorites, people and groups.',
  icon: { simpleIcon: 'flickr' },
  baseUrl: 'https://api.flickr.com/services',
  hosts: { up: { url: 'https://up.flickr.com/services', credential: true, answers: 'xml' } },
  auth: {
    type: 'oauth1a',
    requestTokenUrl: 'https://www.flickr.com/services/oauth/request_token',
    authorizationUrl: 'https://www.flickr.com/services/oauth/authorize',
    accessTokenUrl: 'https://www.flickr.com/services/oauth/access_token',
    authorizationParams: { perms: 'write' },
    accessSummary: 'See all your photos, including private ones; upload, change and comment. It cannot delete photos.',
    signsParts: true,
  },
  oauthApp: {
    url: 'https://www.flickr.com/services/apps/create/',
    docs: 'https://www.flickr.com/services/api/auth.oauth.html',
    steps: ['Request an API key. Commercial use requires an agreement with Flickr.'],
    limits: 'Flickr accepts 3600 requests per hour and key, from all accounts together.',
    notes: ['The key is the client ID, and its secret is the client secret.'],
  },
  identity: {
    request: { url: '/rest', query: { method: 'flickr.test.login', format: 'json', nojsoncallback: '1' } },
    label: '{/user/username/_content}',
    key: '{/user/id}',
  },
  errors: {
    failedWhen: { pointer: '/stat', is: { text: 'fail' } },
    message: ['/message', '/err/msg'],
    code: ['/code', '/err/code'],
    unauthorized: ['98'],
    // Sent with 401, although the token is valid.
    denied: 'signature_invalid|nonce_used|timestamp_refused',
    advice: {
      99: 'The connection lacks the permission for this. Connect the account again.',
      105: 'Flickr is unavailable. Retry later.',
      106: 'Flickr could not write. Retry later.',
    },
  },
  tools: [...photoTools, ...communityTools],
})
