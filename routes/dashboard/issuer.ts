import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countPerAddress } from '../../lib/rate-counters/per-minute.ts'
import { callerOf } from '../../plugins/org-resolution/plugin.ts'
import { readAuthorizationCookies } from '../../plugins/session-cookie/plugin.ts'
import { AuthorizationDecision, AuthorizationView, SignInLocation } from '../../schemas/organizations/dashboard.ts'
import type { Infrastructure } from '../../services/infrastructure.ts'
import type { Authorizations } from '../../services/local-issuer/authorizations.ts'
import type { LocalIssuer } from '../../services/local-issuer/create-local-issuer.ts'
import { SCOPE } from '../../services/local-issuer/provider.ts'
import { ISSUER_PATH } from '../../services/local-issuer/with-local-issuer.ts'
import { definePublicRoutes, defineRoutes, type RouteScope } from '../define-routes.ts'

interface IssuerRoutesOptions extends Pick<Infrastructure, 'counters'> {
  localIssuer: Pick<LocalIssuer, 'answer'>
  /** The origin of the dashboard. */
  url: string
}

/** Registrations and authorizations per address and minute: each keeps a row. */
const LIMIT = { name: 'issuer', max: 60, what: 'sign-ins of clients' }
/** The paths of both, as the router of the issuer matches them: in any case, also with a slash at the end. */
const KEEPS_ROW = /^\/(?:reg|auth)\/?$/i
const AUTHORIZATION = /^\/auth\/?$/i
/** The two documents of metadata, where clients look for them if the issuer has a path (RFC 8414, section 3.1). */
const METADATA = ['oauth-authorization-server', 'openid-configuration'] as const

/**
 * The endpoints of the local issuer, on the origin of the dashboard: the checks of its Host and Origin and its headers apply.
 * None of them changes anything for a user: that takes a page of the dashboard and both secrets of its session.
 */
async function answerClients(app: FastifyInstance, { localIssuer, counters, url }: IssuerRoutesOptions) {
  // The issuer reads the bodies itself.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', function leaveBody(_request, _body, done) {
    done(null)
  })

  app.addHook('onRequest', async function countRecord(request, reply) {
    reply.header('cache-control', 'no-store')
    const { pathname } = new URL(request.url, url)
    if (!KEEPS_ROW.test(pathname.slice(ISSUER_PATH.length))) return
    await countPerAddress(counters, { ...LIMIT, address: request.ip })
  })

  async function ask(request: FastifyRequest, reply: FastifyReply, path: string): Promise<void> {
    const { raw } = request
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    reply.hijack()
    // What the issuer calls itself is what clients compare, also behind a proxy that ends TLS.
    const { host, protocol } = new URL(url)
    Object.assign(raw.headers, { 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1) })
    Object.assign(raw, { url: path, originalUrl: ISSUER_PATH + path })
    await localIssuer.answer(raw, reply.raw)
  }

  app.route({
    method: ['GET', 'POST', 'OPTIONS'],
    url: `${ISSUER_PATH}/*`,
    config: { fromAnywhere: true },
    handler: async function askIssuer(request, reply) {
      await ask(request, reply, withScope(request.url.slice(ISSUER_PATH.length)))
    },
  })

  for (const name of METADATA)
    app.route({
      method: 'GET',
      url: `/.well-known/${name}${ISSUER_PATH}`,
      handler: async function readMetadata(request, reply) {
        await ask(request, reply, `/.well-known/${name}`)
      },
    })
}

/** Gives an authorization request the only scope, whatever it asks for (RFC 6749, section 3.3), and the only response mode. */
function withScope(path: string): string {
  const [endpoint = '', ...parameters] = path.split('?')
  if (!AUTHORIZATION.test(endpoint)) return path
  const query = new URLSearchParams(parameters.join('?'))
  query.set('scope', SCOPE)
  query.delete('response_mode')
  return `/auth?${query}`
}

export const issuerRoutes = definePublicRoutes('dashboard/issuer', answerClients, ['dashboard-guard'])

interface AuthorizationRoutesOptions {
  authorizations: Authorizations
}

const Path = Type.Object({ uid: Type.String({ maxLength: 100 }) }, { additionalProperties: false })
const config = { group: 'account' } as const

/** What an MCP client that signs in at the local issuer asks the signed-in member for, and their answer. */
function addAuthorizations(app: RouteScope, { authorizations }: AuthorizationRoutesOptions): void {
  app.route<{ Params: Static<typeof Path> }>({
    method: 'GET',
    url: '/authorizations/:uid',
    config,
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
    schema: {
      summary: 'Allow an MCP client to call tools as the user, or deny it.',
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

export const authorizationRoutes = defineRoutes<AuthorizationRoutesOptions>('dashboard/authorizations', {
  organization: addAuthorizations,
})
