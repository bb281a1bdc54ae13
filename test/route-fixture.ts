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
import { type ApiKeyIdentity, verifiedIdentity } from '../services/identity/identity.ts'
import { checkAnswers } from './check-answers.ts'
import type { directory } from './directory.ts'
import { bare, keyHolder, known, localhost, session } from './fixture.ts'

/**
 * Routes of members on a bare Fastify with the plugins that they require, for two members of one organization (`ada`, the
 * owner, and `bob`), a stranger (`eve`), an agent of `ada`, a suspended agent's key and a session without an organization.
 */
export async function routeFixture(
  t: Test,
  made: { directory: ReturnType<typeof directory>; clock: Clock },
  routes: (scope: FastifyInstance) => void,
  options?: FastifyServerOptions,
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
        tokens: { 'a.b.c': session() },
      }),
    )
    scope.register(orgResolution, {
      activeOrganizations: { cached: () => ({ state: 'none' }), of: async () => ({ state: 'none' }) },
    })
    scope.register(standing)
    scope.register(rateLimit, { max: 1_000, counters: localCounters(made.clock) })
    routes(scope)
  })
  await app.ready()
  return { app, ada, bob, eve }
}
