import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import type { Test } from 'tap'
import { localCounters } from '../lib/rate-counters/counters.ts'
import errorEnvelope from '../plugins/error-envelope/plugin.ts'
import identity from '../plugins/identity/plugin.ts'
import jsonBodies from '../plugins/json-bodies/plugin.ts'
import orgResolution from '../plugins/org-resolution/plugin.ts'
import origin from '../plugins/origin/plugin.ts'
import rateLimit from '../plugins/rate-limit/plugin.ts'
import standing from '../plugins/standing/plugin.ts'
import type { Clock } from '../schemas/time.ts'
import type { ActiveOrganization } from '../services/identity/caller.ts'
import { type ApiKeyIdentity, type UserIdentity, verifiedIdentity } from '../services/identity/identity.ts'
import { checkAnswers } from './check-answers.ts'
import type { directory } from './directory.ts'
import { bare, keyHolder, known, localhost, session } from './fixture.ts'

/**
 * Routes of members on a bare Fastify with the plugins that they require, for two members of one organization (`ada`, the
 * owner, and `bob`), a stranger (`eve`), an agent of `ada`, a suspended agent's key and a session without an organization
 * (`a.b.c`). Sessions of the members are `ada.b.c`, `bob.b.c` and `eve.b.c`; `gone.b.c` is the session of a user whose
 * chosen organization has removed them.
 */
export async function routeFixture(
  t: Test,
  made: { directory: ReturnType<typeof directory>; clock: Clock },
  routes: (scope: FastifyInstance) => void,
  // As in the app.
  options: FastifyServerOptions = { ajv: { customOptions: { removeAdditional: false, coerceTypes: false } } },
) {
  const [ada, bob] = await made.directory.members('owner', 'member')
  const [eve] = await made.directory.members('owner')
  const app = bare(t, options)
  checkAnswers(app)
  app.register(errorEnvelope)
  app.register(jsonBodies)
  app.register(origin, localhost)
  app.register(async function authenticated(scope) {
    scope.register(
      identity,
      known({
        keys: {
          ada: ada.identity,
          bob: bob.identity,
          eve: eve.identity,
          agent: verifiedIdentity<ApiKeyIdentity>({ ...ada.identity, agent: { id: 'agt_2', status: 'active' } }),
          idle: keyHolder({ agent: { id: 'agt_1', status: 'suspended' } }),
        },
        tokens: {
          'a.b.c': session(),
          'ada.b.c': sessionOf(ada.userId),
          'bob.b.c': sessionOf(bob.userId),
          'eve.b.c': sessionOf(eve.userId),
          'gone.b.c': sessionOf('usr_gone'),
        },
      }),
    )
    const of = ({ userId }: { userId: string }): ActiveOrganization => {
      if (userId === 'usr_gone') return { state: 'revoked' }
      const member = [ada, bob, eve].find(member => member.userId === userId)
      return member === undefined ? { state: 'none' } : { state: 'member', ...member.caller }
    }
    scope.register(orgResolution, { activeOrganizations: { cached: of, of: async user => of(user) } })
    scope.register(standing)
    scope.register(rateLimit, { max: 1_000, counters: localCounters(made.clock) })
    routes(scope)
  })
  await app.ready()
  return { app, ada, bob, eve, ask: asking(app) }
}

function sessionOf(userId: string): UserIdentity {
  return session({ userId, meterKey: userId })
}

interface Asked {
  status: number
  headers: Record<string, unknown>
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into answers of many shapes
  body: any
}

/** Sends a request as the holder of a credential: a key's name (`ada`), or a session (`ada.b.c`). */
function asking(app: FastifyInstance) {
  return async function ask(
    who: string,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    { body, headers = {} }: { body?: object | string; headers?: Record<string, string> } = {},
  ): Promise<Asked> {
    const credential = who.includes('.') ? { authorization: `Bearer ${who}` } : { 'x-api-key': who }
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await app.inject({
      method,
      url,
      ...(body !== undefined && { payload: body }),
      headers: { ...json, ...credential, ...headers },
    })
    const { statusCode: status, body: text } = response
    return { status, headers: response.headers, body: isJson(response.headers) ? JSON.parse(text) : text }
  }
}

function isJson(headers: Record<string, unknown>): boolean {
  return /^application\/json\b/.test(`${headers['content-type']}`)
}
