import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import connections from './plugins/connections/plugin.ts'
import { answerClientError, SERVER_LIMITS } from './plugins/connections/server-options.ts'
import errorEnvelope, { sendError } from './plugins/error-envelope/plugin.ts'
import identity from './plugins/identity/plugin.ts'
import jsonBodies from './plugins/json-bodies/plugin.ts'
import orgResolution from './plugins/org-resolution/plugin.ts'
import origin from './plugins/origin/plugin.ts'
import overload, { type OverloadOptions } from './plugins/overload/plugin.ts'
import policies from './plugins/policies/plugin.ts'
import rateLimit from './plugins/rate-limit/plugin.ts'
import requestLog, { loggedHere, loggedRefusal } from './plugins/request-log/plugin.ts'
import schemaCompilers from './plugins/schema-compilers/plugin.ts'
import standing from './plugins/standing/plugin.ts'
import unreadAnswers from './plugins/unread-answers/plugin.ts'
import accountRoutes from './routes/account.ts'
import { artifactRoutes, uploadRoutes } from './routes/artifacts.ts'
import iconRoutes from './routes/icons.ts'
import landingPageRoutes from './routes/landing-page.ts'
import { mcpGetRoutes, mcpMethodRoutes, mcpRoutes } from './routes/mcp.ts'
import { metadataRoutes, noSignInRoutes } from './routes/oauth-discovery.ts'
import probeRoutes from './routes/probes.ts'
import webhookRoutes from './routes/webhooks.ts'
import type { Services } from './services/create-services.ts'
import { SUPPORTED_PROTOCOL_VERSIONS } from './services/mcp/protocol.ts'
import type { Settings } from './services/settings/settings.ts'

export interface AppOptions {
  logger: FastifyBaseLogger
  /** Adds hooks that see all routes, before the first route is registered. */
  instrument?(app: FastifyInstance): void
  /** Overrides the limits of load shedding. */
  overload?: OverloadOptions
}

/** The whole service. The order of these lines is the order of the checks. */
export function buildApp(
  services: Services,
  { logger, instrument, overload: limits = {} }: AppOptions,
): FastifyInstance {
  const { settings, unread } = services
  const app = createServer(logger, settings)
  instrument?.(app)

  app.register(schemaCompilers)
  app.register(connections, { max: settings.maxConnections, unread, onDrain: services.readiness.onDrain })
  app.register(errorEnvelope)
  app.register(jsonBodies)
  app.register(requestLog)
  app.register(origin, {
    hosts: services.hosts,
    corsOrigins: settings.corsOrigins,
    trustsProxy: settings.trustProxy.length > 0,
    hsts: settings.environment !== 'development',
  })

  app.register(probeRoutes, probesOf(services))
  app.register(landingPageRoutes)
  app.register(metadataRoutes, {
    authorizationServers: settings.tokens.mcp === undefined ? [] : [settings.tokens.mcp.issuer],
    scopes: settings.tokens.mcp?.scopes ?? [],
    assertionKeys: services.assertionKeys,
    dashboardUrl: settings.dashboardUrl,
  })
  if (settings.tokens.mcp === undefined) app.register(noSignInRoutes, services.identity)
  app.register(mcpMethodRoutes)
  app.register(iconRoutes, services)
  app.register(webhookRoutes, services)
  app.register(artifactRoutes, services)
  app.register(uploadRoutes, services)

  app.register(async function authenticated(scope) {
    scope.register(overload, limits)
    scope.register(identity, { ...services.identity, scopes: settings.tokens.mcp?.scopes ?? [] })
    scope.register(orgResolution, services)
    scope.register(standing)
    scope.register(rateLimit, { max: settings.rateLimitMax, counters: services.counters })
    scope.register(policies, services)
    scope.register(unreadAnswers, services)

    scope.register(mcpGetRoutes)
    scope.register(accountRoutes, services)
    scope.register(mcpRoutes, services) // adds transport-validation, the last check, only to POST /mcp
  })

  return app
}

/** What the probes of this process answer. */
export function probesOf({ settings, readiness }: Pick<Services, 'settings' | 'readiness'>) {
  return {
    version: {
      ...settings.build,
      environment: settings.environment,
      mcp_protocol_versions: [...SUPPORTED_PROTOCOL_VERSIONS],
    },
    readiness: readiness.check,
  }
}

/** Creates a server with the limits of this service, and without a plugin. */
export function createServer(logger: FastifyBaseLogger, { trustProxy }: Pick<Settings, 'trustProxy'>): FastifyInstance {
  return Fastify({
    ...loggedHere(logger),
    ...SERVER_LIMITS,
    return503OnClosing: false, // serve the last request of a kept-alive connection
    frameworkErrors: loggedRefusal(sendError),
    clientErrorHandler: answerClientError,
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    exposeHeadRoutes: false,
  })
}
