import { appendFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { buildApp } from '../../app.ts'
import { loadConfig } from '../../plugins/configuration/load.ts'
import { createLogger } from '../../plugins/logging/logger.ts'
import { firstStartMessage, prepareFirstStart } from '../../plugins/operator/first-start.ts'
import { shutDownOnSignal } from '../../plugins/process/shutdown.ts'
import { createServices } from '../../services.ts'
import { meteredTools } from '../metered-tools.ts'
import { scrub } from '../stage.ts'
import { costOfKey } from './metered-costs.ts'

const { EXECUTIONS = '', WORK_MS = '20', FAILING = '0.1', ...environment } = process.env

// Each execution is a line that outlives this process, written before the work: what is lost with it has run.
let executions = 0
const families = meteredTools({
  async work(name, { onceKey }) {
    const execution = `${process.pid}.${++executions}`
    appendFileSync(EXECUTIONS, `${execution} ${name} ${onceKey ?? '-'}\n`)
    await delay(Number(WORK_MS) * (0.5 + Math.random()))
    const isError = Math.random() < Number(FAILING)
    const result = { content: [{ type: 'text' as const, text: `execution ${execution}` }], ...(isError && { isError }) }
    return { result, ...(onceKey !== undefined && { cost: costOfKey(onceKey) }) }
  },
})

// As server.ts starts it, with one more family and without the operator's side.
const settings = loadConfig(environment)
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
