import { setTimeout as delay } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { buildApp } from '../../app.ts'
import { loadConfig } from '../../plugins/configuration/load.ts'
import { createLogger } from '../../plugins/logging/logger.ts'
import { firstStartMessage, prepareFirstStart } from '../../plugins/operator/first-start.ts'
import { shutDownOnSignal } from '../../plugins/process/shutdown.ts'
import { createServices } from '../../services.ts'
import { defineTool } from '../../tools/define-tool.ts'
import { scrub } from '../stage.ts'

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
const milliseconds = Type.Object({ ms: Type.Integer() }, { additionalProperties: false })
const text = (text: string) => ({ content: [{ type: 'text' as const, text }] })

const families = [
  defineTool({
    name: 'slow__wait',
    title: 'Wait',
    description: 'Answers later.',
    annotations,
    input: milliseconds,
    async run({ ms }) {
      await delay(ms)
      return text(`took ${ms} ms`)
    },
  }),
  defineTool({
    name: 'slow__block',
    title: 'Block',
    description: 'Keeps the process busy, then answers.',
    annotations,
    input: milliseconds,
    async run({ ms }) {
      for (const until = performance.now() + ms; performance.now() < until; );
      return text(`took ${ms} ms`)
    },
  }),
  defineTool({
    name: 'slow__fill',
    title: 'Fill',
    description: 'Answers at length.',
    annotations,
    input: Type.Object({ bytes: Type.Integer() }, { additionalProperties: false }),
    run: async ({ bytes }) => text('x'.repeat(bytes)),
  }),
]

// As server.ts starts it, with one more family and without the operator's side.
const settings = loadConfig(process.env)
const log = createLogger({ level: settings.logLevel })
const services = await createServices(settings, { log, scrub, families })
await services.database.migrate()
const app = buildApp(services, { logger: log })
shutDownOnSignal({
  log,
  readiness: services.readiness,
  drainDelayMs: settings.drainDelayMs,
  stopServing: () => app.close(),
  close: () => services.close(),
})
const address = await app.listen(settings.listen)
services.jobs.start()
const first = await prepareFirstStart(services)
if (first !== undefined) process.stdout.write(firstStartMessage(address, first, settings))
