import { UsageError } from '../lib/errors/errors.ts'
import { optional } from './commands/command.ts'
import { listenForCallback } from './loopback-callback.ts'

/** What a command has that runs in the operator's own process, away from the services. */
export interface Terminal {
  /** Runs a command where the database is. */
  execute(args: readonly string[]): Promise<object>
  /** Says something to the person, beside the answer. */
  say(text: string): void
  /** From now on the person can give up, which aborts the signal. */
  interruptible(): AbortSignal
}

/** The options that say where the browser comes back to. */
export const COMES_BACK = { port: optional('N'), 'redirect-uri': optional('URL') }

/** What an authorization is of. */
interface Authorization {
  port: string | undefined
  'redirect-uri': string | undefined
  /** Where it comes back to unless the options say another place; any free port when absent. */
  usualPort?: number
  /** Begins it; answers the `authorization_url`, its `state`, and what `finish` is to know. */
  begin(redirectUri: string): Promise<object>
  /** Ends it with the URL that the browser came back to. */
  finish(callback: string, begun: Readonly<Record<string, string>>): Promise<object>
  /** What is connected then, as a sentence has it: `The account`. */
  subject: string
}

/** As long as the authorization itself. */
const PATIENCE_MS = 10 * 60_000

/**
 * Has the person sign in and agree with a browser, which comes back to a listener on this machine; answers what `finish`
 * does. Throws a UsageError where nothing can listen, and when the person gives up or nobody comes back.
 */
export async function authorizeInBrowser(
  { say, interruptible }: Pick<Terminal, 'say' | 'interruptible'>,
  { port, 'redirect-uri': redirectUri, usualPort, begin, finish, subject }: Authorization,
): Promise<object> {
  if (redirectUri !== undefined && port === undefined && requireUrl(redirectUri))
    throw new UsageError('--redirect-uri needs --port: what leads from there to 127.0.0.1 must know where.')
  const listener = await listenForCallback({
    ...(usualPort !== undefined && { port: usualPort }),
    ...(port !== undefined && { port: portOf(port) }),
    ...(redirectUri !== undefined && { redirectUri: requireUrl(redirectUri) }),
  })
  try {
    const begun = (await begin(listener.redirectUri)) as Readonly<Record<string, string>>
    const givenUp = interruptible()
    say(
      `Open this in a browser, sign in and agree:\n\n${begun.authorization_url}\n\nIt leads back to ${listener.redirectUri} within ten minutes.`,
    )
    const waiting = AbortSignal.any([givenUp, AbortSignal.timeout(PATIENCE_MS)])
    const callback = await listener.callback(begun.state ?? '', waiting).catch(() => {
      throw new UsageError(
        givenUp.aborted
          ? 'Given up: nothing was connected.'
          : 'Nobody came back within ten minutes: nothing was connected.',
      )
    })
    try {
      const answer = await finish(callback.url, begun)
      await callback.answer(`${subject} is connected. You can close this page.`)
      return answer
    } catch (error) {
      await callback.answer(`${subject} was not connected: the terminal says why. You can close this page.`)
      throw error
    }
  } finally {
    await listener.close()
  }
}

/** Options as the arguments of a command, each one word, whatever it begins with. */
export function toArgs(options: Readonly<Record<string, string | readonly string[] | undefined>>): string[] {
  return Object.entries(options).flatMap(([name, values]) => [values ?? []].flat().map(value => `--${name}=${value}`))
}

function portOf(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535) throw new UsageError('--port is a number from 1 to 65535.')
  return port
}

function requireUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new UsageError(
      '--redirect-uri is an http or https URL without a query, as it is registered with the OAuth app.',
    )
  return url.href
}
