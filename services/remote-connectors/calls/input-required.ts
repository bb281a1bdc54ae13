import { hash } from 'node:crypto'
import { canonicalJson } from '../../../lib/canonical-json.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { isJsonObject } from '../../../lib/http/json.ts'
import { sanitizeLine } from '../../../lib/sanitize-text.ts'
import { type Place, type Vault, VaultError } from '../../../lib/vault/vault.ts'
import type { Clock } from '../../../schemas/time.ts'
import type { CallingClient } from '../../mcp/contract.ts'

/** What an upstream may ask a client for, and the capability that says the client can be asked (2026-07-28). */
const ASKED_OF: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}

const NOTHING = {}

type Asks = Readonly<Record<string, unknown>> | undefined

/** What of a client's capabilities an upstream is told: those that say what it may be asked for. */
export function askableCapabilities({ capabilities }: CallingClient): Readonly<Record<string, unknown>> {
  // Most clients say nothing of themselves.
  if (isEmpty(capabilities)) return NOTHING
  return Object.fromEntries(
    Object.values(ASKED_OF).flatMap(name => {
      const declared = capabilities[name]
      return isJsonObject(declared) ? [[name, declared]] : []
    }),
  )
}

/** Whether a client has declared that it can be asked for all of this; a client that has no way to be asked never has. */
export function canBeAsked({ generation, capabilities }: CallingClient, asks: Asks): boolean {
  if (generation !== 'modern') return false
  return Object.values(asks ?? {}).every(ask => {
    if (!isJsonObject(ask) || typeof ask.method !== 'string') return false
    const declared = capabilities[Object.hasOwn(ASKED_OF, ask.method) ? (ASKED_OF[ask.method] ?? '') : '']
    if (!isJsonObject(declared)) return false
    if (ask.method !== 'elicitation/create') return true
    const mode = isJsonObject(ask.params) && ask.params.mode === 'url' ? 'url' : 'form'
    // An empty object stands for forms alone.
    return mode in declared || (mode === 'form' && !('url' in declared))
  })
}

/** The refusal of a call whose client cannot be asked: what the tool wants to know, and who could answer. */
export function cannotAsk(name: string, tool: string, asks: Asks): GatewayError {
  const questions = Object.values(asks ?? {})
    .slice(0, 5)
    .flatMap(ask => questionOf(ask) ?? [])
  const asked = questions.length === 0 ? 'to be called again, with a state that it has sent' : questions.join('; ')
  return new GatewayError(
    'input_required',
    `${tool} of ${name} asks for input before it goes on, and this client has not said that it can be asked: ${asked}. ` +
      'Nothing was answered. Where the tool takes it as an argument, call again with that; else use a client that ' +
      'speaks MCP 2026-07-28 and declares elicitation.',
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
      return 'it asks for words of the client’s model'
    case 'roots/list':
      return 'it asks for the client’s roots'
    default:
      return 'it asks for something that is no input of MCP'
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
