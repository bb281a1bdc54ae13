import type { Clock } from '../../../schemas/time.ts'
import { settled } from './failures.ts'
import { discover, type Handshake, initialize } from './handshake.ts'
import type { Requests } from './requests.ts'
import type { Reply, Transport } from './transport.ts'
import { type ExchangeOptions, type Protocol, type UpstreamCredential, UpstreamError } from './upstream.ts'

/** The negotiated protocol of an upstream under one credential. The first exchange negotiates it, all others share it. */
export interface Connection {
  /** The known protocol; undefined if it must be negotiated. */
  protocol(): Protocol | undefined
  /** Negotiates the protocol, or joins a negotiation in flight. Throws an UpstreamError, also if `options` end first. */
  negotiate(credential: UpstreamCredential, options: ExchangeOptions): Promise<Protocol>
  /**
   * Updates the state from a response without a result, which may invalidate the protocol. Returns true if the upstream lost
   * the session and did not execute the request.
   */
  applyResponse(protocol: Protocol, reply: Pick<Reply<unknown>, 'status' | 'fault'>): boolean
  /** Ends the session, best effort. */
  end(deadlineMs: number): Promise<void>
}

/** How long a negotiated protocol is used before it is negotiated again. */
const LIFE_MS = 600_000
/** Independent of the caller that starts the handshake, because others share it. */
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
  /** Set after a lost session, which does not mean that the protocol generation changed. */
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

    negotiate: (credential, options) => withTimeout(inFlight ?? begin(credential), options, transport.host),

    applyResponse(protocol, { status, fault }) {
      if (protocol.generation === 'legacy' && protocol.sessionId !== undefined) {
        // Some servers answer 400 for an unknown session.
        const lost = status === 404 || (status === 400 && fault?.named === false && /session/i.test(fault.message))
        if (lost) {
          if (known === protocol) generation = 'legacy'
          forget(protocol)
          // An error with the request's ID may come from the tool itself.
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

/** Waits for a shared promise until the caller's own deadline or abort. */
async function withTimeout<T>(inFlight: Promise<T>, { signal, deadlineMs }: ExchangeOptions, host: string): Promise<T> {
  // A caller that stops waiting must not cause an unhandled rejection.
  inFlight.catch(() => {})
  const { promise, reject } = Promise.withResolvers<never>()
  const late = () => reject(new UpstreamError('timeout', `${host} did not answer within ${deadlineMs} ms.`))
  const gone = () => reject(new UpstreamError('aborted', `The caller aborted the request to ${host}.`))
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
