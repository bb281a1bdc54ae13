import type { ConnectorEntry } from '../../../../schemas/connector-index.ts'
import { isRemote } from '../../lib/connectors.ts'
import { Badge } from '../../ui/badge.tsx'

/** Whether a connector is connected for the user. */
export function ConnectorState({ entry }: { entry: ConnectorEntry }) {
  const { status, accounts } = entry
  if (status === 'needs_reauth') return <Badge tone="warn">Reauthorize</Badge>
  if (status === 'disconnected') return isRemote(entry) ? <Badge tone="warn">Not ready</Badge> : null
  return <Badge tone="good">{accounts.length > 1 ? `${accounts.length} accounts` : 'Connected'}</Badge>
}
