import { buildApp } from './app.ts'
import { loadConfig } from './plugins/configuration/load.ts'
import type { Settings } from './plugins/configuration/settings.ts'
import { configuredSecrets } from './plugins/logging/configured-secrets.ts'
import { createLogger } from './plugins/logging/logger.ts'
import { logProcessEvents } from './plugins/logging/process-events.ts'
import { createScrubber } from './plugins/logging/scrub.ts'
import { serveControlSocket } from './plugins/operator/control-socket.ts'
import { firstStartMessage, prepareFirstStart } from './plugins/operator/first-start.ts'
import { runCommand } from './plugins/operator/run-command.ts'
import { explainFailure } from './plugins/operator/start-failure.ts'
import { warnOfMissingPeppers } from './plugins/organizations/pepper-use.ts'
import { shutDownOnSignal } from './plugins/readiness/shutdown.ts'
import { createServices } from './services.ts'

/** Configuration, services, app, listen, drain: the life of the process. */
async function start(settings: Settings): Promise<void> {
  scrubber = createScrubber(configuredSecrets(settings))
  const log = createLogger({ level: settings.logLevel, scrubber })
  logProcessEvents(log, process)
  for (const warning of settings.warnings) log.warn(warning)

  const services = await createServices(settings, { log })
  await services.database.migrate()
  await warnOfMissingPeppers(services)
  const app = buildApp(services, { logger: log })
  const closeControlSocket =
    settings.database === undefined
      ? await serveControlSocket({ dataDir: settings.dataDir, log, run: args => runCommand(services, args) })
      : undefined
  shutDownOnSignal({
    log,
    readiness: services.readiness,
    drainDelayMs: settings.drainDelayMs,
    stopServing: () => app.close(),
    async close() {
      await closeControlSocket?.()
      await services.close()
    },
  })

  const address = await app.listen(settings.listen)
  services.jobs.start()
  // After listening: a start that fails on its port must not have shown a key that is shown only once.
  const first = settings.environment === 'development' ? await prepareFirstStart(services) : undefined
  if (first !== undefined) process.stdout.write(firstStartMessage(address, first))
}

let scrubber = createScrubber()
try {
  await start(loadConfig(process.env))
} catch (error) {
  process.stderr.write(`${scrubber.text(explainFailure(error))}\n`)
  process.exit(1)
}
