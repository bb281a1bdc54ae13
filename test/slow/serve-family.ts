import { type AppOptions, buildApp } from '../../app.ts'
import { bootstrap } from '../../cli/bootstrap.ts'
import { bootstrapMessage } from '../../cli/start-message.ts'
import { buildDashboard } from '../../dashboard-app.ts'
import { createLogger } from '../../lib/logging/logger.ts'
import { shutDownOnSignal } from '../../lib/process/process-events.ts'
import { createServices } from '../../services/create-services.ts'
import { createPageFiles } from '../../services/dashboard/page-files.ts'
import type { AnyTool } from '../../services/definitions/define-tool.ts'
import { loadConfig } from '../../services/settings/load.ts'
import { CATALOG } from '../../tools/catalog.ts'
import { scrub } from '../fixtures/fixture.ts'
import { NO_LOAD_SHEDDING } from '../fixtures/no-load-shedding.ts'

/**
 * Serves in this process like server.ts, with an additional family and without the operator's commands. A first start
 * creates as many keys as the variable `KEYS` says. Sheds load only with `SHED_LOAD=true`.
 */
export async function serveFamily(
  families: readonly AnyTool[],
  environment: Readonly<Record<string, string | undefined>>,
  instrument?: AppOptions['instrument'],
): Promise<void> {
  const settings = loadConfig(environment)
  const log = createLogger({ level: settings.logLevel })
  const services = await createServices(settings, { ...CATALOG, log, scrub, families })
  await services.database.migrate()
  const overload = environment.SHED_LOAD === 'true' ? {} : NO_LOAD_SHEDDING
  const options = { logger: log, overload, ...(instrument && { instrument }) }
  const app = buildApp(services, options)
  const { dashboard: at, dashboardUrl: url } = settings
  const dashboard =
    at && url ? buildDashboard(services, { ...options, url, pages: createPageFiles('dist/dashboard') }) : undefined
  shutDownOnSignal({
    log,
    readiness: services.readiness,
    drainDelayMs: settings.drainDelayMs,
    stopServing: () => Promise.all([app.close(), dashboard?.close()]).then(() => {}),
    close: () => services.close(),
  })
  const address = await app.listen(settings.listen)
  if (at !== undefined) await dashboard?.listen(at)
  services.jobs.start()
  const first = await bootstrap(services, settings)
  if (first === undefined) {
    log.info('ready')
    return
  }
  for (let i = 1; i < Number(environment.KEYS ?? 1); i++) {
    const { key } = await services.keys.create({ orgId: first.orgId, userId: first.userId, by: 'operator' })
    process.stdout.write(`${key}\n`)
  }
  process.stdout.write(bootstrapMessage(address, first, settings))
}
