import { hash } from 'node:crypto'
import { canonicalJson } from '../../../lib/canonical-json.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { isJsonObject } from '../../../lib/http/json.ts'
import { sanitizeLine } from '../../../lib/sanitize-text.ts'
import { type Place, type Vault, VaultError } from '../../../lib/vault/vault.ts'
import type { Clock } from '../../../schemas/primitives/time.ts'
import type { CallingClient } from '../../mcp/mcp-types.ts'

/** The requests for input of 2026-07-28, and the client capability that each requires. */
const ASKED_OF: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}

const NOTHING = {}

type Asks = Readonly<Record<string, unknown>> | undefined

/** The client's capabilities for input, which are sent to the upstream. */
export function askableCapabilities({ capabilities }: CallingClient): Readonly<Record<string, unknown>> {
  // Most clients declare none.
  if (isEmpty(capabilities)) return NOTHING
  return Object.fromEntries(
    Object.values(ASKED_OF).flatMap(name => {
      const declared = capabilities[name]
      return isJsonObject(declared) ? [[name, declared]] : []
    }),
  )
}

/** Whether a client supports all of the requested input. Legacy clients support none. */
export function canBeAsked({ generation, capabilities }: CallingClient, asks: Asks): boolean {
  if (generation !== 'modern') return false
  return Object.values(asks ?? {}).every(ask => {
    if (!isJsonObject(ask) || typeof ask.method !== 'string') return false
    const declared = capabilities[Object.hasOwn(ASKED_OF, ask.method) ? (ASKED_OF[ask.method] ?? '') : '']
    if (!isJsonObject(declared)) return false
    if (ask.method !== 'elicitation/create') return true
    const mode = isJsonObject(ask.params) && ask.params.mode === 'url' ? 'url' : 'form'
    // An empty object means only forms.
    return mode in declared || (mode === 'form' && !('url' in declared))
  })
}

/** The error for a client that does not support the requested input. It contains the upstream's questions. */
export function cannotAsk(name: string, tool: string, asks: Asks): GatewayError {
  const questions = Object.values(asks ?? {})
    .slice(0, 5)
    .flatMap(ask => questionOf(ask) ?? [])
  const asked = questions.length === 0 ? 'it asks to be called again with a state' : questions.join('; ')
  return new GatewayError(
    'input_required',
    `${tool} of ${name} requires input, and this client does not declare that it supports it: ${asked}. Nothing was sent. ` +
      'If the tool has an argument for this input, call it again with that argument. Otherwise use a client that supports ' +
      'MCP 2026-07-28 and declares elicitation.',
  )
}

function questionOf(ask: unknown): string | undefined {
  if (!isJsonObject(ask)) return undefined
  const params = isJsonObject(ask.params) ? ask.params : {}
  switch (ask.method) {
    case 'elicitation/create': {
      const message = typeof params.message === 'string' ? `“${sanitizeLine(params.message, 300)}”` : 'an answer'
      return `it asks the user: ${message}${fieldsOf(params.requestedSchema)}`
    }
    case 'sampling/createMessage':
      return 'it requests a completion of the client’s model'
    case 'roots/list':
      return 'it requests the client’s roots'
    default:
      return 'it sends a request that MCP does not define'
  }
}

function fieldsOf(schema: unknown): string {
  const properties = isJsonObject(schema) && isJsonObject(schema.properties) ? Object.keys(schema.properties) : []
  const names = properties.slice(0, 20).map(name => sanitizeLine(name, 60))
  return names.length === 0 ? '' : ` (${names.join(', ')})`
}

function isEmpty(object: object): boolean {
  for (const _ in object) return false
  return true
}

/** The call that a state belongs to. The state opens only together with the same call. */
export interface StatefulCall {
  readonly orgId: string
  readonly userId: string
  /** The registration. */
  readonly remoteId: string
  /** The upstream's name of the tool. */
  readonly tool: string
  readonly arguments: unknown
}

/** The state of an upstream that waits for input, sealed for the client and bound to one call. */
export interface RequestStates {
  /** Seals the upstream's state, which may be undefined. Throws upstream_unavailable if it is too long. */
  seal(call: StatefulCall, state: string | undefined): string
  /** The upstream's state. Throws invalid_request if it was altered, has expired or belongs to another call. */
  open(call: StatefulCall, sealed: string): string | undefined
}

/** The sealed content. It has a version because it outlives a deployment. */
interface Payload {
  v: 1
  state?: string
  /** Milliseconds since the epoch. */
  until: number
}

const LIFE_MS = 10 * 60_000
/** The maximum length of a sealed state, in characters. The upstream's own state has about three quarters of that. */
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
          'The upstream requests input with a state that exceeds the size limit, so it cannot be answered. Report this to the operator of the upstream.',
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

/** The error for answers that match no question of this call. */
export function beginAgain(): GatewayError {
  return new GatewayError(
    'invalid_request',
    'The requestState of this call is missing, was altered, has expired (after 10 minutes), or belongs to another call. ' +
      'Start again: call the tool without requestState and inputResponses.',
  )
}

function placeOf({ orgId, userId, remoteId, tool, arguments: args }: StatefulCall): Place {
  const of = hash('sha256', JSON.stringify([userId, tool, canonicalJson(args)]), 'base64url')
  return { table: 'tools/call', column: 'requestState', orgId, id: remoteId, of }
}

/** Decoders of base64url ignore some bits and characters. Without this check, an altered state could still open. */
function isCanonical(sealed: string): boolean {
  return sealed
    .split('.')
    .slice(2)
    .every(part => Buffer.from(part, 'base64url').toString('base64url') === part)
}
