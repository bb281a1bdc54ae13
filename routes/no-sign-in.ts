import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../lib/errors/errors.ts'
import { readCredential } from '../plugins/identity/credential.ts'
import { OAuthError } from '../schemas/errors.ts'
import type { ApiKeys } from '../services/identity/api-keys.ts'

interface NoSignInRoutesOptions {
  apiKeys: Pick<ApiKeys, 'verify' | 'rejection'>
}

/** Where clients look for an authorization server and its endpoints, if the metadata document names none. */
export const OAUTH_PATHS = [
  '/register',
  '/authorize',
  '/token',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/mcp',
  '/mcp/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/openid-configuration/mcp',
  '/mcp/.well-known/openid-configuration',
]

const ADVICE =
  'This gateway has no sign-in. Send an API key as Authorization: Bearer <key> or x-api-key: <key>. If you sent one, it was rejected.'
const UNUSED_KEY =
  'This gateway has no sign-in, and needs none: the API key of this request is valid. Send it with every request to /mcp.'

/**
 * The OAuth paths of a gateway without sign-in. After a 401, clients treat it as an authorization server and show only
 * the answer of the last request, so that answer says what to do. It stays a 404, with which clients go on searching.
 */
async function noSignInRoutes(app: FastifyInstance, { apiKeys }: NoSignInRoutesOptions) {
  for (const url of OAUTH_PATHS)
    app.route({
      method: app.supportedMethods,
      url,
      config: { cors: true },
      schema: { response: { 404: OAuthError } },
      // Runs before the body is read: a token request is not JSON.
      onRequest: async function refuseSignIn(request, reply) {
        // The answer depends on the credential.
        reply.header('cache-control', 'no-store')
        const credential = readCredential(request.raw)
        const advice = credential?.kind === 'api-key' ? await adviceOn(credential.key, request.ip) : ADVICE
        throw new GatewayError('sign_in_not_configured', advice)
      },
      handler: function neverReached() {
        throw new Error('The hook before this handler has answered.')
      },
    })

  /**
   * What POST /mcp says about a key, with the same bound on lookups. Begins with the fault, because clients show it
   * inline and may cut it.
   */
  async function adviceOn(key: string, address: string): Promise<string> {
    try {
      if ((await apiKeys.verify(key, address)) !== undefined) return UNUSED_KEY
      return `Your API key was rejected: ${apiKeys.rejection(key).message} This gateway has no sign-in, only API keys.`
    } catch {
      // Too many lookups, or no database: a 503 here would end the client's discovery.
      return ADVICE
    }
  }
}

export default fp(noSignInRoutes, {
  name: 'routes/no-sign-in',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'origin'],
})
