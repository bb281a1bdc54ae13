import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { quoteForShell } from '../command-line.ts'
import type { Settings } from './settings.ts'

/** What the prefix depends on. */
interface Deployment extends Pick<Settings, 'environment' | 'dataDir' | 'database'> {
  /** CLI_COMMAND: replaces the prefix. */
  readonly cliCommand: string | undefined
  /** The path of a module of this process, two folders below the entry point. */
  readonly modulePath?: string
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

function environmentOf({ environment, dataDir, database }: Omit<Deployment, 'cliCommand'>, root: string): string[] {
  const development = environment === 'development'
  return [
    // A command that runs in development by mistake would generate secrets of its own.
    ...(development ? [] : [`GATEWAY_ENV=${environment}`]),
    ...(dataDir === join(root, 'data') ? [] : [`DATA_DIR=${quoteForShell(dataDir)}`]),
    ...(database === undefined ? [] : [urlOf('DATABASE_URL', database.url, development)]),
    ...(database === undefined || database.directUrl === database.url
      ? []
      : [urlOf('DATABASE_DIRECT_URL', database.directUrl, development)]),
  ]
}

/**
 * Members read these messages too, so a URL with a password is never shown, and no URL outside development. The shell
 * of the operator supplies it. If it is unset there, `:?` stops the command before it reaches another database.
 */
function urlOf(variable: string, url: string, development: boolean): string {
  return development && !hasSecret(url) ? `${variable}=${quoteForShell(url)}` : `${variable}="\${${variable}:?}"`
}

/**
 * Whether a URL has a user or a password, which logs and the output of commands redact: the line would not work.
 * Parameters can be secrets too.
 */
function hasSecret(text: string): boolean {
  const url = new URL(text)
  return url.username !== '' || url.password !== '' || [...url.searchParams.keys()].some(name => name !== 'sslmode')
}
