import { useState } from 'react'
import type { RemoteConnectorRead } from '../../../../schemas/remote.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/layout.tsx'
import { ResetTool } from './override-tool.tsx'

/** What an admin has set for tools that the server no longer publishes. It counts again if they return. */
export function LostOverrides({ entry }: { entry: RemoteConnectorRead }) {
  const [reset, setReset] = useState<string>()
  const lost = entry.remote.overrides?.filter(({ state }) => state === 'missing') ?? []
  if (lost.length === 0) return null
  return (
    <Section
      title="Set for tools that are gone"
      text="The server no longer publishes them. What was set counts again if they return."
    >
      <ul className="lines">
        {lost.map(({ original_name }) => (
          <li key={original_name}>
            <code>{original_name}</code>
            <Button size="small" onClick={() => setReset(original_name)}>
              Reset
            </Button>
          </li>
        ))}
      </ul>
      {reset !== undefined && (
        <ResetTool entry={entry} tool={{ original_name: reset }} label={reset} onClose={() => setReset(undefined)} />
      )}
    </Section>
  )
}
