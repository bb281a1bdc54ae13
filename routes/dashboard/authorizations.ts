import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import fp from 'fastify-plugin'
import { callerOf } from '../../plugins/org-resolution/plugin.ts'
import { readAuthorizationCookies } from '../../plugins/session-cookie/plugin.ts'
import { AuthorizationDecision, AuthorizationView, SignInLocation } from '../../schemas/dashboard.ts'
import type { Authorizations } from '../../services/local-issuer/authorizations.ts'
import { requireOrganization } from '../access.ts'

interface AuthorizationRoutesOptions {
  authorizations: Authorizations
}

const Path = Type.Object({ uid: Type.String({ maxLength: 100 }) }, { additionalProperties: false })
const config = { group: 'account' } as const

/** What an MCP client that signs in at the local issuer asks the signed-in member for, and their answer. */
const authorizationRoutes: FastifyPluginAsyncTypebox<AuthorizationRoutesOptions> = async (app, options) => {
  const { authorizations } = options

  app.route<{ Params: Static<typeof Path> }>({
    method: 'GET',
    url: '/authorizations/:uid',
    config,
    onRequest: requireOrganization,
    schema: {
      summary: 'Show which MCP client asks to call tools.',
      params: Path,
      response: { 200: AuthorizationView },
    },
    handler: async function readAuthorization(request): Promise<AuthorizationView> {
      const { uid } = request.params
      const { name, host, returnsTo } = await authorizations.read({ uid, cookies: readAuthorizationCookies(request) })
      return { client: { name, host }, returns_to: returnsTo }
    },
  })

  app.route<{ Params: Static<typeof Path>; Body: AuthorizationDecision }>({
    method: 'POST',
    url: '/authorizations/:uid',
    config,
    onRequest: requireOrganization,
    schema: {
      summary: 'Allow an MCP client to call tools as oneself, or deny it.',
      params: Path,
      body: AuthorizationDecision,
      response: { 200: SignInLocation },
    },
    handler: async function decide(request): Promise<{ location: string }> {
      const { uid } = request.params
      const asked = { uid, cookies: readAuthorizationCookies(request) }
      const allow = request.body.decision === 'allow'
      return { location: await authorizations.decide({ ...asked, caller: callerOf(request), allow }) }
    },
  })
}

export default fp(authorizationRoutes, {
  name: 'routes/dashboard/authorizations',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'json-bodies', 'origin', 'identity', 'org-resolution', 'standing', 'rate-limit'],
})
