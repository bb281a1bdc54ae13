import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import fp from 'fastify-plugin'
import { GatewayError } from '../lib/errors/errors.ts'
import { Health, NotReady, type ReadinessChecks, Ready, Version } from '../schemas/probes.ts'

interface ProbeRoutesOptions {
  version: Static<typeof Version>
  /** Looks at what the process stands on. */
  readiness(): Promise<Static<typeof ReadinessChecks>>
}

const probeRoutes: FastifyPluginAsyncTypebox<ProbeRoutesOptions> = async (app, { version, readiness }) => {
  app.route({
    method: 'GET',
    url: '/health',
    exposeHeadRoute: true,
    config: { anyHost: true },
    schema: {
      summary: 'Whether the process lives; with `?ready`, whether it should get traffic.',
      querystring: Type.Object({ ready: Type.Optional(Type.String()) }),
      response: { 200: Type.Union([Ready, Health]), 503: NotReady },
    },
    handler: async function reportHealth(request) {
      if (request.query.ready === undefined) return { status: 'ok' as const }
      const checks = await readiness()
      // A log without a reader is reported only: all processes may share one reader, and they still serve.
      const required = [checks.database, checks.migrations, checks.vault_keys]
      if (checks.draining || required.includes('failing'))
        throw new GatewayError('not_ready', 'This process should get no traffic now.', { details: { checks } })
      return { status: 'ok' as const, checks }
    },
  })

  app.route({
    method: 'GET',
    url: '/version',
    config: { anyHost: true },
    schema: { summary: 'Which build this is.', response: { 200: Version } },
    handler: async function reportVersion() {
      return version
    },
  })
}

export default fp(probeRoutes, {
  name: 'routes/probes',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'origin'],
})
