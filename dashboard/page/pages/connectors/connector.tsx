import type { ConnectorEntry, CuratedConnectorEntry } from '../../../../schemas/connectors/connector.ts'
import type { RemoteConnectorEntry } from '../../../../schemas/remotes/remote.ts'
import { connectWay, isRemote } from '../../lib/connectors.ts'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'

/** The icon of a connector on a light tile: brands draw theirs for light grounds. */
export function ConnectorIcon({ url, size = 40 }: { url: string | null; size?: number }) {
  return (
    <span className="connector-icon" style={{ width: size, height: size }}>
      {url === null ? (
        <Icon name="plug" size={size / 2} />
      ) : (
        <img src={url} alt="" width={size * 0.55} height={size * 0.55} loading="lazy" />
      )}
    </span>
  )
}

/** The path of an icon, which the dashboard serves itself. */
export function iconPath(url: string | null): string | null {
  return url === null ? null : new URL(url, location.origin).pathname
}

/** Whether a connector is connected for the user. */
export function ConnectorState({ entry }: { entry: ConnectorEntry }) {
  const { status, accounts } = entry
  if (status === 'needs_reauth') return <Badge tone="warn">Reauthorize</Badge>
  if (status === 'disconnected') return isRemote(entry) ? <Waiting entry={entry} /> : <Way entry={entry} />
  if (accounts.length > 0 && accounts.every(({ key_verified }) => key_verified === false))
    return <Badge tone="warn">Not checked</Badge>
  return <Badge tone="good">{accounts.length > 1 ? `${accounts.length} accounts` : 'Connected'}</Badge>
}

/** What connecting takes, if it is more than a sign-in. */
function Way({ entry }: { entry: CuratedConnectorEntry }) {
  const way = connectWay(entry)
  return way === 'sign-in' ? null : <Badge>{way === 'key' ? 'API key' : 'Needs an OAuth app'}</Badge>
}

/** Whether a server waits for the user, or for an admin. */
function Waiting({ entry }: { entry: RemoteConnectorEntry }) {
  const { credential } = entry.remote
  if (credential?.per === 'member' && !credential.connected) return <Badge tone="accent">Connect</Badge>
  return <Badge tone="warn">Not ready</Badge>
}
