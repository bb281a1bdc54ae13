import { join } from 'node:path'
import { buildApp } from './app.ts'
import { bootstrap } from './cli/bootstrap.ts'
import { serveControlSocket } from './cli/control-socket.ts'
import { runForOperator } from './cli/run-command.ts'
import {
  bootstrapMessage,
  lostKeyMessage,
  readCounts,
  startFacts,
  startMessage,
  unusedDatabaseWarning,
} from './cli/start-message.ts'
import { buildDashboard } from './dashboard-app.ts'
import { movedWarning } from './lib/database/moved-marker.ts'
import { createLogger } from './lib/logging/logger.ts'
import type { Scrubber } from './lib/logging/scrub.ts'
import { ignoreWriteErrors, openStandardOutput } from './lib/logging/standard-output.ts'
import { nextFreePort } from './lib/process/free-port.ts'
import { logProcessEvents, shutDownOnSignal } from './lib/process/process-events.ts'
import { runProcess } from './lib/process/run-process.ts'
import { connectorChecks } from './services/connectors/connect/require-connectors.ts'
import { createServices, type Services } from './services/create-services.ts'
import { loopbackUrl } from './services/dashboard/dashboard-settings.ts'
import { createPageFiles } from './services/dashboard/page-files.ts'
import { withLocalIssuer } from './services/local-issuer/with-local-issuer.ts'
import { warnOfMissingPeppers } from './services/organizations/key-queries.ts'
import { withCheckoutCommit } from './services/settings/checkout-commit.ts'
import { loadConfig } from './services/settings/load.ts'
import { configuredSecrets, type Settings } from './services/settings/settings.ts'
import { CATALOG } from './tools/catalog.ts'

/** The built page of the dashboard: `npm run build:dashboard` writes it, also where the sources run. */
const PAGES = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? 'dist' : '', 'dashboard')
/** When the first start checks whether its message was written. */
const LOST_KEY_AFTER_MS = 1_000
const NOT_BUILT = 'The dashboard is not built. Run: npm run build:dashboard'

/** Runs the gateway: services, app, listen, drain. */
async function start(configured: Settings, scrubber: Scrubber): Promise<void> {
  const settings = withLocalIssuer(await withDashboardPort(withCheckoutCommit(configured)), isIssuerInstalled)
  const output = openStandardOutput(process)
  const log = createLogger({ level: settings.logLevel, stream: output, scrubber })
  logProcessEvents(log, process)
  for (const warning of settings.warnings) log.warn(warning)

  const services = await createServices(settings, { ...CATALOG, log, logHealth: output.health, scrub: scrubber.text })
  await services.database.migrate()
  const peppers = await services.keys.pepperUse()
  warnOfMissingPeppers(peppers, log)
  await services.vaultRotation.warnOfMissingKeys()
  await services.membershipRules.warnOfMissing()
  const counts = await readCounts(services, peppers)
  const app = buildApp(services, { logger: log })
  const dashboard = dashboardOf(services, log)
  const closeControlSocket =
    settings.database === undefined
      ? await serveControlSocket({ dataDir: settings.dataDir, log, run: args => runForOperator(services, args) })
      : undefined
  // Elsewhere, standard output is read by machines: every line is JSON.
  const forPeople = settings.environment === 'development' || process.stdout.isTTY
  shutDownOnSignal({
    log,
    announce: forPeople ? line => output.write(`${process.stdout.isTTY ? '\n' : ''}${line}\n`) : undefined,
    readiness: services.readiness,
    drainDelayMs: settings.drainDelayMs,
    stopServing: () => Promise.all([app.close(), dashboard?.close()]).then(() => {}),
    async close() {
      await closeControlSocket?.()
      await services.close()
    },
  })

  const address = await app.listen(settings.listen)
  if (settings.dashboard !== undefined) await dashboard?.listen(settings.dashboard)
  services.jobs.start()
  // After listening: next to the error of a failed start, it would seem to be the cause.
  const unused = settings.database === undefined ? movedWarning(settings.dataDir) : unusedDatabaseWarning(settings)
  if (unused !== undefined) log.warn(unused)
  const origin = shownOrigin(address, settings)
  // After listening: a start that fails on its port must not use up a key that is shown only once.
  const first = settings.environment === 'development' ? await bootstrap(services, settings) : undefined
  if (first !== undefined) {
    output.write(bootstrapMessage(origin, first, settings))
    setTimeout(() => {
      if (output.health().failing) process.stderr.write(lostKeyMessage(first, settings))
    }, LOST_KEY_AFTER_MS).unref()
  } else if (forPeople) output.write(startMessage(startFacts(origin, counts, settings)))
  else log.info(startFacts(origin, counts, settings), 'ready')
  output.flush()
}

/** The dashboard; undefined if this process does not serve it. */
function dashboardOf(services: Services, logger: ReturnType<typeof createLogger>) {
  const { dashboardUrl: url, dashboard } = services.settings
  if (url === undefined || dashboard === undefined) return undefined
  const pages = createPageFiles(PAGES)
  if (pages.shell('') === undefined) logger.warn(NOT_BUILT)
  return buildDashboard(services, { logger, url, pages })
}

/** Chooses the port of a dashboard in development: the next free one if another process has the usual one. */
async function withDashboardPort(settings: Settings): Promise<Settings> {
  const { dashboard } = settings
  if (dashboard === undefined || !dashboard.anyPort) return settings
  const port = await nextFreePort(dashboard.host, dashboard.port)
  return { ...settings, dashboardUrl: loopbackUrl(port), dashboard: { ...dashboard, port } }
}

/** Whether the package of the local issuer is installed. Production installs leave it out. */
function isIssuerInstalled(): boolean {
  try {
    return import.meta.resolve('oidc-provider') !== ''
  } catch {
    return false
  }
}

/** The origin to show: the listening address if clients may use it, otherwise the first public origin. */
function shownOrigin(address: string, { publicOrigins }: Settings): string {
  const origins = publicOrigins(Number(new URL(address).port))
  return origins.includes(address) ? address : (origins[0] ?? address)
}

ignoreWriteErrors(process.stdout, process.stderr)
const started = await runProcess(
  () => loadConfig(process.env, connectorChecks(CATALOG.connectors)),
  configuredSecrets,
  start,
)
if (!started) process.exit(1)
