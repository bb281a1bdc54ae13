import type { AgentEntry } from '../../../../schemas/agent.ts'
import { Badge } from '../../ui/badge.tsx'

/** The URL of the list of agents. */
export const AGENTS_URL = '/api/agents'

/** The URL of one agent. */
export const agentUrl = (id: string) => `${AGENTS_URL}/${encodeURIComponent(id)}`

/** The state of an agent that does not work. */
export function AgentStatus({ agent: { status, orphaned } }: { agent: AgentEntry }) {
  if (status === 'active') return null
  if (status === 'retired') return <Badge>Retired</Badge>
  return <Badge tone="warn">{orphaned ? 'Suspended: its owner left' : 'Suspended'}</Badge>
}
