import { useGet } from './queries.ts'

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
