import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { GatewayError } from '../lib/errors/errors.ts'
import { identityOf } from '../plugins/identity/plugin.ts'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import { type Standings, standingRefusal } from '../services/billing/standings.ts'
import { type Caller, isAdmin } from '../services/identity/caller.ts'
import { rejectAgent } from '../services/identity/identity.ts'

/** The scope to which routes are added. */
export type RouteScope = Parameters<FastifyPluginAsyncTypebox>[0]

/** What lets a caller in. The check of a gate runs after the rate limit, and before the body is read. */
const CHECKS = {
  /** Every valid credential, also that of a user without an organization. The handler decides the rest. */
  anyone: undefined,
  /** Members of an organization, their API keys and agents. */
  organization: requireOrganization,
  /** The same without agents. */
  person: requirePerson,
  /** Signed-in members. */
  session: requireSession,
  /** Signed-in users, also without an organization. */
  userSession: requireUserSession,
  /** Owners and admins, and their API keys. */
  admin: requireAdmin,
  /** Signed-in owners and admins. */
  adminSession: requireAdminSession,
}

type CheckedGate = keyof typeof CHECKS
/** The name of a gate. `billingAdmin` lets in signed-in owners and admins; keys at their cap get an error of their own. */
export type RouteGate = CheckedGate | 'billingAdmin'

type AddRoutes<Options> = (scope: RouteScope, options: Options) => void
interface BillingOptions {
  standings: Pick<Standings, 'of'>
}
type RoutesByGate<Options> = Partial<Record<CheckedGate, AddRoutes<Options>>> &
  (Options extends BillingOptions ? { billingAdmin?: AddRoutes<Options> } : object)

declare module 'fastify' {
  interface FastifyInstance {
    /** The gate of the routes of this scope; undefined outside of `defineRoutes`. */
    readonly gate?: RouteGate
  }
}

const PUBLIC = ['error-envelope', 'origin']
const OF_MEMBERS = [...PUBLIC, 'json-bodies', 'identity', 'org-resolution', 'standing', 'rate-limit']

/**
 * The plugin of routes that need a credential, by the gate that lets callers in. Each gate is a scope with its check as a
 * hook, so a route without a gate cannot be written. `name` is the name of the plugin.
 */
export function defineRoutes<Options extends object>(name: string, routes: RoutesByGate<Options>) {
  async function addScopes(app: FastifyInstance, options: Options): Promise<void> {
    for (const [gate, addRoutes] of Object.entries(routes) as [RouteGate, AddRoutes<Options>][])
      app.register(async function gated(scope: RouteScope) {
        const check = checkOf(gate, options)
        scope.decorate('gate', gate)
        if (check !== undefined) scope.addHook('onRequest', check)
        addRoutes(scope, options)
      })
  }
  return fp(addScopes, { name: `routes/${name}`, fastify: '5.x', encapsulate: true, dependencies: OF_MEMBERS })
}

function checkOf(gate: RouteGate, options: object) {
  // The types allow this gate only with these options.
  return gate === 'billingAdmin' ? requireBillingAdmin((options as BillingOptions).standings) : CHECKS[gate]
}

/**
 * The plugin of routes that need no credential, or check one of their own. `dependencies` are plugins that it needs in
 * addition to those of every route.
 */
export function definePublicRoutes<Options extends object>(
  name: string,
  routes: FastifyPluginAsyncTypebox<Options>,
  dependencies: readonly string[] = [],
) {
  return fp(routes, {
    name: `routes/${name}`,
    fastify: '5.x',
    encapsulate: true,
    dependencies: [...PUBLIC, ...dependencies],
  })
}

// The checks of the gates: they run before the body is read, and before anything is looked up.

type Done = () => void

/** Rejects a user without an active organization: no_active_org. */
export function requireOrganization(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
  callerOf(request)
  done()
}

/** Rejects agents, which act with their owner's credentials: not_account_owner. */
function requirePerson(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
  callerOf(request)
  rejectAgent(identityOf(request))
  done()
}

/** Rejects API keys: jwt_session_required. */
export function requireSession(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
  callerOf(request)
  rejectKey(request)
  done()
}

/** Rejects API keys, and lets in users without an organization; for routes with `membership: 'optional'`. */
function requireUserSession(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
  rejectKey(request)
  done()
}

/** Rejects members: admin_required. */
export function requireAdmin(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
  rejectMember(callerOf(request))
  done()
}

/** Rejects API keys and members. */
export function requireAdminSession(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
  const caller = callerOf(request)
  rejectKey(request)
  rejectMember(caller)
  done()
}

/**
 * The check of routes that concern the organization's money: rejects API keys and members. A key that has reached its cap
 * gets key_spend_limit_exceeded.
 */
export function requireBillingAdmin(standings: Pick<Standings, 'of'>) {
  return async function checkBillingAdmin(request: FastifyRequest, _reply: FastifyReply): Promise<void> {
    const caller = callerOf(request)
    const identity = identityOf(request)
    if (identity.via === 'api-key') {
      const standing = await standings.of({ orgId: caller.orgId, keyId: identity.keyId })
      if (standing.key !== null && standingRefusal({ ...standing, suspendedAt: null, thresholdMicros: -Infinity }))
        throw new GatewayError(
          'key_spend_limit_exceeded',
          'This API key has reached its monthly spending cap. Wait for the next month (UTC), or ask an admin to raise the cap.',
        )
    }
    rejectKey(request)
    rejectMember(caller)
  }
}

/** Throws admin_required unless the caller is an owner or an admin. */
export function rejectMember(caller: Caller): void {
  if (!isAdmin(caller))
    throw new GatewayError(
      'admin_required',
      'Only an owner or an admin of the organization can do this. Ask one of them.',
    )
}

function rejectKey(request: FastifyRequest): void {
  if (identityOf(request).via === 'session') return
  throw new GatewayError(
    'jwt_session_required',
    'This requires a signed-in user. API keys and agents cannot do it. Use a session token, or ask the operator.',
  )
}
