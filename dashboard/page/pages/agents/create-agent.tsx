import { useState } from 'react'
import { useLocation } from 'wouter'
import type { AgentEntry } from '../../../../schemas/agent.ts'
import { request } from '../../lib/api.ts'
import { useAction } from '../../lib/queries.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { AGENTS_URL } from './agent.tsx'

/** The form of a new agent. Afterwards its page opens, where it gets its key. */
export function CreateAgent({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const create = useAction({
    run: (body: object, key) => request<AgentEntry>('POST', AGENTS_URL, { body, key }),
    changes: [AGENTS_URL],
    onDone: agent => navigate(`/agents/${agent.id}`),
  })
  function submit() {
    setTried(true)
    if (name.trim() !== '') create.mutate({ name: name.trim() })
  }
  return (
    <FormDialog onClose={onClose} title="Create an agent" submit="Create agent" action={create} onSubmit={submit}>
      <TextField
        label="Name"
        placeholder="Nightly report"
        maxLength={100}
        value={name}
        onChange={setName}
        problem={tried && name.trim() === '' ? 'Enter a name: what does this agent do?' : undefined}
        hint="You own the agent: its keys act with your accounts."
      />
    </FormDialog>
  )
}
