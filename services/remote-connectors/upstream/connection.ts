import type { Clock } from '../../../schemas/time.ts'
import { settled } from './failures.ts'
import { discover, type Handshake, initialize } from './handshake.ts'
import type { Requests } from './requests.ts'
import type { Terms } from './terms.ts'
import type { Reply, Wire } from './transport.ts'
import { type ExchangeOptions, type UpstreamCredential, UpstreamError } from './upstream.ts'

/** How an upstream is spoken with under one credential: found out once, by whoever asks first, and shared by all. */
export interface Link {
  /** As far as is known, without asking anybody. */
  terms(): Terms | undefined
  /** What is known, or found out now. Throws an UpstreamError, also where that takes longer than `options` allow. */
  agree(credential: UpstreamCredential, options: ExchangeOptions): Promise<Terms>
  /**
   * Draws from an answer without a result what it says of the terms it was asked on: they may be void from then on.
   * Whether it was the session's loss alone that kept the request from being carried out.
   */
  heed(terms: Terms, reply: Pick<Reply<unknown>, 'status' | 'fault'>): boolean
  /** Ends the session, best effort. */
  end(deadlineMs: number): Promise<void>
}

/** How long it is taken for granted that an upstream has not changed its era. */
const LIFE_MS = 600_000
/** Whoever asks first begins it, and it does not end with him. */
const HANDSHAKE_MS = 30_000
const ERA_FAULTS = new Set([-32_020, -32_022])

export function createLink({ wire, requests, clock }: { wire: Wire; requests: Requests; clock: Clock }): Link {
  let known: Terms | undefined
  let until = 0
  let flight: Promise<Terms> | undefined
  /** A lost session says nothing against the era. */
  let era: 'legacy' | undefined
  let lastCredential: UpstreamCredential | undefined

  async function find(credential: UpstreamCredential): Promise<Terms> {
    const end = clock.now() + HANDSHAKE_MS
    const handshake: Handshake = { wire, requests, credential, left: () => Math.max(end - clock.now(), 1) }
    const stale = known
    let terms: Terms | undefined = era === 'legacy' ? undefined : await discover(handshake)
    if (terms === undefined)
      terms = stale !== undefined && stale === known && stale.era === 'legacy' ? stale : await initialize(handshake)
    known = terms
    until = clock.now() + LIFE_MS
    era = undefined
    lastCredential = credential
    return terms
  }

  function begin(credential: UpstreamCredential): Promise<Terms> {
    flight = find(credential)
      .catch((error: unknown) => {
        throw settled(error)
      })
      .finally(() => {
        flight = undefined
      })
    return flight
  }

  function forget(terms: Terms): void {
    if (known === terms) known = undefined
  }

  return {
    terms: () => (clock.now() < until ? known : undefined),

    agree: (credential, options) => within(flight ?? begin(credential), options, wire.host),

    heed(terms, { status, fault }) {
      if (terms.era === 'legacy' && terms.sessionId !== undefined) {
        // Some servers answer 400 for a session that they do not know.
        const lost = status === 404 || (status === 400 && fault?.named === false && /session/i.test(fault.message))
        if (lost) {
          if (known === terms) era = 'legacy'
          forget(terms)
          // An error that names the request may be the tool's own.
          return fault?.named !== true
        }
      }
      const ofTransport = (status === 400 || status === 404 || status === 405) && fault?.named !== true
      if (ofTransport || (fault !== undefined && ERA_FAULTS.has(fault.code))) forget(terms)
      return false
    },

    async end(deadlineMs) {
      const terms = known
      known = undefined
      if (terms?.era !== 'legacy' || terms.sessionId === undefined || lastCredential === undefined) return
      await wire.tell(terms, 'DELETE', { credential: lastCredential, deadlineMs }).catch(() => {})
    },
  }
}

/** What comes of a flight that others wait for too, as long as this one may wait. */
async function within<T>(flight: Promise<T>, { signal, deadlineMs }: ExchangeOptions, host: string): Promise<T> {
  // Whoever stops waiting does not hear of its failure.
  flight.catch(() => {})
  const { promise, reject } = Promise.withResolvers<never>()
  const late = () => reject(new UpstreamError('timeout', `${host} did not answer within ${deadlineMs} ms.`))
  const gone = () => reject(new UpstreamError('aborted', `The request to ${host} was given up by its caller.`))
  const timer = setTimeout(late, deadlineMs)
  signal.addEventListener('abort', gone)
  if (signal.aborted) gone()
  try {
    return await Promise.race([flight, promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', gone)
  }
}
