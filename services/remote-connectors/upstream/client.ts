import { LRUCache } from 'lru-cache'
import type { Egress } from '../../../lib/egress/egress.ts'
import { createRedactor } from '../../../lib/redaction/redactor.ts'
import type { Logger } from '../../../schemas/gateway/log.ts'
import type { Clock } from '../../../schemas/primitives/time.ts'
import { type Connection, createConnection } from './connection.ts'
import type { AcceptedVersion } from './handshake.ts'
import { createHealth } from './health.ts'
import { withRedaction } from './redact.ts'
import type { Requests, UpstreamRequest } from './requests.ts'
import { createTransport, type Reply, type RequestOptions } from './transport.ts'
import {
  type ExchangeOptions,
  type Protocol,
  type UpstreamCredential,
  UpstreamError,
  type UpstreamTarget,
} from './upstream.ts'

/** Sends a request in the negotiated protocol, within the remaining time of the exchange. Throws UpstreamErrors. */
export type SendRequest = <T>(request: UpstreamRequest, options: ReplyOptions<T>) => Promise<Reply<T> & { value: T }>
type ReplyOptions<T> = Pick<RequestOptions<T>, 'bounds' | 'maxBytes' | 'read'>

/** The client of one registration: its connection pool, its connections by credential, and its health. */
export interface UpstreamClient {
  readonly url: string
  readonly host: string
  /**
   * Runs an exchange of one or more requests. Restarts it once if the upstream lost the session before it executed any
   * request. Throws UpstreamErrors and the errors of `exchange`.
   */
  run<T>(
    credential: UpstreamCredential,
    options: ExchangeOptions,
    exchange: (protocol: Protocol, ask: SendRequest) => Promise<T>,
  ): Promise<T>
  /** Ends its sessions, best effort, and closes its connections when their requests are done. */
  end(deadlineMs: number): Promise<void>
}

/** The concurrent calls that egress allows, and a few connections for notifications. */
const POOL_CONNECTIONS = 40
/** How many credentials of one registration have a connection at a time. */
const MAX_CONNECTIONS = 1_000
const CLOSE_MS = 2_000

/** The upstream lost the session and did not execute the request. */
class SessionLost extends Error {}

export function createUpstreamClient(
  target: UpstreamTarget,
  {
    egress,
    requests,
    clock,
    log,
  }: { egress: Pick<Egress, 'pool'>; requests: Requests; clock: Clock; log: Pick<Logger, 'warn'> },
): UpstreamClient {
  const url = URL.parse(target.url)
  if (url === null) throw new UpstreamError('refused', 'The URL of the upstream is invalid.')
  const { host } = url
  const pool = egress.pool({ connections: POOL_CONNECTIONS })
  const health = createHealth({ target, host, clock, log })
  const transport = createTransport({ pool, url, health, clock })
  const versions: AcceptedVersion = { last: undefined }
  const connections = new LRUCache<string, Connection>({
    max: MAX_CONNECTIONS,
    dispose: (connection, _key, reason) => void (reason === 'evict' && connection.end(CLOSE_MS)),
  })

  function connectionOf({ key }: UpstreamCredential): Connection {
    let connection = connections.get(key)
    if (connection === undefined) {
      connection = createConnection({ transport, requests, versions, clock })
      connections.set(key, connection)
    }
    return connection
  }

  async function withProtocol<T>(
    credential: UpstreamCredential,
    options: ExchangeOptions,
    exchange: (protocol: Protocol, ask: SendRequest) => Promise<T>,
  ): Promise<T> {
    const connection = connectionOf(credential)
    const begun = clock.now()
    const left = (): ExchangeOptions => ({
      signal: options.signal,
      deadlineMs: Math.max(options.deadlineMs - (clock.now() - begun), 1),
    })
    const remembered = connection.protocol()
    for (let tries = 1; ; tries++) {
      const protocol = connection.protocol() ?? (await connection.negotiate(credential, left()))
      const release = connection.hold(protocol)
      try {
        return await withSessionRedacted(protocol, () =>
          exchange(protocol, async (request, replyOptions) => {
            const reply = await transport.ask(request, { ...replyOptions, ...left(), credential })
            const { runs } = request
            const isLost =
              reply.value === undefined &&
              connection.applyResponse(protocol, reply, { runs, remembered: protocol === remembered })
            if (isLost && tries === 1) throw new SessionLost()
            const value = transport.valueOf(reply, request)
            connection.answered(protocol)
            return { ...reply, value }
          }),
        )
      } catch (error) {
        if (!(error instanceof SessionLost)) throw error
      } finally {
        release()
      }
    }
  }

  return {
    url: target.url,
    host,

    async run(credential, options, exchange) {
      const leave = health.enter(credential)
      try {
        return await withProtocol(credential, options, exchange)
      } finally {
        leave()
      }
    },

    async end(deadlineMs) {
      await Promise.all(Array.from(connections.values(), connection => connection.end(deadlineMs)))
      // Requests in flight continue; do not wait for them.
      pool.close().catch(() => {})
    },
  }
}

/** Redacts the session ID from an answer, because its holder could continue the organization's session. */
function withSessionRedacted<T>(protocol: Protocol, exchange: () => Promise<T>): Promise<T> {
  if (protocol.generation === 'modern' || protocol.sessionId === undefined) return exchange()
  const { sessionId } = protocol
  return withRedaction(() => createRedactor({ sent: [sessionId] }), exchange)
}
