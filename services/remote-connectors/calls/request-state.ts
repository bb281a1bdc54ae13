import { hash } from 'node:crypto'
import { canonicalJson } from '../../../lib/canonical-json.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { type Place, type Vault, VaultError } from '../../../lib/vault/vault.ts'
import type { Clock } from '../../../schemas/time.ts'

/** The call that a state belongs to: brought with any other it opens nothing. */
export interface StatefulCall {
  readonly orgId: string
  readonly userId: string
  /** The registration. */
  readonly remoteId: string
  /** What the upstream calls the tool. */
  readonly tool: string
  readonly arguments: unknown
}

/** The state of an upstream that waits for input, as a client carries it: opaque, unaltered, and of one call alone. */
export interface RequestStates {
  /** The state as the client is given it; undefined stands for an upstream without one. Throws upstream_unavailable for one that is too long. */
  seal(call: StatefulCall, state: string | undefined): string
  /** The upstream's own state. Throws invalid_request for what was altered, has expired or is of another call. */
  open(call: StatefulCall, sealed: string): string | undefined
}

/** What is sealed; carries its version because it outlives a deployment. */
interface Payload {
  v: 1
  state?: string
  /** Milliseconds since the epoch. */
  until: number
}

const LIFE_MS = 10 * 60_000
/** Characters of a sealed state: three quarters of that is what an upstream's own may come to. */
const MAX_SEALED = 64 * 1024

export function createRequestStates({
  vault,
  clock,
}: {
  vault: Pick<Vault, 'seal' | 'open'>
  clock: Clock
}): RequestStates {
  function payloadOf(call: StatefulCall, sealed: string): Payload | undefined {
    if (sealed.length > MAX_SEALED || !isCanonical(sealed)) return undefined
    try {
      return JSON.parse(vault.open(placeOf(call), sealed)) as Payload
    } catch (error) {
      if (error instanceof VaultError) return undefined
      throw error
    }
  }

  return {
    seal(call, state) {
      const payload: Payload = { v: 1, ...(state !== undefined && { state }), until: clock.now() + LIFE_MS }
      const { sealed } = vault.seal(placeOf(call), JSON.stringify(payload))
      if (sealed.length > MAX_SEALED)
        throw new GatewayError(
          'upstream_unavailable',
          'The upstream asks for input with more state than this gateway carries, so it cannot be answered. Tell whoever runs it.',
        )
      return sealed
    },

    open(call, sealed) {
      const payload = payloadOf(call, sealed)
      if (payload?.v !== 1 || payload.until <= clock.now()) throw beginAgain()
      return payload.state
    },
  }
}

/** The refusal of answers that belong to no question of this call. */
export function beginAgain(): GatewayError {
  return new GatewayError(
    'invalid_request',
    'The requestState of this call is missing, was altered, has expired after 10 minutes, or belongs to another call. ' +
      'Begin again: call the tool without requestState and inputResponses.',
  )
}

function placeOf({ orgId, userId, remoteId, tool, arguments: args }: StatefulCall): Place {
  const of = hash('sha256', JSON.stringify([userId, tool, canonicalJson(args)]), 'base64url')
  return { table: 'tools/call', column: 'requestState', orgId, id: remoteId, of }
}

/** Base64url leaves bits and characters unread, which would let a state be altered and open all the same. */
function isCanonical(sealed: string): boolean {
  return sealed
    .split('.')
    .slice(2)
    .every(part => Buffer.from(part, 'base64url').toString('base64url') === part)
}
