import type { Clock } from '../../../schemas/time.ts'
import { settled } from './failures.ts'
import { discover, type Handshake, initialize } from './handshake.ts'
import type { Requests } from './requests.ts'
import type { Reply, Transport } from './transport.ts'
import { type ExchangeOptions, type Protocol, type UpstreamCredential, UpstreamError } from './upstream.ts'

/** How an upstream is spoken with under one credential: found out once, by whoever asks first, and shared by all. */
export interface Connection {
  /** As far as is known, without asking anybody. */
  protocol(): Protocol | undefined
  /** What is known, or found out now. Throws an UpstreamError, also where that takes longer than `options` allow. */
  negotiate(credential: UpstreamCredential, options: ExchangeOptions): Promise<Protocol>
  /**
   * Draws from an answer without a result what it says of the terms it was asked on: they may be void from then on.
   * Whether it was the session's loss alone that kept the request from being carried out.
   */
  applyResponse(protocol: Protocol, reply: Pick<Reply<unknown>, 'status' | 'fault'>): boolean
  /** Ends the session, best effort. */
  end(deadlineMs: number): Promise<void>
}

/** How long it is taken for granted that an upstream has not changed its era. */
const LIFE_MS = 600_000
/** Whoever asks first begins it, and it does not end with him. */
const HANDSHAKE_MS = 30_000
const VERSION_ERRORS = new Set([-32_020, -32_022])

export function createConnection({
  transport,
  requests,
  clock,
}: {
  transport: Transport
  requests: Requests
  clock: Clock
}): Connection {
  let known: Protocol | undefined
  let until = 0
  let inFlight: Promise<Protocol> | undefined
  /** A lost session says nothing against the era. */
  let generation: 'legacy' | undefined
  let lastCredential: UpstreamCredential | undefined

  async function find(credential: UpstreamCredential): Promise<Protocol> {
    const end = clock.now() + HANDSHAKE_MS
    const handshake: Handshake = { transport, requests, credential, left: () => Math.max(end - clock.now(), 1) }
    const stale = known
    let protocol: Protocol | undefined = generation === 'legacy' ? undefined : await discover(handshake)
    if (protocol === undefined)
      protocol =
        stale !== undefined && stale === known && stale.generation === 'legacy' ? stale : await initialize(handshake)
    known = protocol
    until = clock.now() + LIFE_MS
    generation = undefined
    lastCredential = credential
    return protocol
  }

  function begin(credential: UpstreamCredential): Promise<Protocol> {
    inFlight = find(credential)
      .catch((error: unknown) => {
        throw settled(error)
      })
      .finally(() => {
        inFlight = undefined
      })
    return inFlight
  }

  function forget(protocol: Protocol): void {
    if (known === protocol) known = undefined
  }

  return {
    protocol: () => (clock.now() < until ? known : undefined),

    negotiate: (credential, options) => within(inFlight ?? begin(credential), options, transport.host),

    applyResponse(protocol, { status, fault }) {
      if (protocol.generation === 'legacy' && protocol.sessionId !== undefined) {
        // Some servers answer 400 for a session that they do not know.
        const lost = status === 404 || (status === 400 && fault?.named === false && /session/i.test(fault.message))
        if (lost) {
          if (known === protocol) generation = 'legacy'
          forget(protocol)
          // An error that names the request may be the tool's own.
          return fault?.named !== true
        }
      }
      const ofTransport = (status === 400 || status === 404 || status === 405) && fault?.named !== true
      if (ofTransport || (fault !== undefined && VERSION_ERRORS.has(fault.code))) forget(protocol)
      return false
    },

    async end(deadlineMs) {
      const protocol = known
      known = undefined
      if (protocol?.generation !== 'legacy' || protocol.sessionId === undefined || lastCredential === undefined) return
      await transport.notify(protocol, 'DELETE', { credential: lastCredential, deadlineMs }).catch(() => {})
    },
  }
}

/** What comes of a flight that others wait for too, as long as this one may wait. */
async function within<T>(inFlight: Promise<T>, { signal, deadlineMs }: ExchangeOptions, host: string): Promise<T> {
  // Whoever stops waiting does not hear of its failure.
  inFlight.catch(() => {})
  const { promise, reject } = Promise.withResolvers<never>()
  const late = () => reject(new UpstreamError('timeout', `${host} did not answer within ${deadlineMs} ms.`))
  const gone = () => reject(new UpstreamError('aborted', `The request to ${host} was given up by its caller.`))
  const timer = setTimeout(late, deadlineMs)
  signal.addEventListener('abort', gone)
  if (signal.aborted) gone()
  try {
    return await Promise.race([inFlight, promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', gone)
  }
}
