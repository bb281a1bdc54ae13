import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Counters } from '../../lib/rate-counters/counters.ts'
import { readSignInCookie, setSessionCookie, setSignInCookie } from '../../plugins/session-cookie/plugin.ts'
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
import type { OperatorCommands } from '../../services/operator/operator-commands.ts'

interface SignInRoutesOptions {
  signInLinks: Pick<SignInLinks, 'redeem'>
  /** Undefined if users do not sign in at an issuer. */
  issuerSignIn: IssuerSignIn | undefined
  commands: Pick<OperatorCommands, 'signInLink'>
  counters: Counters
}

/** Tries per address and minute. The tokens have 256 bits, so this only bounds the work. */
const MOST_PER_MINUTE = 60
const WINDOW_MS = 60_000

/** The sign-in of the dashboard. Every change is a POST from its own pages, so that no prefetched link signs anyone in. */
const signInRoutes: FastifyPluginAsyncTypebox<SignInRoutesOptions> = async (app, options) => {
  const { signInLinks, issuerSignIn, commands, counters } = options

  app.addHook('onRequest', async function countTry(request: FastifyRequest, reply) {
    reply.header('cache-control', 'no-store')
    if (request.method === 'GET') return
    const { current, ttl } = await counters.increment(`sign-in:${request.ip}`, WINDOW_MS)
    if (current <= MOST_PER_MINUTE) return
    const retryAfter = Math.max(1, Math.ceil(ttl / 1000))
    const message = `Too many tries: the limit is ${MOST_PER_MINUTE} per minute and address. Retry in ${retryAfter} s.`
    throw new GatewayError('rate_limit_exceeded', message, { retryAfter })
  })

  app.route({
    method: 'GET',
    url: '/auth/methods',
    config: { group: 'account' },
    schema: { summary: 'Show how users sign in.', response: { 200: SignInMethods } },
    handler: async function readMethods() {
      return { issuer: issuerSignIn !== undefined, command: commands.signInLink('USER') }
    },
  })

  app.route<{ Body: SignInToken }>({
    method: 'POST',
    url: '/auth/link',
    config: { group: 'account' },
    schema: { summary: 'Sign in with a one-time link.', body: SignInToken, response: { 200: NewSession } },
    handler: async function signInByLink(request, reply) {
      const { cookie, token } = await signInLinks.redeem(request.body.token, request.headers['user-agent'] ?? '')
      setSessionCookie(reply, cookie)
      return { token, return_path: '/' }
    },
  })
  if (issuerSignIn !== undefined) addIssuerRoutes(app, issuerSignIn)
}

function addIssuerRoutes(app: FastifyInstance, issuerSignIn: IssuerSignIn): void {
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
      const { cookie, token, returnPath } = await issuerSignIn.finish({
        callback,
        secret: readSignInCookie(request, issuerSignIn.idOf(callback)),
        browser: request.body.browser,
        userAgent: request.headers['user-agent'] ?? '',
      })
      setSessionCookie(reply, cookie)
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
