import { UsageError } from '../lib/errors/errors.ts'
import { optional } from './commands/command.ts'
import { listenForCallback } from './loopback-callback.ts'

/** The environment of a command that runs in the operator's process, without access to the services. */
export interface Terminal {
  /** Runs a command where the database is. */
  execute(args: readonly string[]): Promise<object>
  /** Shows the person a message that is not part of the answer. */
  say(text: string): void
  /** From now on, an interrupt (Ctrl-C) aborts the signal. */
  interruptible(): AbortSignal
}

/** The options that say where the browser returns to. */
export const CALLBACK_OPTIONS = { port: optional('N'), 'redirect-uri': optional('URL') }

/** The steps of an authorization. */
interface Authorization {
  port: string | undefined
  'redirect-uri': string | undefined
  /** The default port of the listener; any free port if absent. */
  defaultPort?: number
  /** Begins the authorization. Returns `authorization_url`, `state`, and what `finish` needs. */
  begin(redirectUri: string): Promise<object>
  /** Completes the authorization with the URL that the browser returned to. */
  finish(callback: string, begun: Readonly<Record<string, string>>): Promise<object>
  /** The subject of the messages: `The account`. */
  subject: string
}

/** The lifetime of a pending authorization. */
const AUTHORIZATION_TIMEOUT_MS = 10 * 60_000

/**
 * Lets a person sign in and consent in a browser that returns to a listener on this machine. Returns the result of `finish`.
 * Throws a UsageError if it cannot listen, if the person gives up, or if no browser returns in time.
 */
export async function authorizeInBrowser(
  { say, interruptible }: Pick<Terminal, 'say' | 'interruptible'>,
  { port, 'redirect-uri': redirectUri, defaultPort, begin, finish, subject }: Authorization,
): Promise<object> {
  if (redirectUri !== undefined && port === undefined && requireUrl(redirectUri))
    throw new UsageError('--redirect-uri needs --port, the port on 127.0.0.1 that the redirect URI is forwarded to.')
  const listener = await listenForCallback({
    ...(defaultPort !== undefined && { port: defaultPort }),
    ...(port !== undefined && { port: portOf(port) }),
    ...(redirectUri !== undefined && { redirectUri: requireUrl(redirectUri) }),
  })
  try {
    const begun = (await begin(listener.redirectUri)) as Readonly<Record<string, string>>
    const interrupted = interruptible()
    say(
      `Open this URL in a browser, sign in and consent:\n\n${begun.authorization_url}\n\nThe browser must return to ${listener.redirectUri} within ten minutes.`,
    )
    const waiting = AbortSignal.any([interrupted, AbortSignal.timeout(AUTHORIZATION_TIMEOUT_MS)])
    const callback = await listener.callback(begun.state ?? '', waiting).catch(() => {
      throw new UsageError(
        interrupted.aborted
          ? 'Interrupted. Nothing was connected.'
          : 'No browser returned within ten minutes. Nothing was connected. Run the command again.',
      )
    })
    try {
      const answer = await finish(callback.url, begun)
      await callback.answer(`${subject} is connected. You can close this page.`)
      return answer
    } catch (error) {
      await callback.answer(`${subject} was not connected. See the terminal for the reason. You can close this page.`)
      throw error
    }
  } finally {
    await listener.close()
  }
}

/** Options as command arguments, each in one word, so that a value can begin with a hyphen. */
export function toArgs(options: Readonly<Record<string, string | readonly string[] | undefined>>): string[] {
  return Object.entries(options).flatMap(([name, values]) => [values ?? []].flat().map(value => `--${name}=${value}`))
}

function portOf(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535)
    throw new UsageError('--port must be a number from 1 to 65535.')
  return port
}

function requireUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new UsageError(
      '--redirect-uri must be an http or https URL without a query, exactly as registered with the OAuth app.',
    )
  return url.href
}
