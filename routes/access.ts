import type { FastifyReply, FastifyRequest } from 'fastify'
import { GatewayError } from '../lib/errors/errors.ts'
import { identityOf } from '../plugins/identity/plugin.ts'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import { type Standings, standingRefusal } from '../services/billing/standings.ts'
import { type Caller, isAdmin } from '../services/identity/caller.ts'

// Checks for the `onRequest` of a route: they run before the body is read, and before anything is looked up.

/** Rejects a user without an active organization: no_active_org. */
export async function requireOrganization(request: FastifyRequest): Promise<void> {
  callerOf(request)
}

/** Rejects API keys: jwt_session_required. */
export async function requireSession(request: FastifyRequest): Promise<void> {
  callerOf(request)
  await requireUserSession(request)
}

/** Rejects API keys, and lets in users without an organization; for routes with `membership: 'optional'`. */
export async function requireUserSession(request: FastifyRequest): Promise<void> {
  if (identityOf(request).via === 'session') return
  throw new GatewayError(
    'jwt_session_required',
    'This needs a signed-in user; an API key or an agent cannot do it. Send a session token, or ask the operator to do it.',
  )
}

/** Rejects members: admin_required. */
export async function requireAdmin(request: FastifyRequest): Promise<void> {
  rejectMember(callerOf(request))
}

/** Rejects API keys and members. */
export async function requireAdminSession(request: FastifyRequest): Promise<void> {
  await requireSession(request)
  rejectMember(callerOf(request))
}

function rejectMember(caller: Caller): void {
  if (!isAdmin(caller))
    throw new GatewayError(
      'admin_required',
      'Only an owner or an admin of the organization may do this. Ask one of them.',
    )
}

/**
 * The check of routes that concern the organization's money: rejects API keys and members. A key that has reached its cap
 * gets key_spend_limit_exceeded.
 */
export function requireBillingAdmin(standings: Pick<Standings, 'of'>) {
  return async function checkBillingAdmin(request: FastifyRequest, _reply: FastifyReply): Promise<void> {
    const { orgId } = callerOf(request)
    const identity = identityOf(request)
    if (identity.via === 'api-key') {
      const standing = await standings.of({ orgId, keyId: identity.keyId })
      if (standing.key !== null && standingRefusal({ ...standing, suspendedAt: null, thresholdMicros: -Infinity }))
        throw new GatewayError(
          'key_spend_limit_exceeded',
          'This API key has reached its monthly spend cap. Wait for the next month (UTC), or ask an admin to raise the cap.',
        )
    }
    await requireAdminSession(request)
  }
}
