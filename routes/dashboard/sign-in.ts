import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GatewayError } from '../../lib/errors/errors.ts'
import { countPerAddress } from '../../lib/rate-counters/per-minute.ts'
import { endpointNotFound } from '../../plugins/error-envelope/plugin.ts'
import {
  clearSignInCookie,
  readSignInCookies,
  secretsOf,
  setSessionCookie,
  setSignInCookie,
} from '../../plugins/session-cookie/plugin.ts'
import {
  NewSession,
  SignInCallback,
  SignInLocation,
  SignInMethods,
  SignInStart,
  SignInToken,
} from '../../schemas/organizations/dashboard.ts'
import type { IssuerSignIn } from '../../services/dashboard/issuer-sign-in.ts'
import type { SignInLinks } from '../../services/dashboard/sign-in-links.ts'
import type { DashboardSessions } from '../../services/identity/dashboard-sessions.ts'
import type { VerifyLogoutToken } from '../../services/identity/logout-tokens.ts'
import type { Infrastructure } from '../../services/infrastructure.ts'
import type { OperatorCommands } from '../../services/operator/operator-commands.ts'
import { definePublicRoutes } from '../define-routes.ts'

interface SignInRoutesOptions extends Pick<Infrastructure, 'counters'> {
  signInLinks: Pick<SignInLinks, 'redeem'>
  dashboardSessions: Pick<DashboardSessions, 'endOf'>
  /** Undefined if users do not sign in at an issuer. */
  issuerSignIn: IssuerSignIn | undefined
  commands: Pick<OperatorCommands, 'signInLink' | 'createUser'>
}

/** The tokens have 256 bits, so this only bounds the work. */
const LIMIT = { name: 'sign-in', max: 60, what: 'tries' }

/** The sign-in of the dashboard. Every change is a POST from its own pages, so that no prefetched link signs anyone in. */
const signIn: FastifyPluginAsyncTypebox<SignInRoutesOptions> = async (app, options) => {
  const { signInLinks, dashboardSessions, issuerSignIn, commands, counters } = options

  /** A browser has one session: once its secrets are replaced, nobody can sign out of the former one here. */
  async function replaceSession(request: FastifyRequest, reply: FastifyReply, cookie: string): Promise<void> {
    await dashboardSessions.endOf(secretsOf(request))
    setSessionCookie(reply, cookie)
  }

  app.addHook('onRequest', async function countTry(request: FastifyRequest, reply) {
    reply.header('cache-control', 'no-store')
    if (request.method === 'GET') return
    await countPerAddress(counters, { ...LIMIT, address: request.ip })
  })

  app.route({
    method: 'GET',
    url: '/auth/methods',
    config: { group: 'account' },
    schema: { summary: 'Show how users sign in.', response: { 200: SignInMethods } },
    handler: async function readMethods() {
      return {
        issuer: issuerSignIn !== undefined,
        command: commands.signInLink('EMAIL'),
        add_member: commands.createUser('ORG', 'EMAIL'),
      }
    },
  })

  app.route<{ Body: SignInToken }>({
    method: 'POST',
    url: '/auth/link',
    config: { group: 'account' },
    schema: { summary: 'Sign in with a one-time link.', body: SignInToken, response: { 200: NewSession } },
    handler: async function signInByLink(request, reply) {
      const { cookie, token } = await signInLinks.redeem(request.body.token, request.headers['user-agent'] ?? '')
      await replaceSession(request, reply, cookie)
      return { token, return_path: '/' }
    },
  })
  if (issuerSignIn !== undefined) addIssuerRoutes(app, { issuerSignIn, replaceSession })
}

interface IssuerRoutesOptions {
  issuerSignIn: IssuerSignIn
  replaceSession(request: FastifyRequest, reply: FastifyReply, cookie: string): Promise<void>
}

function addIssuerRoutes(app: FastifyInstance, { issuerSignIn, replaceSession }: IssuerRoutesOptions): void {
  app.route<{ Body: SignInStart }>({
    method: 'POST',
    url: '/auth/start',
    config: { group: 'account' },
    schema: { summary: 'Begin a sign-in at the issuer.', body: SignInStart, response: { 200: SignInLocation } },
    handler: async function startSignIn(request, reply) {
      const begun = await issuerSignIn.begin({
        browser: request.body.browser,
        returnPath: request.body.return_path,
      })
      setSignInCookie(reply, begun)
      return { location: begun.location }
    },
  })

  app.route<{ Body: SignInCallback }>({
    method: 'POST',
    url: '/auth/callback',
    config: { group: 'account' },
    schema: { summary: 'Finish a sign-in at the issuer.', body: SignInCallback, response: { 200: NewSession } },
    handler: async function finishSignIn(request, reply) {
      const callback = new URLSearchParams(request.body.search)
      const id = issuerSignIn.idOf(callback)
      const finishing = issuerSignIn.finish({
        callback,
        secrets: readSignInCookies(request, id),
        browser: request.body.browser,
        userAgent: request.headers['user-agent'] ?? '',
      })
      const { cookie, token, returnPath } = await finishing.catch((error: unknown) => {
        // Any other error is a fault of the gateway, after which the browser may try again.
        if (error instanceof GatewayError) clearSignInCookie(reply, id)
        throw error
      })
      await replaceSession(request, reply, cookie)
      clearSignInCookie(reply, id)
      return { token, return_path: returnPath }
    },
  })
}

export const signInRoutes = definePublicRoutes('dashboard/sign-in', signIn, ['json-bodies', 'dashboard-guard'])

interface LogoutRoutesOptions extends Pick<Infrastructure, 'counters'> {
  dashboardSessions: Pick<DashboardSessions, 'endAtIssuer'>
  /** Undefined if users do not sign in at an issuer. */
  verifyLogoutToken: VerifyLogoutToken | undefined
  issuerSignIn: object | undefined
}

/** How long the ID of a used token is remembered: longer than a token is accepted. */
const REMEMBERED_MS = 10 * 60_000
const MOST_BYTES = 16 * 1024

/** Ends sessions when their issuer says so (OpenID Connect Back-Channel Logout 1.0). The token is the credential. */
async function endSessionsAtIssuer(app: FastifyInstance, options: LogoutRoutesOptions) {
  const { dashboardSessions, verifyLogoutToken, issuerSignIn, counters } = options
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MOST_BYTES },
    function parseForm(_request, body, done) {
      done(null, Object.fromEntries(new URLSearchParams(String(body))))
    },
  )

  app.route<{ Body: { logout_token?: string } }>({
    method: 'POST',
    url: '/auth/backchannel-logout',
    config: { fromAnywhere: true },
    bodyLimit: MOST_BYTES,
    schema: {
      summary: 'End the sessions that the issuer ended.',
      body: Type.Object({ logout_token: Type.String({ minLength: 1 }) }),
      response: { 200: Type.Null() },
    },
    handler: async function endSessions(request, reply) {
      reply.header('cache-control', 'no-store')
      if (verifyLogoutToken === undefined || issuerSignIn === undefined) throw endpointNotFound(request)
      const ended = await verifyLogoutToken(request.body.logout_token ?? '')
      const { current } = await counters.increment(`logout:${ended.tokenId}`, REMEMBERED_MS)
      if (current > 1) throw new GatewayError('invalid_request', 'This logout token was already used.')
      const sessions = await dashboardSessions.endAtIssuer(ended)
      request.log.info({ id: request.id, sessions }, 'the issuer ended sessions of the dashboard')
      return reply.code(200).send()
    },
  })
}

export const logoutRoutes = definePublicRoutes('dashboard/logout', endSessionsAtIssuer, ['dashboard-guard'])
