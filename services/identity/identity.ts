import { hash } from 'node:crypto'
import type { AgentStatus } from '../../lib/database/organization-tables.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Role } from '../../schemas/organizations/member.ts'

declare const verified: unique symbol

interface VerifiedBase {
  /** Only `verifiedIdentity` creates this brand, and only the verifiers of this folder call it. */
  readonly [verified]: true
  readonly userId: string
  /** What the rate limiter counts by: the API key, or the user of a session. */
  readonly meterKey: string
}

/** The holder of an API key: a member, and an agent if the key belongs to one. */
export interface ApiKeyIdentity extends VerifiedBase {
  readonly via: 'api-key'
  readonly keyId: string
  readonly orgId: string
  readonly role: Role
  readonly agent: { readonly id: string; readonly status: AgentStatus } | null
  /** When the key expires, in milliseconds since the epoch; null if never. */
  readonly expiresAt: number | null
}

/** The user of a session JWT or of an MCP OAuth token. Their active organization is a separate lookup. */
export interface UserIdentity extends VerifiedBase {
  readonly via: 'session' | 'mcp-oauth'
  /** The OAuth client of the token; empty for a session. */
  readonly clientId: string
  /** The email of the token; absent unless its issuer says that it is verified. */
  readonly verifiedEmail?: string
}

/** What a token issuer calls a user or an agent. */
export interface SignIn {
  readonly issuer: string
  readonly subject: string
}

/** An agent with a token of its own. It acts as with a key: as its owner, in one organization, and as no signed-in user. */
export interface AgentIdentity extends VerifiedBase {
  readonly via: 'agent-token'
  readonly orgId: string
  readonly role: Role
  readonly agent: { readonly id: string; readonly status: AgentStatus }
  readonly signIn: SignIn
}

/** The verified caller. */
export type Identity = ApiKeyIdentity | AgentIdentity | UserIdentity

/** Whether a person has signed in. Otherwise a program calls, with an API key or as an agent. */
export function isSignedIn(identity: Identity): identity is UserIdentity {
  return identity.via === 'session' || identity.via === 'mcp-oauth'
}

/** The agent that calls, with a key or a token; null for members. */
export function agentOf(identity: Identity): ApiKeyIdentity['agent'] {
  return isSignedIn(identity) ? null : identity.agent
}

/** The API key of the call, which has a cap and pays for it; null without one. */
export function keyIdOf(identity: Identity): string | null {
  return identity.via === 'api-key' ? identity.keyId : null
}

type Unverified<T> = T extends Identity ? Omit<T, typeof verified> : never

/**
 * Brands an identity as verified. Only the verifiers of this folder may call it, which the linter enforces.
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

/** Why an identity with a valid credential may not act; undefined if it may. */
export function refusal(identity: Identity): GatewayError | undefined {
  const status = agentOf(identity)?.status
  if (status === 'suspended')
    return new GatewayError('agent_suspended', 'This agent is suspended. Its owner or an admin can resume it.')
  if (status === 'retired')
    return new GatewayError(
      'agent_retired',
      identity.via === 'agent-token'
        ? 'This agent is retired. Use the credential of another agent.'
        : 'This agent is retired and its keys are being revoked. Use another key.',
    )
  return undefined
}

/**
 * Throws not_account_owner for an agent, with a key or a token of its own. It acts with its owner's accounts and
 * credentials, but only people change them.
 */
export function rejectAgent(
  identity: Identity,
  message = 'An agent cannot change its owner’s credentials. Ask the owner to do it.',
): void {
  if (agentOf(identity) !== null) throw new GatewayError('not_account_owner', message)
}

/**
 * The holder of a call's idempotency keys. All tokens of an agent are one holder. Each OAuth client of a user is its own
 * holder, because it has its own active organization.
 */
export function holderOf(identity: Identity): string {
  if (identity.via === 'api-key') return identity.keyId
  if (identity.via === 'agent-token') return identity.agent.id
  return identity.clientId === '' ? identity.userId : `${identity.userId} ${identity.clientId}`
}
