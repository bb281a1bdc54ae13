import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { failOnLostAnswer, printAnswer } from './cli/commands/serialize.ts'
import { isGatewayRunning, sendToGateway } from './cli/control-socket.ts'
import { moveEmbedded } from './cli/move/move-embedded.ts'
import { exitCodeOf, help, isCheck, isMove, runForOperator, runInTerminal, runMove } from './cli/run-command.ts'
import { secretsFromStdin } from './cli/secrets-from-stdin.ts'
import { movedWarning } from './lib/database/moved-marker.ts'
import { UsageError } from './lib/errors/errors.ts'
import { createLogger } from './lib/logging/logger.ts'
import type { Scrubber } from './lib/logging/scrub.ts'
import { runProcess } from './lib/process/run-process.ts'
import { terminalText } from './lib/sanitize-text.ts'
import { connectorChecks } from './services/connectors/connect/require-connectors.ts'
import { createServices, type Services } from './services/create-services.ts'
import { createOperatorCommands } from './services/operator/operator-commands.ts'
import { loadCommandConfig, loadConfig } from './services/settings/load.ts'
import { loadMoveConfig, type MoveSettings } from './services/settings/move.ts'
import { configuredSecrets, type Settings } from './services/settings/settings.ts'
import { CATALOG } from './tools/catalog.ts'

/** Runs a command: directly on PostgreSQL, or through the gateway that has the embedded database open, if one runs. */
async function run(args: readonly string[], settings: Settings, scrubber: Scrubber): Promise<object> {
  if (settings.database === undefined) {
    const warning = movedWarning(settings.dataDir)
    if (warning !== undefined) say(warning)
    const answer = await sendToGateway(settings.dataDir, args)
    if (answer !== undefined) return answer
    if (!existsSync(join(settings.dataDir, 'db')))
      process.stderr.write(
        `Creating a new database in ${settings.dataDir}. To use another one, set DATA_DIR or DATABASE_URL.\n`,
      )
  }
  const log = createLogger({ level: 'warn', stream: process.stderr, scrubber })
  const services = await createServices(settings, { ...CATALOG, log, scrub: scrubber.text })
  try {
    if (args[0] !== 'migrate') await requireMigrated(services, settings)
    return await runForOperator(services, args)
  } finally {
    await services.close()
  }
}

/** Migrates the database in development. Elsewhere, the operator decides when to migrate. */
async function requireMigrated({ database }: Services, settings: Settings): Promise<void> {
  if (!(await database.migrationsPending())) return
  if (settings.environment !== 'development')
    throw new UsageError(
      `The database is older than this version. First run: ${createOperatorCommands(settings).migrate()}`,
    )
  await database.migrate()
}

/** Copies the embedded database to PostgreSQL. */
function move(settings: MoveSettings, scrubber: Scrubber): Promise<object> {
  const log = createLogger({ level: 'warn', stream: process.stderr, scrubber })
  const { environment, commandPrefix, commandVariables, secretsToSet } = settings
  for (const warning of settings.warnings) say(`Warning: ${warning}`)
  const mover = {
    environment,
    commandPrefix,
    commandVariables,
    secretsToSet,
    move: ({ toDataDir }: { toDataDir: string | undefined }) =>
      moveEmbedded({ settings, toDataDir, log, say, isRunning: isGatewayRunning }),
  }
  return runMove(mover, args)
}

function say(text: string): void {
  process.stderr.write(`${terminalText(text, { lines: true })}\n`)
}

function interruptible(): AbortSignal {
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
  return interrupted.signal
}

function print(answer: object): void {
  process.stdout.write(`${json ? JSON.stringify(answer) : printAnswer(answer, process.stdout.columns)}\n`)
  process.exitCode = exitCodeOf(answer)
}

failOnLostAnswer(process)
const words = process.argv.slice(2)
const json = words.at(-1) === '--json'
const args = json ? words.slice(0, -1) : words

if (args.length === 0 || args[0] === 'help' || args.at(-1) === '--help') {
  process.stdout.write(`${help(args[0] === 'help' ? args[1] : args[0])}\n`)
} else {
  const done = isMove(args)
    ? await runProcess(
        () => loadMoveConfig(process.env),
        configuredSecrets,
        async (settings, scrubber) => print(await move(settings, scrubber)),
      )
    : await runProcess(
        () => (isCheck(args) ? loadConfig : loadCommandConfig)(process.env, connectorChecks(CATALOG.connectors)),
        configuredSecrets,
        async (settings, scrubber) => {
          for (const warning of settings.warnings) say(`Warning: ${warning}`)
          const execute = (words: readonly string[]) => run(words, settings, scrubber)
          print(await runInTerminal({ execute, say, interruptible }, await secretsFromStdin(args, process)))
        },
      )
  if (!done) process.exitCode = 1
}
