import type { RemoteConnector, RemoteConnectors } from './remote-connectors.ts'
import { UnknownRemote } from './unknown-remote.ts'

/** The registration of a slug; throws UnknownRemote, with those that are there. */
export async function requireRemote(
  { find, list }: Pick<RemoteConnectors, 'find' | 'list'>,
  orgId: string,
  slug: string,
): Promise<RemoteConnector> {
  const found = await find(orgId, slug)
  if (found !== undefined) return found
  const there = await list(orgId)
  throw new UnknownRemote(
    slug,
    there.map(({ registration }) => registration),
  )
}
