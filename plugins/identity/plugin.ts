import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { ApiKeys } from '../../services/identity/api-keys.ts'
import type { Identity } from '../../services/identity/identity.ts'
import type { Audience, Jwts } from '../../services/identity/jwt.ts'
import { type Credential, hasCredential, readCredential } from './credential.ts'

export interface IdentityOptions {
  apiKeys: Pick<ApiKeys, 'cached' | 'verify' | 'rejection'>
  jwts: Jwts
  /** The scopes that MCP clients request; empty to leave it to the authorization server. */
  scopes: readonly string[]
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The verified caller; null outside the scope that registers this plugin. */
    identity: Identity | null
  }
  interface FastifyContextConfig {
    /** The bearer JWTs that the route accepts. Default: 'session'. */
    audience?: Audience
  }
}

/** A route of the router. */
type Route = ReturnType<ReturnType<Parameters<FastifyInstance['addConstraintStrategy']>[0]['storage']>['get']>

async function identity(app: FastifyInstance, { apiKeys, jwts, scopes }: IdentityOptions) {
  app.decorateRequest('identity', null)
  // Lets a scope serve only the requests that have a credential: `constraints: { credential: true }`.
  app.addConstraintStrategy({
    name: 'credential',
    storage() {
      const routes = new Map<unknown, Route>()
      return { get: value => routes.get(value) ?? null, set: (value, route) => void routes.set(value, route) }
    },
    deriveConstraint: request => (hasCredential(request) ? true : undefined),
  })

  app.addHook('onRequest', function identify(request, reply, done) {
    reply.header('cache-control', 'no-store')
    const credential = readCredential(request.raw)
    const audience = request.routeOptions.config.audience ?? 'session'
    const known = cached(credential, audience)
    if (known !== undefined) {
      request.identity = known
      done()
      return
    }
    verify(credential, audience, request.ip).then(
      identity => {
        request.identity = identity
        done()
      },
      (error: Error) => {
        challenge(request, reply, error, scopes)
        done(error)
      },
    )
  })

  function cached(credential: Credential | undefined, audience: Audience): Identity | undefined {
    if (credential?.kind === 'api-key') return apiKeys.cached(credential.key)
    return credential?.kind === 'jwt' ? jwts.cached(credential.token, audience) : undefined
  }

  async function verify(credential: Credential | undefined, audience: Audience, address: string): Promise<Identity> {
    if (credential === undefined)
      throw new GatewayError(
        'missing_authorization',
        'No credential. Send Authorization: Bearer <key or token>, or x-api-key: <key>.',
      )
    if (credential.kind === 'conflict')
      throw new GatewayError(
        'invalid_api_key',
        'The request has more than one credential. Send one Authorization header or one x-api-key header.',
      )
    if (credential.kind === 'jwt') return jwts.verify(credential.token, audience)
    const owner = await apiKeys.verify(credential.key, address)
    if (owner === undefined) throw apiKeys.rejection(credential.key)
    return owner
  }
}

/**
 * Points every 401 of /mcp to the metadata document, so that clients find where to sign in (RFC 9728, section 5.1), and
 * names the scopes to request there (RFC 6750, section 3).
 */
function challenge(request: FastifyRequest, reply: FastifyReply, error: Error, scopes: readonly string[]): void {
  if (request.routeOptions.config.audience !== 'mcp' || !(error instanceof GatewayError)) return
  const metadata = `Bearer resource_metadata="${request.origin}/.well-known/oauth-protected-resource/mcp"`
  const wanted = scopes.length === 0 ? metadata : `${metadata}, scope="${scopes.join(' ')}"`
  if (error.code === 'missing_authorization') reply.header('www-authenticate', wanted)
  if (error.code === 'invalid_jwt' || error.code === 'invalid_api_key')
    reply.header('www-authenticate', `${wanted}, error="invalid_token"`)
}

/** The verified identity of a request. Throws outside the authenticated scope. */
export function identityOf(request: FastifyRequest): Identity {
  if (request.identity === null) throw new Error('The identity plugin has not run for this route.')
  return request.identity
}

export default fp(identity, { name: 'identity', fastify: '5.x', dependencies: ['error-envelope', 'origin'] })
