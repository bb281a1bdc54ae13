import { GatewayError } from '../../lib/errors/errors.ts'
import { type Caller, isAdmin } from '../identity/caller.ts'

/** Throws admin_required unless the caller administers the organization; before anything is looked up. */
export function requireAdmin(caller: Caller): void {
  if (!isAdmin(caller))
    throw new GatewayError(
      'admin_required',
      'Only an owner or an admin of the organization may register, refresh or remove a remote connector.',
    )
}
