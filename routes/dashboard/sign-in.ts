import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Counters } from '../../lib/rate-counters/counters.ts'
import { countPerAddress } from '../../lib/rate-counters/per-minute.ts'
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
} from '../../schemas/dashboard.ts'
import type { IssuerSignIn } from '../../services/dashboard/issuer-sign-in.ts'
import type { SignInLinks } from '../../services/dashboard/sign-in-links.ts'
import type { DashboardSessions } from '../../services/identity/dashboard-sessions.ts'
import type { OperatorCommands } from '../../services/operator/operator-commands.ts'

interface SignInRoutesOptions {
  signInLinks: Pick<SignInLinks, 'redeem'>
  dashboardSessions: Pick<DashboardSessions, 'endOf'>
  /** Undefined if users do not sign in at an issuer. */
  issuerSignIn: IssuerSignIn | undefined
  commands: Pick<OperatorCommands, 'signInLink' | 'createUser'>
  counters: Counters
}

/** The tokens have 256 bits, so this only bounds the work. */
const LIMIT = { name: 'sign-in', max: 60, what: 'tries' }

/** The sign-in of the dashboard. Every change is a POST from its own pages, so that no prefetched link signs anyone in. */
const signInRoutes: FastifyPluginAsyncTypebox<SignInRoutesOptions> = async (app, options) => {
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
        command: commands.signInLink('USER'),
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

export default fp(signInRoutes, {
  name: 'routes/dashboard/sign-in',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'json-bodies', 'origin', 'dashboard-guard'],
})
