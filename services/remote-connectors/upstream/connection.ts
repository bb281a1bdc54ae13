import type { Clock } from '../../../schemas/primitives/time.ts'
import { settled } from './failures.ts'
import { type AcceptedVersion, discover, type Handshake, initialize } from './handshake.ts'
import type { Requests, UpstreamRequest } from './requests.ts'
import type { Reply, Transport } from './transport.ts'
import {
  type ExchangeOptions,
  type LegacyProtocol,
  type Protocol,
  type UpstreamCredential,
  UpstreamError,
} from './upstream.ts'

/** The negotiated protocol of an upstream under one credential. The first exchange negotiates it, all others share it. */
export interface Connection {
  /** The known protocol; undefined if it must be negotiated. */
  protocol(): Protocol | undefined
  /** Negotiates the protocol, or joins a negotiation in flight. Throws an UpstreamError, also if `options` end first. */
  negotiate(credential: UpstreamCredential, options: ExchangeOptions): Promise<Protocol>
  /** Keeps the session of a protocol open until the result is called. */
  hold(protocol: Protocol): () => void
  /**
   * Updates the state from a response without a result, which may invalidate the protocol. `remembered`: the protocol was known
   * before the exchange began. Returns true if the request was not executed and a new session may help.
   */
  applyResponse(
    protocol: Protocol,
    reply: Pick<Reply<unknown>, 'status' | 'fault' | 'words'>,
    request: Pick<UpstreamRequest, 'runs'> & { readonly remembered: boolean },
  ): boolean
  /** Records that a request was answered, so that its session lives longer. */
  answered(protocol: Protocol): void
  /** Ends the session, best effort. */
  end(deadlineMs: number): Promise<void>
}

/** How long a negotiated protocol is used before it is negotiated again, and a session after its last answer. */
const LIFE_MS = 600_000
/** Independent of the caller that starts the handshake, because others share it. */
const HANDSHAKE_MS = 30_000
/** How long an upstream has to end a session that is no longer used. */
const END_MS = 5_000
const VERSION_ERRORS = new Set([-32_020, -32_022])
/** The statuses that are about the credential, the rate or the size of a request, and not about its session. */
const OTHER_REASONS = new Set([401, 402, 403, 408, 413, 429])
/** The codes with which servers refuse a request before a tool gets it: invalid, and two of the official SDKs. */
const REFUSED_BY_SERVER = new Set([-32_600, -32_000, -32_001])

export function createConnection({
  transport,
  requests,
  versions,
  clock,
}: {
  transport: Transport
  requests: Requests
  versions: AcceptedVersion
  clock: Clock
}): Connection {
  let known: Protocol | undefined
  let until = 0
  let inFlight: Promise<Protocol> | undefined
  /** Set after a lost session, which does not mean that the protocol generation changed. */
  let generation: 'legacy' | undefined
  let lastCredential: UpstreamCredential | undefined
  let answeredAt = 0
  /** How many exchanges use a protocol, and the replaced ones, whose session ends with their last exchange. */
  const held = new Map<Protocol, number>()
  const replaced = new Set<Protocol>()
  /** The statuses that new sessions got as well, so that they say nothing about a session. */
  const unrelated = new Set<number>()

  async function find(credential: UpstreamCredential): Promise<Protocol> {
    const end = clock.now() + HANDSHAKE_MS
    const handshake: Handshake = {
      transport,
      requests,
      credential,
      versions,
      left: () => Math.max(end - clock.now(), 1),
    }
    const stale = known
    let protocol: Protocol | undefined = generation === 'legacy' ? undefined : await discover(handshake)
    if (protocol === undefined && stale?.generation === 'legacy' && stale === known && !isExpired(stale))
      protocol = stale
    protocol ??= await initialize(handshake)
    if (stale !== undefined && stale === known && stale !== protocol) {
      unrelated.clear()
      replace(stale)
    }
    known = protocol
    until = clock.now() + LIFE_MS
    if (protocol !== stale) answeredAt = clock.now()
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

  function isExpired(protocol: LegacyProtocol): boolean {
    return hasSession(protocol) && clock.now() - answeredAt >= LIFE_MS
  }

  function forget(protocol: Protocol): void {
    if (known === protocol) known = undefined
  }

  /** Ends a session that the upstream may still have, after the exchanges that use it. */
  function replace(protocol: Protocol): void {
    if (held.has(protocol)) replaced.add(protocol)
    else void endSession(protocol, END_MS)
  }

  async function endSession(protocol: Protocol | undefined, deadlineMs: number): Promise<void> {
    if (protocol === undefined || !hasSession(protocol) || lastCredential === undefined) return
    await transport.notify(protocol, 'DELETE', { credential: lastCredential, deadlineMs }).catch(() => {})
  }

  return {
    protocol: () => (clock.now() < until ? known : undefined),

    negotiate: (credential, options) => withTimeout(inFlight ?? begin(credential), options, transport.host),

    hold(protocol) {
      held.set(protocol, (held.get(protocol) ?? 0) + 1)
      return () => {
        const others = (held.get(protocol) ?? 1) - 1
        if (others > 0) return void held.set(protocol, others)
        held.delete(protocol)
        if (replaced.delete(protocol)) void endSession(protocol, END_MS)
      }
    },

    applyResponse(protocol, reply, { runs, remembered }) {
      const { status, fault } = reply
      if (hasSession(protocol)) {
        if (isSessionLost(reply)) {
          if (known === protocol) generation = 'legacy'
          forget(protocol)
          // An error with the request's ID may come from the tool itself. 4xx means that nothing was executed.
          return namesSession(reply) || fault?.named !== true
        }
        if (isDoubtful(reply, runs)) {
          if (!remembered) unrelated.add(status)
          else if (!unrelated.has(status)) {
            if (known === protocol) replace(protocol)
            forget(protocol)
            return true
          }
        }
      }
      const ofTransport = (status === 400 || status === 404 || status === 405) && fault?.named !== true
      if (ofTransport || (fault !== undefined && VERSION_ERRORS.has(fault.code))) forget(protocol)
      return false
    },

    answered(protocol) {
      if (protocol === known) answeredAt = clock.now()
    },

    async end(deadlineMs) {
      const protocol = known
      known = undefined
      await endSession(protocol, deadlineMs)
    },
  }
}

function hasSession(protocol: Protocol): protocol is LegacyProtocol & { sessionId: string } {
  return protocol.generation === 'legacy' && protocol.sessionId !== undefined
}

type Refusal = Pick<Reply<unknown>, 'status' | 'fault' | 'words'>

/** Whether a refusal says that the session is gone: 404, as MCP requires, or an error that names the session. */
function isSessionLost(refusal: Refusal): boolean {
  const { status } = refusal
  return status === 404 || (status >= 400 && status < 500 && status !== 429 && namesSession(refusal))
}

function namesSession({ words }: Refusal): boolean {
  return /session|initiali[sz]/i.test(words ?? '')
}

/** Whether a refusal may mean a lost session without saying so. Only for requests that were not executed or change nothing. */
function isDoubtful({ status, fault }: Refusal, runs: boolean): boolean {
  if (status === 500) return !runs
  if (status < 400 || status > 500 || OTHER_REASONS.has(status)) return false
  return fault?.named !== true || REFUSED_BY_SERVER.has(fault.code)
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
