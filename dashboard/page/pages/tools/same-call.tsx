import { useState } from 'react'
import { useSession } from '../../lib/session.ts'
import { Section } from '../../ui/layout.tsx'
import { Snippet } from '../../ui/snippet.tsx'
import { Tabs } from '../../ui/tabs.tsx'

/** The same call for a shell, and as the message of an MCP client. */
export function SameCall({ name, args }: { name: string; args: object }) {
  const { gateway_url } = useSession()
  const [tab, setTab] = useState('curl')
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  const curl = [
    `curl ${gateway_url}`,
    `-H "x-api-key: $CGW_KEY"`,
    `-H 'content-type: application/json'`,
    `-H 'accept: application/json, text/event-stream'`,
    `-d '${JSON.stringify(message).replaceAll("'", "'\\''")}'`,
  ].join(' \\\n  ')
  const sdk = `// Any client of the MCP SDK that is connected to ${gateway_url}\nconst result = await client.callTool(${JSON.stringify(message.params, null, 2)})`
  return (
    <Section title="The same call elsewhere">
      <Tabs
        label="Form of the call"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'curl', label: 'curl', content: <Snippet text={curl} /> },
          { value: 'sdk', label: 'MCP client', content: <Snippet text={sdk} /> },
          { value: 'mcp', label: 'JSON-RPC message', content: <Snippet text={JSON.stringify(message, null, 2)} /> },
        ]}
      />
    </Section>
  )
}
