import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import type { JWK } from 'jose'
import { GatewayError } from '../lib/errors/errors.ts'
import { MCP_PATHS } from '../lib/http/public-hosts.ts'
import { readCredential } from '../plugins/identity/plugin.ts'
import { OAuthError } from '../schemas/gateway/errors.ts'
import { ProtectedResourceMetadata } from '../schemas/gateway/probes.ts'
import { ClientMetadataDocument, PublicKeys } from '../schemas/remotes/oauth-client.ts'
import type { ApiKeys } from '../services/identity/api-keys.ts'
import { CLIENT_METADATA_PATH, clientMetadata } from '../services/remote-connectors/oauth/client-metadata.ts'
import { definePublicRoutes } from './define-routes.ts'

/** How long authorization servers can cache the client metadata. */
const CLIENT_METADATA_SECONDS = 3_600

/** How long servers can cache the keys, which are published two days before they sign. */
const PUBLIC_KEYS_SECONDS = 300

interface MetadataRoutesOptions {
  /** The authorization servers whose tokens POST /mcp accepts; empty if no issuer is configured. */
  authorizationServers: readonly string[]
  /** The scopes that clients request there; empty to leave it to the authorization server. */
  scopes: readonly string[]
  /** The keys that sign who calls an organization's own servers. */
  assertionKeys(): Promise<readonly JWK[]>
  /** The dashboard, where people sign in too; undefined without one. */
  dashboardUrl?: string | undefined
}

const describeSignIn: FastifyPluginAsyncTypebox<MetadataRoutesOptions> = async (app, options) => {
  const { authorizationServers, scopes, dashboardUrl, assertionKeys } = options
  for (const path of MCP_PATHS) {
    const url = `/.well-known/oauth-protected-resource${path}`
    app.route({
      method: path === '/mcp' ? 'GET' : ['GET'],
      url,
      config: { cors: true },
      schema: {
        summary: 'Get the protected resource metadata of POST /mcp (RFC 9728).',
        response: { 200: ProtectedResourceMetadata },
      },
      handler: async function describeResource(request) {
        return {
          // Clients compare it with the URL that they call, to the byte.
          resource: request.origin + path,
          authorization_servers: [...authorizationServers],
          ...(scopes.length > 0 && { scopes_supported: [...scopes] }),
          bearer_methods_supported: ['header' as const],
        }
      },
    })
    // Browsers ask first if the request has a header of MCP. The origin plugin adds the CORS headers, or answers itself.
    app.route({
      method: ['OPTIONS'],
      url,
      config: { cors: true },
      handler: function describeMethods(_request, reply) {
        reply.code(204).header('allow', 'GET').send()
      },
    })
  }

  app.route({
    method: 'GET',
    url: '/.well-known/jwks.json',
    schema: {
      summary: 'Get the public keys of the assertions that say who calls an organization’s own MCP servers (RFC 7517).',
      response: { 200: PublicKeys },
    },
    handler: async function listAssertionKeys(_request, reply) {
      reply.header('cache-control', `public, max-age=${PUBLIC_KEYS_SECONDS}`)
      return { keys: [...(await assertionKeys())] as PublicKeys['keys'] }
    },
  })

  app.route({
    method: 'GET',
    url: CLIENT_METADATA_PATH,
    schema: {
      summary:
        'Get the metadata of this gateway as an OAuth client of registered MCP servers; its URL is its client_id.',
      response: { 200: ClientMetadataDocument },
    },
    handler: async function describeClient(request, reply) {
      reply.header('cache-control', `public, max-age=${CLIENT_METADATA_SECONDS}`)
      return { client_id: request.origin + CLIENT_METADATA_PATH, ...clientMetadata(dashboardUrl) }
    },
  })
}

export const metadataRoutes = definePublicRoutes('metadata', describeSignIn)

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
async function refuseSignIns(app: FastifyInstance, { apiKeys }: NoSignInRoutesOptions) {
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

export const noSignInRoutes = definePublicRoutes('no-sign-in', refuseSignIns)
