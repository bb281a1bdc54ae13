import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { createServer, probesOf } from './app.ts'
import { PublicHosts } from './lib/http/public-hosts.ts'
import compression from './plugins/compression/plugin.ts'
import connections from './plugins/connections/plugin.ts'
import dashboardGuard from './plugins/dashboard-guard/plugin.ts'
import errorEnvelope from './plugins/error-envelope/plugin.ts'
import jsonBodies from './plugins/json-bodies/plugin.ts'
import orgResolution from './plugins/org-resolution/plugin.ts'
import origin from './plugins/origin/plugin.ts'
import outdatedPage from './plugins/outdated-page/plugin.ts'
import overload, { type OverloadOptions } from './plugins/overload/plugin.ts'
import rateLimit from './plugins/rate-limit/plugin.ts'
import requestLog from './plugins/request-log/plugin.ts'
import schemaCompilers from './plugins/schema-compilers/plugin.ts'
import sessionCookie from './plugins/session-cookie/plugin.ts'
import standing from './plugins/standing/plugin.ts'
import unreadAnswers from './plugins/unread-answers/plugin.ts'
import accountRoutes from './routes/account.ts'
import connectRoutes from './routes/dashboard/connect.ts'
import { authorizationRoutes, issuerRoutes } from './routes/dashboard/issuer.ts'
import { gatewayPaths, pageRoutes } from './routes/dashboard/page.ts'
import sessionRoutes from './routes/dashboard/session.ts'
import { logoutRoutes, signInRoutes } from './routes/dashboard/sign-in.ts'
import toolRoutes from './routes/dashboard/tools.ts'
import iconRoutes from './routes/icons.ts'
import { mcpRoutes } from './routes/mcp.ts'
import probeRoutes from './routes/probes.ts'
import type { Services } from './services/create-services.ts'
import type { PageFiles } from './services/dashboard/page-files.ts'

interface DashboardOptions {
  logger: FastifyBaseLogger
  /** The only origin that the dashboard answers for. */
  url: string
  pages: PageFiles
  /** Adds hooks that see all routes, before the first route is registered. */
  instrument?(app: FastifyInstance): void
  /** Overrides the limits of load shedding. */
  overload?: OverloadOptions
}

/**
 * The dashboard: its pages, and the routes of the gateway for a signed-in user, on a listener and an origin of its own. The
 * order of these lines is the order of the checks.
 */
export function buildDashboard(
  services: Services,
  { logger, url, pages, instrument, overload: limits = {} }: DashboardOptions,
): FastifyInstance {
  const { settings, counters, hosts, unread, localIssuer } = services
  const gatewayUrl = () => hosts.mcpResources[0] ?? ''
  const app = createServer(logger, settings)
  instrument?.(app)

  app.register(schemaCompilers)
  app.register(connections, { max: settings.maxConnections, unread, onDrain: services.readiness.onDrain })
  app.register(errorEnvelope)
  app.register(jsonBodies)
  app.register(requestLog)
  app.register(origin, {
    hosts: new PublicHosts(() => [url]),
    corsOrigins: [],
    trustsProxy: settings.trustProxy.length > 0,
    hsts: url.startsWith('https:'),
    gatewayOrigin: () => new URL(gatewayUrl()).origin,
    variable: 'DASHBOARD_URL',
    ...(settings.environment === 'development' && { home: url }),
  })
  app.register(dashboardGuard)

  app.register(probeRoutes, probesOf(services))
  app.register(gatewayPaths, { gatewayUrl })
  app.register(pageRoutes, { pages, gatewayUrl })
  app.register(iconRoutes, services)
  app.register(signInRoutes, services)
  app.register(logoutRoutes, services)
  if (localIssuer !== undefined) app.register(issuerRoutes, { localIssuer, counters, url })

  app.register(
    async function signedIn(scope) {
      scope.register(overload, limits)
      scope.register(sessionCookie, services)
      scope.register(orgResolution, services)
      scope.register(outdatedPage, services)
      scope.register(standing)
      scope.register(rateLimit, { max: settings.rateLimitMax, counters })
      scope.register(compression)
      scope.register(unreadAnswers, services)

      scope.register(sessionRoutes, { ...services, gatewayUrl })
      if (localIssuer !== undefined) scope.register(authorizationRoutes, localIssuer)
      scope.register(connectRoutes, { ...services, dashboardUrl: url })
      scope.register(toolRoutes, { ...services, gatewayUrl })
      // Artifacts have no route here: what others wrote must not be served on the origin of the dashboard.
      scope.register(mcpRoutes, services)
      scope.register(accountRoutes, services)
    },
    { prefix: '/api' },
  )
  return app
}
