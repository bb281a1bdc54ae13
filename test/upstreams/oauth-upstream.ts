import { createRemoteJWKSet, jwtVerify } from 'jose'
import type { Test } from 'tap'
import { authorizationServer } from '../fixtures/authorization-server.ts'
import { legacyServer } from './legacy-server.ts'
import { type SpecimenTools, specimenTools } from './specimen-tools.ts'

interface OauthUpstreamOptions {
  /** The published `scopes_supported`; none if absent. */
  scopes?: readonly string[]
  tools?: SpecimenTools
}

/**
 * An upstream that accepts only tokens of a real authorization server, which registers clients dynamically. It publishes
 * metadata (RFC 9728).
 */
export async function oauthUpstream(t: Test, { scopes, tools = specimenTools() }: OauthUpstreamOptions = {}) {
  const authorization = await authorizationServer(t)
  const keys = createRemoteJWKSet(new URL(`${authorization.issuer}/jwks`), { cooldownDuration: 0 })
  const state = {
    /** Whether it rejects every token. */
    refusesAll: false,
    /** The accepted tokens, in order. */
    tokens: [] as string[],
  }

  const server = await legacyServer(t, {
    tools,
    async guard(request) {
      const { origin, pathname } = new URL(request.url)
      const resource = `${origin}/mcp`
      const metadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`
      if (pathname === '/.well-known/oauth-protected-resource/mcp') {
        const published = scopes === undefined ? {} : { scopes_supported: scopes }
        return Response.json({ resource, authorization_servers: [authorization.issuer], ...published })
      }
      if (pathname === '/mcp/') return new Response(null, { status: 307, headers: { location: resource } })
      if (pathname !== '/mcp') return new Response(null, { status: 404 })
      const token = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
      if (token !== undefined && !state.refusesAll && (await good(token, resource))) {
        state.tokens.push(token)
        return undefined
      }
      const error = token === undefined ? '' : ', error="invalid_token"'
      return new Response(null, {
        status: 401,
        headers: { 'www-authenticate': `Bearer resource_metadata="${metadataUrl}"${error}` },
      })
    },
  })
  authorization.resources.add(server.url)

  async function good(token: string, audience: string): Promise<boolean> {
    return jwtVerify(token, keys, { issuer: authorization.issuer, audience }).then(
      () => true,
      () => false,
    )
  }

  return {
    url: server.url,
    requests: server.requests,
    specimens: server.tools,
    authorization,
    state,
  }
}
