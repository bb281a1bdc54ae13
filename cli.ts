#!/usr/bin/env node
import { ConfigurationError } from './plugins/configuration/configuration-error.ts'
import { loadConfig } from './plugins/configuration/load.ts'
import type { Settings } from './plugins/configuration/settings.ts'
import { createLogger } from './plugins/logging/logger.ts'
import { UsageError } from './plugins/operator/command.ts'
import { sendToGateway } from './plugins/operator/control-socket.ts'
import { help, runCommand } from './plugins/operator/run-command.ts'
import { createServices } from './services.ts'

/** Runs a command: on PostgreSQL by itself, on the embedded database through the gateway that has it open, if one runs. */
async function run(settings: Settings, args: string[]): Promise<object> {
  if (settings.database === undefined) {
    const answer = await sendToGateway(settings.dataDir, args)
    if (answer !== undefined) return answer
  }
  const services = await createServices(settings, { log: createLogger({ level: 'warn', stream: process.stderr }) })
  try {
    if (args[0] !== 'migrate' && (await services.database.migrationsPending())) await services.database.migrate()
    return await runCommand(services, args)
  } finally {
    await services.close()
  }
}

const args = process.argv.slice(2).filter(arg => arg !== '--json')
const json = process.argv.includes('--json')

if (args.length === 0 || args[0] === 'help' || args.includes('--help')) {
  process.stdout.write(`${help()}\n`)
} else {
  try {
    const answer = await run(loadConfig(process.env), args)
    const text = json
      ? JSON.stringify(answer)
      : Object.entries(answer)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')
    process.stdout.write(`${text}\n`)
  } catch (error) {
    const expected = error instanceof ConfigurationError || error instanceof UsageError
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    if (!expected && process.env.LOG_LEVEL === 'debug')
      process.stderr.write(`${error instanceof Error ? error.stack : ''}\n`)
    process.exitCode = 1
  }
}
