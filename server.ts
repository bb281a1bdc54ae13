import closeWithGrace from 'close-with-grace'
import { buildApp } from './app.ts'
import { ConfigurationError } from './plugins/configuration/configuration-error.ts'
import { loadConfig } from './plugins/configuration/load.ts'
import type { Settings } from './plugins/configuration/settings.ts'
import { createLogger } from './plugins/logging/logger.ts'
import { serveControlSocket } from './plugins/operator/control-socket.ts'
import { firstStartMessage, prepareFirstStart } from './plugins/operator/first-start.ts'
import { runCommand } from './plugins/operator/run-command.ts'
import { createServices } from './services.ts'

/** Configuration, services, app, listen, drain: the life of the process. */
async function start(settings: Settings): Promise<void> {
  const log = createLogger({ level: settings.logLevel })
  for (const warning of settings.warnings) log.warn(warning)

  const services = await createServices(settings, { log })
  await services.database.migrate()
  const firstKey = settings.environment === 'development' ? await prepareFirstStart(services) : undefined

  const app = buildApp(services, { logger: log })
  const closeControlSocket =
    settings.database === undefined
      ? await serveControlSocket({ dataDir: settings.dataDir, log, run: args => runCommand(services, args) })
      : undefined
  closeWithGrace({ delay: 30_000, logger: log }, async function shutDown() {
    services.drain()
    await app.close()
    await closeControlSocket?.()
    await services.close()
    log.flush()
  })

  const address = await app.listen(settings.listen)
  services.jobs.start()
  if (firstKey !== undefined) process.stdout.write(firstStartMessage(address, firstKey))
}

try {
  await start(loadConfig(process.env))
} catch (error) {
  // What the operator can mend is one line; a stack helps only with what he cannot.
  const text = error instanceof ConfigurationError || !(error instanceof Error) ? String(error) : error.stack
  process.stderr.write(`${error instanceof ConfigurationError ? error.message : text}\n`)
  process.exit(1)
}
