import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import { GatewayError } from '../lib/errors/errors.ts'
import { Health, NotReady, type ReadinessChecks, Ready, Version } from '../schemas/gateway/probes.ts'
import { definePublicRoutes } from './define-routes.ts'

interface ProbeRoutesOptions {
  version: Static<typeof Version>
  /** Checks the dependencies of the process. */
  readiness(): Promise<Static<typeof ReadinessChecks>>
}

const probeRoutes: FastifyPluginAsyncTypebox<ProbeRoutesOptions> = async (app, { version, readiness }) => {
  app.route({
    method: 'GET',
    url: '/health',
    exposeHeadRoute: true,
    config: { anyHost: true },
    schema: {
      summary: 'Check whether the process is alive; with `?ready`, whether it should receive traffic.',
      querystring: Type.Object({ ready: Type.Optional(Type.String()) }),
      response: { 200: Type.Union([Ready, Health]), 503: NotReady },
    },
    handler: async function reportHealth(request) {
      if (request.query.ready === undefined) return { status: 'ok' as const }
      const checks = await readiness()
      // A failing log output is only reported: all processes can share one reader, and they still serve.
      const required = [checks.database, checks.migrations, checks.vault_keys]
      if (checks.draining || required.includes('failing'))
        throw new GatewayError(
          'not_ready',
          'This process should not receive traffic now. Route the request to another process.',
          {
            details: { checks },
          },
        )
      return { status: 'ok' as const, checks }
    },
  })

  app.route({
    method: 'GET',
    url: '/version',
    config: { anyHost: true },
    schema: { summary: 'Get the version of this build.', response: { 200: Version } },
    handler: async function reportVersion() {
      return version
    },
  })
}

export default definePublicRoutes('probes', probeRoutes)
