import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Counters } from '../../lib/rate-counters/counters.ts'
import { setSessionCookie } from '../../plugins/session-cookie/plugin.ts'
import { NewSession, SignInMethods, SignInToken } from '../../schemas/dashboard.ts'
import type { SignInLinks } from '../../services/dashboard/sign-in-links.ts'
import type { OperatorCommands } from '../../services/operator/operator-commands.ts'

interface SignInRoutesOptions {
  signInLinks: Pick<SignInLinks, 'redeem'>
  commands: Pick<OperatorCommands, 'signInLink'>
  counters: Counters
}

/** Tries per address and minute. The tokens have 256 bits, so this only bounds the work. */
const MOST_PER_MINUTE = 60
const WINDOW_MS = 60_000

/** The sign-in of the dashboard. Every change is a POST from its own pages, so that no prefetched link signs anyone in. */
const signInRoutes: FastifyPluginAsyncTypebox<SignInRoutesOptions> = async (app, options) => {
  const { signInLinks, commands, counters } = options

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
      return { issuer: false, command: commands.signInLink('USER') }
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
}

export default fp(signInRoutes, {
  name: 'routes/dashboard/sign-in',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'json-bodies', 'origin', 'dashboard-guard'],
})
