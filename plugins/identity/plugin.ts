import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../../lib/errors/errors.ts'
import { isRepeated } from '../../lib/http/headers.ts'
import type { ApiKeys } from '../../services/identity/api-keys.ts'
import type { Identity } from '../../services/identity/identity.ts'
import type { Audience, Jwts } from '../../services/identity/jwt.ts'

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
        'There is no credential. Send Authorization: Bearer <key or token>, or x-api-key: <key>.',
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
  const metadata = `Bearer resource_metadata="${request.origin}/.well-known/oauth-protected-resource${request.routeOptions.url}"`
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

/** The credential of a request. */
type Credential =
  | { kind: 'api-key'; key: string }
  | { kind: 'jwt'; token: string }
  /** More than one credential; none is verified. */
  | { kind: 'conflict' }

/** Node.js trims values, so a bearer without a token has no space. */
const BEARER = /^bearer(?: +|$)/i
/** Three base64url parts; an unsecured JWT has an empty signature (RFC 7519, section 6). */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/

/** Whether a request has a credential, valid or not. */
export function hasCredential({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.authorization !== undefined || headers['x-api-key'] !== undefined
}

/**
 * Reads the credential of a request; undefined if it has none. A bearer in the form of a JWT is a JWT. Any other value of
 * Authorization, and every x-api-key, is an API key.
 */
export function readCredential({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): Credential | undefined {
  const { authorization } = headers
  const apiKey = headers['x-api-key']
  if (apiKey !== undefined && isRepeated('x-api-key', rawHeaders)) return { kind: 'conflict' }
  if (authorization === undefined) return typeof apiKey === 'string' ? { kind: 'api-key', key: apiKey } : undefined

  if (isRepeated('authorization', rawHeaders)) return { kind: 'conflict' }
  const bearer = authorization.replace(BEARER, '')
  if (apiKey !== undefined && apiKey !== bearer) return { kind: 'conflict' }
  return JWT.test(bearer) ? { kind: 'jwt', token: bearer } : { kind: 'api-key', key: bearer }
}
