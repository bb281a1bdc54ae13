import type { ConnectorEntry } from '../../../../schemas/connector-index.ts'
import type { RemoteConnectorEntry } from '../../../../schemas/remote.ts'
import { isRemote } from '../../lib/connectors.ts'
import { Badge } from '../../ui/badge.tsx'

/** Whether a connector is connected for the user. */
export function ConnectorState({ entry }: { entry: ConnectorEntry }) {
  const { status, accounts } = entry
  if (status === 'needs_reauth') return <Badge tone="warn">Reauthorize</Badge>
  if (status === 'disconnected') return isRemote(entry) ? <Waiting entry={entry} /> : null
  return <Badge tone="good">{accounts.length > 1 ? `${accounts.length} accounts` : 'Connected'}</Badge>
}

/** Whether a server waits for the user, or for an admin. */
function Waiting({ entry }: { entry: RemoteConnectorEntry }) {
  const { credential } = entry.remote
  if (credential?.per === 'member' && !credential.connected) return <Badge tone="accent">Connect</Badge>
  return <Badge tone="warn">Not ready</Badge>
}
