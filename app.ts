import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { answerClientError } from './plugins/connections/client-error.ts'
import connections from './plugins/connections/plugin.ts'
import errorEnvelope, { renderFrameworkError } from './plugins/error-envelope/plugin.ts'
import identity from './plugins/identity/plugin.ts'
import { SUPPORTED_PROTOCOL_VERSIONS } from './plugins/mcp/protocol.ts'
import orgResolution from './plugins/org-resolution/plugin.ts'
import origin from './plugins/origin/plugin.ts'
import overload, { type OverloadOptions } from './plugins/overload/plugin.ts'
import rateLimit from './plugins/rate-limit/plugin.ts'
import requestLog from './plugins/request-log/plugin.ts'
import { requestIds } from './plugins/request-log/request-ids.ts'
import standing from './plugins/standing/plugin.ts'
import mcpRoutes, { mcpMethodRoutes } from './routes/mcp.ts'
import metadataRoutes from './routes/metadata.ts'
import probeRoutes from './routes/probes.ts'
import type { Services } from './services.ts'

export interface AppOptions {
  logger: FastifyBaseLogger
  /** Registers what watches the routes as they are made; before the first of them. */
  instrument?(app: FastifyInstance): void
  /** Other limits for shedding load than its own. */
  overload?: OverloadOptions
}

/** The whole service. Read top to bottom: this is the order in which a request meets its checks. */
export function buildApp(
  services: Services,
  { logger, instrument, overload: limits = {} }: AppOptions,
): FastifyInstance {
  const { settings } = services
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }), // request-log writes the one line
    childLoggerFactory: parent => parent, // a logger a request cost more than authenticating it; lines carry the id themselves
    genReqId: requestIds(),
    trustProxy: settings.trustProxy.length > 0 ? [...settings.trustProxy] : false,
    frameworkErrors: renderFrameworkError,
    clientErrorHandler: answerClientError,
    exposeHeadRoutes: false,
    bodyLimit: 64 * 1024,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000, // longer than balancers keep an idle connection: the side that asks should end it
    pluginTimeout: 60_000, // also ends a close that waits for its answers; shutdown.ts has the limit for that
    return503OnClosing: false, // what still comes on a kept-alive connection is served, as its last
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 2_000 },
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, allErrors: false } },
  })
  instrument?.(app)

  app.register(connections, { max: settings.maxConnections, onDrain: services.readiness.onDrain })
  app.register(requestLog)
  app.register(errorEnvelope)
  app.register(origin, {
    hosts: services.hosts,
    corsOrigins: settings.corsOrigins,
    trustsProxy: settings.trustProxy.length > 0,
    hsts: settings.environment !== 'development',
  })

  app.register(probeRoutes, {
    version: {
      ...settings.build,
      environment: settings.environment,
      mcp_protocol_versions: [...SUPPORTED_PROTOCOL_VERSIONS],
    },
    readiness: services.readiness.check,
  })
  app.register(metadataRoutes, {
    authorizationServers: settings.tokens.mcp === undefined ? [] : [settings.tokens.mcp.issuer],
  })
  app.register(mcpMethodRoutes)

  app.register(async function authenticated(scope) {
    scope.register(overload, limits)
    scope.register(identity, services.identity)
    scope.register(orgResolution, { activeOrganizations: services.activeOrganizations })
    scope.register(standing)
    scope.register(rateLimit, { max: settings.rateLimitMax, counters: services.counters })

    const { serverInfo, surfaces, callTool } = services
    scope.register(mcpRoutes, { serverInfo, surfaces, callTool }) // adds transport-validation, the last check, to POST /mcp alone
  })

  return app
}
