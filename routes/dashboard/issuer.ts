import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ISSUER_PATH } from '../../lib/configuration/local-issuer.ts'
import type { Counters } from '../../lib/rate-counters/counters.ts'
import { countPerAddress } from '../../lib/rate-counters/per-minute.ts'
import type { LocalIssuer } from '../../services/local-issuer/create-local-issuer.ts'
import { SCOPE } from '../../services/local-issuer/provider.ts'

interface IssuerRoutesOptions {
  localIssuer: Pick<LocalIssuer, 'answer'>
  counters: Counters
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
async function issuerRoutes(app: FastifyInstance, { localIssuer, counters, url }: IssuerRoutesOptions) {
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

export default fp(issuerRoutes, {
  name: 'routes/dashboard/issuer',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'origin', 'dashboard-guard'],
})
