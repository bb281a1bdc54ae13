import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Type } from '@sinclair/typebox'
import { fromShell, quoteForShell } from '../../lib/command-line.ts'
import { GATEWAY_ENV } from '../../lib/configuration/environment.ts'
import { settingOf } from '../../lib/configuration/setting.ts'
import { variable } from '../../lib/configuration/variable.ts'
import type { GatewayEnvironment } from '../../schemas/gateway/environment.ts'
import { type DatabaseUrls, database, dataDir } from './database-settings.ts'

/** What the prefix depends on. */
interface Deployment {
  readonly environment: GatewayEnvironment
  readonly dataDir: string
  readonly database: DatabaseUrls | undefined
  /** CLI_COMMAND: replaces the prefix. */
  readonly cliCommand: string | undefined
  /** The path of a module of this process, two folders below the entry point. */
  readonly modulePath?: string
  /** Who reads the line: callers learn neither a folder nor a URL. */
  readonly reader: 'operator' | 'caller'
}

/**
 * Returns what messages put before the words of an operator's command. Without CLI_COMMAND, it is the command of the
 * checkout or of the build that runs, with the variables that lead it to the database of this process.
 */
export function commandPrefix({ cliCommand, modulePath = import.meta.filename, ...settings }: Deployment): string {
  if (cliCommand !== undefined) return cliCommand.replaceAll('{hostname}', hostname())
  const fromSource = modulePath.endsWith('.ts')
  const entryFolder = resolve(dirname(modulePath), '..', '..')
  const root = fromSource ? entryFolder : dirname(entryFolder)
  const command = fromSource ? 'npm run -s cli --' : 'node dist/cli.js'
  return [...environmentOf(settings, root), command].join(' ')
}

function environmentOf(
  { environment, dataDir, database, reader }: Omit<Deployment, 'cliCommand'>,
  root: string,
): string[] {
  const shows = reader === 'operator'
  const urlOf = (variable: string, url: string) =>
    shows && environment === 'development' && !hasSecret(url)
      ? `${variable}=${quoteForShell(url)}`
      : fromShell(variable)
  return [
    // A command that runs in development by mistake would generate secrets of its own.
    ...(environment === 'development' ? [] : [`GATEWAY_ENV=${environment}`]),
    ...(dataDir !== join(root, 'data') && shows ? [`DATA_DIR=${quoteForShell(dataDir)}`] : []),
    // A URL with a password is never shown, and no URL outside development. The shell of the operator supplies it. If it
    // is unset there, `:?` stops the command before it reaches another database.
    ...(database === undefined ? [] : [urlOf('DATABASE_URL', database.url)]),
    ...(database === undefined || database.directUrl === database.url
      ? []
      : [urlOf('DATABASE_DIRECT_URL', database.directUrl)]),
  ]
}

/**
 * Whether a URL has a user or a password, which logs and the output of commands redact: the line would not work.
 * Parameters can be secrets too.
 */
function hasSecret(text: string): boolean {
  const url = new URL(text)
  return url.username !== '' || url.password !== '' || [...url.searchParams.keys()].some(name => name !== 'sslmode')
}

const CLI_COMMAND = variable(
  'CLI_COMMAND',
  Type.Optional(
    Type.String({
      maxLength: 500,
      pattern: '^[^\\x00-\\x1f\\x7f]+$',
      description: "one line that starts an operator's command, such as docker compose exec gateway node dist/cli.js",
    }),
  ),
  {
    doc: 'how operator commands in messages begin; `{hostname}` stands for the host name, which in a container is its ID',
    unset: 'depends on the installation',
  },
)

function prefixFor(reader: Deployment['reader']) {
  return settingOf(reader === 'operator' ? [CLI_COMMAND] : [], ({ read }) =>
    commandPrefix({
      environment: read(GATEWAY_ENV),
      dataDir: read(dataDir),
      database: read(database),
      cliCommand: read(CLI_COMMAND),
      reader,
    }),
  )
}

/** The settings for lines that name commands of the operator. */
export const commandSettings = {
  /** What starts a command in texts for the operator's terminal and log: `DATA_DIR=/srv/gateway npm run -s cli --`. */
  commandPrefix: prefixFor('operator'),
  /** What starts a command of the operator in texts for callers: `npm run -s cli --`, without folders and URLs. */
  callerCommandPrefix: prefixFor('caller'),
  /**
   * The variables of this process that a printed command line sets before the prefix if the command reads them. Empty if
   * the command runs in this process (embedded database), or if CLI_COMMAND already runs in its environment.
   */
  commandVariables: settingOf([], ({ read, names }): readonly string[] =>
    read(database) === undefined || read(CLI_COMMAND) !== undefined ? [] : names,
  ),
}
