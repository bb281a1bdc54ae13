import type { RemoteCatalogEntries } from '../../connectors/catalog-entries.ts'
import type { RemoteConnectors } from '../remote-connectors.ts'
import { remoteEntry } from './remote-entry.ts'

/** What organizations have registered, as it stands behind the connectors of the catalogue. */
export function createRemoteEntries(remotes: Pick<RemoteConnectors, 'list' | 'find'>): RemoteCatalogEntries {
  return {
    async list(orgId, origin) {
      return (await remotes.list(orgId)).map(remote => JSON.stringify(remoteEntry(remote, origin)))
    },

    async find(orgId, slug, origin) {
      const remote = await remotes.find(orgId, slug)
      return remote && JSON.stringify(remoteEntry(remote, origin))
    },
  }
}
