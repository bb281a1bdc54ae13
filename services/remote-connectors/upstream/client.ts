import { LRUCache } from 'lru-cache'
import type { Egress } from '../../../lib/egress/egress.ts'
import type { Logger } from '../../../schemas/log.ts'
import type { Clock } from '../../../schemas/time.ts'
import { redactorOfHeader } from '../../connectors/engine/answer/redactor.ts'
import { Breaker } from './breaker.ts'
import { type Connection, createConnection } from './connection.ts'
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

/** Asks on terms that are agreed on, within what is left of the exchange. Throws UpstreamErrors. */
export type SendRequest = <T>(request: UpstreamRequest, options: ReplyOptions<T>) => Promise<Reply<T> & { value: T }>
export type ReplyOptions<T> = Pick<RequestOptions<T>, 'bounds' | 'maxBytes' | 'read'>

/** What is held for one registration: its connections, how it is spoken with, and whether it is worth asking. */
export interface UpstreamClient {
  readonly url: string
  readonly host: string
  /**
   * Carries out an exchange of one or more requests; once more from its beginning where the session was lost before any
   * of the request was carried out. Throws UpstreamErrors, and what `exchange` throws.
   */
  carry<T>(
    credential: UpstreamCredential,
    options: ExchangeOptions,
    exchange: (protocol: Protocol, ask: SendRequest) => Promise<T>,
  ): Promise<T>
  /** Ends its sessions, best effort, and its connections once nothing is under way on them. */
  end(deadlineMs: number): Promise<void>
}

/** The calls that may be under way (egress, shares), and a few for what goes beside them. */
const POOL_CONNECTIONS = 40
/** Credentials of one registration that are kept apart at a time. */
const MAX_CONNECTIONS = 100
const CLOSE_MS = 2_000

/** A request that the loss of its session has kept from being carried out. */
class SessionLost extends Error {}

export function createUpstreamClient(
  { orgId, id, url: text }: UpstreamTarget,
  {
    egress,
    requests,
    clock,
    log,
  }: { egress: Pick<Egress, 'pool'>; requests: Requests; clock: Clock; log: Pick<Logger, 'warn'> },
): UpstreamClient {
  const url = URL.parse(text)
  if (url === null) throw new UpstreamError('refused', 'The URL of the upstream is none.')
  const { host } = url
  const pool = egress.pool({ connections: POOL_CONNECTIONS })
  const breaker = new Breaker(clock, () =>
    log.warn({ org: orgId, remote: id, host }, 'an upstream fails time after time and is not asked for a while'),
  )
  const transport = createTransport({ pool, url, breaker, clock })
  const connections = new LRUCache<string, Connection>({
    max: MAX_CONNECTIONS,
    dispose: (connection, _key, reason) => void (reason === 'evict' && connection.end(CLOSE_MS)),
  })

  function connectionOf({ key }: UpstreamCredential): Connection {
    let connection = connections.get(key)
    if (connection === undefined) {
      connection = createConnection({ transport, requests, clock })
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
    for (let tries = 1; ; tries++) {
      const protocol = connection.protocol() ?? (await connection.negotiate(credential, left()))
      try {
        return await withSessionRedacted(protocol, () =>
          exchange(protocol, async (request, replyOptions) => {
            const reply = await transport.ask(request, { ...replyOptions, ...left(), credential })
            if (reply.value === undefined && connection.applyResponse(protocol, reply) && tries === 1)
              throw new SessionLost()
            const value = transport.valueOf(reply, request)
            return { ...reply, value }
          }),
        )
      } catch (error) {
        if (!(error instanceof SessionLost)) throw error
      }
    }
  }

  return {
    url: text,
    host,

    async carry(credential, options, exchange) {
      const entered = breaker.enter()
      if (typeof entered === 'number') throw isOpen(host, entered)
      try {
        return await withProtocol(credential, options, exchange)
      } finally {
        if (entered === 'trial') breaker.leave()
      }
    },

    async end(deadlineMs) {
      await Promise.all(Array.from(connections.values(), connection => connection.end(deadlineMs)))
      // What is under way goes on, and nobody waits for it.
      pool.close().catch(() => {})
    },
  }
}

/** Strikes the session out of an answer: whoever has it could go on in it, in the place of the organization. */
function withSessionRedacted<T>(protocol: Protocol, exchange: () => Promise<T>): Promise<T> {
  if (protocol.generation === 'modern' || protocol.sessionId === undefined) return exchange()
  const { sessionId } = protocol
  return withRedaction(() => redactorOfHeader(sessionId), exchange)
}

function isOpen(host: string, waitMs: number): UpstreamError {
  const retryAfter = Math.ceil(waitMs / 1_000)
  return new UpstreamError('open', `${host} has failed time after time and is not asked for ${retryAfter} s.`, {
    retryAfter,
  })
}
