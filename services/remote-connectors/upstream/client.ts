import { LRUCache } from 'lru-cache'
import type { Egress } from '../../../lib/egress/egress.ts'
import type { Logger } from '../../../schemas/log.ts'
import type { Clock } from '../../../schemas/time.ts'
import { redactorOfHeader } from '../../connectors/engine/answer/redactor.ts'
import { Breaker } from './breaker.ts'
import { createLink, type Link } from './connection.ts'
import { strikeOut } from './redact.ts'
import type { Requests, UpstreamRequest } from './requests.ts'
import type { Terms } from './terms.ts'
import { type Asking, createWire, type Reply } from './transport.ts'
import { type ExchangeOptions, type UpstreamCredential, UpstreamError, type UpstreamTarget } from './upstream.ts'

/** Asks on terms that are agreed on, within what is left of the exchange. Throws UpstreamErrors. */
export type AskOnTerms = <T>(request: UpstreamRequest, asking: OnTerms<T>) => Promise<Reply<T> & { value: T }>
export type OnTerms<T> = Pick<Asking<T>, 'bounds' | 'maxBytes' | 'read'>

/** What is held for one registration: its connections, how it is spoken with, and whether it is worth asking. */
export interface Peer {
  readonly url: string
  readonly host: string
  /**
   * Carries out an exchange of one or more requests; once more from its beginning where the session was lost before any
   * of the request was carried out. Throws UpstreamErrors, and what `exchange` throws.
   */
  carry<T>(
    credential: UpstreamCredential,
    options: ExchangeOptions,
    exchange: (terms: Terms, ask: AskOnTerms) => Promise<T>,
  ): Promise<T>
  /** Ends its sessions, best effort, and its connections once nothing is under way on them. */
  end(deadlineMs: number): Promise<void>
}

/** The calls that may be under way (egress, shares), and a few for what goes beside them. */
const CONNECTIONS = 40
/** Credentials of one registration that are kept apart at a time. */
const MAX_LINKS = 100
const LAST_WORDS_MS = 2_000

/** A request that the loss of its session has kept from being carried out. */
class SessionLost extends Error {}

export function createPeer(
  { orgId, id, url: text }: UpstreamTarget,
  {
    egress,
    requests,
    clock,
    log,
  }: { egress: Pick<Egress, 'pool'>; requests: Requests; clock: Clock; log: Pick<Logger, 'warn'> },
): Peer {
  const url = URL.parse(text)
  if (url === null) throw new UpstreamError('refused', 'The URL of the upstream is none.')
  const { host } = url
  const pool = egress.pool({ connections: CONNECTIONS })
  const breaker = new Breaker(clock, () =>
    log.warn({ org: orgId, remote: id, host }, 'an upstream fails time after time and is not asked for a while'),
  )
  const wire = createWire({ pool, url, breaker, clock })
  const links = new LRUCache<string, Link>({
    max: MAX_LINKS,
    dispose: (link, _key, reason) => void (reason === 'evict' && link.end(LAST_WORDS_MS)),
  })

  function linkOf({ key }: UpstreamCredential): Link {
    let link = links.get(key)
    if (link === undefined) {
      link = createLink({ wire, requests, clock })
      links.set(key, link)
    }
    return link
  }

  async function onTerms<T>(
    credential: UpstreamCredential,
    options: ExchangeOptions,
    exchange: (terms: Terms, ask: AskOnTerms) => Promise<T>,
  ): Promise<T> {
    const link = linkOf(credential)
    const begun = clock.now()
    const left = (): ExchangeOptions => ({
      signal: options.signal,
      deadlineMs: Math.max(options.deadlineMs - (clock.now() - begun), 1),
    })
    for (let tries = 1; ; tries++) {
      const terms = link.terms() ?? (await link.agree(credential, left()))
      try {
        return await withoutSession(terms, () =>
          exchange(terms, async (request, asking) => {
            const reply = await wire.ask(request, { ...asking, ...left(), credential })
            if (reply.value === undefined && link.heed(terms, reply) && tries === 1) throw new SessionLost()
            const value = wire.valueOf(reply, request)
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
        return await onTerms(credential, options, exchange)
      } finally {
        if (entered === 'trial') breaker.leave()
      }
    },

    async end(deadlineMs) {
      await Promise.all(Array.from(links.values(), link => link.end(deadlineMs)))
      // What is under way goes on, and nobody waits for it.
      pool.close().catch(() => {})
    },
  }
}

/** Strikes the session out of an answer: whoever has it could go on in it, in the place of the organization. */
function withoutSession<T>(terms: Terms, exchange: () => Promise<T>): Promise<T> {
  if (terms.era === 'modern' || terms.sessionId === undefined) return exchange()
  const { sessionId } = terms
  return strikeOut(() => redactorOfHeader(sessionId), exchange)
}

function isOpen(host: string, waitMs: number): UpstreamError {
  const retryAfter = Math.ceil(waitMs / 1_000)
  return new UpstreamError('open', `${host} has failed time after time and is not asked for ${retryAfter} s.`, {
    retryAfter,
  })
}
