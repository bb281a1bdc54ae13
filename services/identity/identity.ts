import { hash } from 'node:crypto'
import type { AgentStatus } from '../../lib/database/tables.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Role } from '../../schemas/role.ts'

declare const verified: unique symbol

interface VerifiedBase {
  /** The brand has no other source than `verifiedIdentity`, which only the verifiers of this folder call. */
  readonly [verified]: true
  readonly userId: string
  /** What the rate limiter counts: the key of a key caller, the user of a session (spec.md, Limits). */
  readonly meterKey: string
}

/** The holder of an API key: its member, and its agent where it has one. */
export interface ApiKeyIdentity extends VerifiedBase {
  readonly via: 'api-key'
  readonly keyId: string
  readonly orgId: string
  readonly role: Role
  readonly agent: { readonly id: string; readonly status: AgentStatus } | null
  /** When the key stops being one, in milliseconds since the epoch; null when never. */
  readonly expiresAt: number | null
}

/** The bearer of a session JWT or of an MCP OAuth token: a user, whose organization is looked up. */
export interface UserIdentity extends VerifiedBase {
  readonly via: 'session' | 'mcp-oauth'
  /** The OAuth client the token was issued to; empty for a session. */
  readonly clientId: string
}

/** Who calls. It cannot be built without a verified credential. */
export type Identity = ApiKeyIdentity | UserIdentity

type Unverified<T> = T extends Identity ? Omit<T, typeof verified> : never

/**
 * Brands what a verifier has established. Called by the verifiers of this folder alone; the linter holds others off.
 *
 * @package
 */
export function verifiedIdentity<T extends Identity>(identity: Unverified<T>): T {
  return Object.freeze(identity) as unknown as T
}

/** What a credential is cached by: a digest of the whole of it, so that no cache holds it and none takes two for one. */
export function digestOf(credential: string): string {
  return hash('sha256', credential, 'base64url')
}

/** Why an identity may not act at all, although its credential is good (spec.md, Agent standing); undefined when it may. */
export function refusal(identity: Identity): GatewayError | undefined {
  const status = identity.via === 'api-key' ? identity.agent?.status : undefined
  if (status === 'suspended')
    return new GatewayError('agent_suspended', 'This agent is suspended. Its owner or an admin can resume it.')
  if (status === 'retired')
    return new GatewayError('agent_retired', 'This agent is retired and its keys are being revoked. Use another key.')
  return undefined
}
