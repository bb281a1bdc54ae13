import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { finished } from 'node:stream/promises'
import { errorCode } from '../lib/database/database-errors.ts'
import { UsageError } from '../lib/errors/errors.ts'
import { handleOf } from '../services/connectors/connect/oauth-redirect.ts'

/** What a browser brought back from the provider. */
export interface Callback {
  /** The callback's whole URL. */
  url: string
  /** Tells the person in the browser how it ended. */
  answer(text: string): Promise<void>
}

/** A listener on loopback for one callback of a provider (RFC 8252, section 7.3). */
export interface CallbackListener {
  readonly redirectUri: string
  /** The callback that carries this state; whatever else comes is turned away. Rejects when the signal aborts. */
  callback(state: string, signal: AbortSignal): Promise<Callback>
  close(): Promise<void>
}

/** Listens on 127.0.0.1; throws a UsageError where it cannot. A redirect URI of one's own is for a forwarder that leads to the port. */
export async function listenForCallback({
  port = 0,
  redirectUri: forwarded,
}: {
  port?: number
  redirectUri?: string
}): Promise<CallbackListener> {
  let expected: { state: string; came(callback: Callback): void } | undefined
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '', redirectUri)
    if (request.method !== 'GET' || url?.pathname !== new URL(redirectUri).pathname) {
      void page(response, 404, 'There is nothing here.')
      return
    }
    if (expected === undefined || handleOf(url.searchParams) !== expected.state) {
      void page(response, 400, 'This is not the answer that is waited for.')
      return
    }
    const { came } = expected
    expected = undefined
    came({ url: new URL(url.search, redirectUri).href, answer: text => page(response, 200, text) })
  })
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch (error) {
    const code = errorCode(error)
    const taken =
      code === 'EADDRINUSE' ? ' Another command may be waiting there for its browser: end that one first.' : ''
    throw new UsageError(
      `Nothing can listen on port ${port} of 127.0.0.1 (${code}).${taken} --port takes another one, for an ` +
        'authorization server that allows it.',
    )
  }
  const redirectUri = forwarded ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`

  return {
    redirectUri,
    callback: (state, signal) =>
      new Promise((resolve, reject) => {
        const abort = () => reject(signal.reason)
        signal.throwIfAborted()
        signal.addEventListener('abort', abort, { once: true })
        expected = {
          state,
          came(callback) {
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
  // Whoever has closed the window meanwhile misses nothing.
  await finished(response).catch(() => {})
}
