import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { finished } from 'node:stream/promises'
import { errorCode } from '../lib/database/database-errors.ts'
import { UsageError } from '../lib/errors/errors.ts'
import { handleOf } from '../services/connectors/connect/oauth-redirect.ts'
import { optional } from './commands/command.ts'

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

/** A callback that the browser brought from the provider. */
interface Callback {
  /** The full URL of the callback. */
  url: string
  /** Shows the outcome in the browser. */
  answer(text: string): Promise<void>
}

/** A listener on loopback for one callback of a provider (RFC 8252, section 7.3). */
interface CallbackListener {
  readonly redirectUri: string
  /** Waits for the callback with this state and rejects all other requests. Rejects when the signal aborts. */
  callback(state: string, signal: AbortSignal): Promise<Callback>
  close(): Promise<void>
}

/** Listens on 127.0.0.1. `redirectUri` is for a forwarder that leads to the port. Throws a UsageError if it cannot listen. */
export async function listenForCallback({
  port = 0,
  redirectUri: forwardedUri,
}: {
  port?: number
  redirectUri?: string
}): Promise<CallbackListener> {
  let expected: { state: string; onCallback(callback: Callback): void } | undefined
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '', redirectUri)
    if (request.method !== 'GET' || url?.pathname !== new URL(redirectUri).pathname) {
      void page(response, 404, 'Not found.')
      return
    }
    if (expected === undefined || handleOf(url.searchParams) !== expected.state) {
      void page(
        response,
        400,
        'This callback does not belong to the authorization that is waiting. Start again from the terminal.',
      )
      return
    }
    const { onCallback } = expected
    expected = undefined
    onCallback({ url: new URL(url.search, redirectUri).href, answer: text => page(response, 200, text) })
  })
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch (error) {
    const code = errorCode(error)
    const advice =
      code === 'EADDRINUSE' ? ' Another command may be waiting for its browser on this port: end it first.' : ''
    throw new UsageError(
      `Cannot listen on port ${port} of 127.0.0.1 (${code}).${advice} Or choose another port with --port, if the ` +
        'authorization server allows it.',
    )
  }
  const redirectUri = forwardedUri ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`

  return {
    redirectUri,
    callback: (state, signal) =>
      new Promise((resolve, reject) => {
        const abort = () => reject(signal.reason)
        signal.throwIfAborted()
        signal.addEventListener('abort', abort, { once: true })
        expected = {
          state,
          onCallback(callback) {
            signal.removeEventListener('abort', abort)
            resolve(callback)
          },
        }
      }),
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function page(response: ServerResponse, status: number, text: string): Promise<void> {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  response.end(`<!doctype html><meta charset="utf-8"><title>Connector Gateway</title><p>${text}</p>\n`)
  // The person may have closed the window already.
  await finished(response).catch(() => {})
}
