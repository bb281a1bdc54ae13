import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { finished } from 'node:stream/promises'
import { errorCode } from '../lib/database/database-errors.ts'
import { UsageError } from '../lib/errors/errors.ts'
import { handleOf } from '../services/connectors/connect/oauth-redirect.ts'

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
