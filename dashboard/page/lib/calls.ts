import { useGet } from './queries.ts'

/** A call in the log of the gateway. */
export interface Call {
  id: string
  at: string
  user_id: string
  api_key_id: string | null
  agent_id: string | null
  /** What the client calls itself, or its OAuth client ID; null for calls of this page. */
  client: string | null
  tool: string
  account_id: string | null
  outcome: string
  duration_ms: number
  cost_micros: number
  /** What a failed call said; null if the user may not read it. */
  message: string | null
  /** Whether the gateway mended arguments. */
  mended: boolean
}

/** The URL of the log of calls. */
export const CALLS_URL = '/api/usage'

/** Names a client that called: by the name of the list of clients if it is one of these, else as it calls itself. */
export function useClientName(): (client: string) => string {
  const { data } = useGet<{ clients: { id: string; name: string }[] }>('/api/client-configurations')
  return client =>
    data?.clients.find(({ id, name }) => id === slug(client) || slug(name) === slug(client))?.name ?? client
}

/** `Claude Code` and `claude_code` as `claude-code`. */
function slug(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}
