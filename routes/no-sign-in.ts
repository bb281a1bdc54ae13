import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../lib/errors/errors.ts'
import { readCredential } from '../plugins/identity/credential.ts'
import type { GatewayEnvironment } from '../schemas/config.ts'
import { OAuthError } from '../schemas/errors.ts'
import { keyFault } from '../services/identity/key-format.ts'

interface NoSignInRoutesOptions {
  environment: GatewayEnvironment
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

/**
 * The OAuth paths of a gateway without sign-in. After a 401, clients treat it as an authorization server and show only
 * the answer of the last request, so that answer says what to do. It stays a 404, with which clients go on searching.
 */
async function noSignInRoutes(app: FastifyInstance, { environment }: NoSignInRoutesOptions) {
  for (const url of OAUTH_PATHS)
    app.route({
      method: app.supportedMethods,
      url,
      config: { cors: true },
      schema: { response: { 404: OAuthError } },
      // Runs before the body is read: a token request is not JSON.
      onRequest: function refuseSignIn(request, reply, done) {
        // The answer depends on the credential.
        reply.header('cache-control', 'no-store')
        const credential = readCredential(request.raw)
        const fault = credential?.kind === 'api-key' ? keyFault(credential.key, environment) : undefined
        done(new GatewayError('sign_in_not_configured', adviceOn(fault)))
      },
      handler: function neverReached() {
        throw new Error('The hook before this handler has answered.')
      },
    })
}

/** Begins with the fault, because clients show it inline and may cut it. */
function adviceOn(fault: string | undefined): string {
  return fault === undefined
    ? 'This gateway has no sign-in. Send an API key as Authorization: Bearer <key> or x-api-key: <key>. If you sent one, it was rejected.'
    : `Your API key was rejected: ${fault} This gateway has no sign-in, only API keys.`
}

export default fp(noSignInRoutes, {
  name: 'routes/no-sign-in',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'origin'],
})
