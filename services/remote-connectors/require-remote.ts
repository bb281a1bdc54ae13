import { GatewayError } from '../../lib/errors/errors.ts'
import { type Caller, isAdmin } from '../identity/caller.ts'
import type { Registration } from './registration.ts'
import type { RemoteConnector, RemoteConnectors } from './remote-connectors.ts'

/** Throws admin_required unless the caller is an owner or an admin. Call it before any lookup. */
export function requireAdmin(caller: Caller): void {
  if (!isAdmin(caller))
    throw new GatewayError(
      'admin_required',
      'Only an owner or an admin of the organization may register, change, refresh or remove a remote connector, or give it the organization’s credential.',
    )
}

/** The registration of a slug, as a member sees it. Throws UnknownRemote, which lists the slugs that exist. */
export async function requireRemote(
  { find, list }: Pick<RemoteConnectors, 'find' | 'list'>,
  orgId: string,
  slug: string,
  userId?: string,
): Promise<RemoteConnector> {
  const found = await find(orgId, slug, userId)
  if (found !== undefined) return found
  const registered = await list(orgId)
  throw new UnknownRemote(
    slug,
    registered.map(({ registration }) => registration),
  )
}

/** No registration has this slug. The message lists the organization's slugs, so throw it only to its members. */
export class UnknownRemote extends GatewayError {
  constructor(slug: string, registered: readonly Pick<Registration, 'slug'>[]) {
    const slugs = registered.map(({ slug }) => slug).join(', ')
    const others = slugs === '' ? 'The organization has none.' : `Registered: ${slugs}.`
    super('invalid_request', `No remote connector is registered as ${slug}. ${others}`)
  }
}
