import { useState } from 'react'
import type { AgentEntry } from '../../../../schemas/agent.ts'
import { request } from '../../lib/api.ts'
import { usePeople } from '../../lib/people.ts'
import { useAction } from '../../lib/queries.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.tsx'
import { AGENTS_URL, agentUrl } from './agent.tsx'

interface Change {
  agent: AgentEntry
  onClose: () => void
}

function useChange({ agent, onClose }: Change, done: string) {
  return useAction({
    run: (body: object) => request('PATCH', agentUrl(agent.id), { body }),
    changes: [AGENTS_URL],
    onDone() {
      toast(done)
      onClose()
    },
  })
}

/** The form that renames an agent. */
export function RenameAgent({ agent, onClose }: Change) {
  const [name, setName] = useState(agent.name)
  const save = useChange({ agent, onClose }, 'The agent is renamed.')
  return (
    <FormDialog
      onClose={onClose}
      title="Rename the agent"
      submit="Save"
      action={save}
      onSubmit={() => save.mutate({ name: name.trim() })}
    >
      <TextField label="Name" maxLength={100} value={name} onChange={setName} />
    </FormDialog>
  )
}

/** The form that gives an agent to another member. */
export function GiveAgent({ agent, onClose }: Change) {
  const { members, nameOf } = usePeople()
  const [owner, setOwner] = useState(agent.owner)
  const save = useChange({ agent, onClose }, 'The agent has another owner.')
  const present = members.some(({ user_id }) => user_id === agent.owner)
  const options = members.map(({ user_id }) => ({ value: user_id, label: nameOf(user_id) }))
  return (
    <FormDialog
      onClose={onClose}
      title={`Give “${agent.name}” to another member`}
      submit="Give"
      action={save}
      onSubmit={() => save.mutate({ owner })}
    >
      <p>The agent keeps its keys. They act with the accounts of the new owner.</p>
      <SelectField
        label="Owner"
        value={owner}
        onChange={setOwner}
        options={present ? options : [{ value: agent.owner, label: 'A former member' }, ...options]}
      />
    </FormDialog>
  )
}

/** Asks before an agent is retired. */
export function RetireAgent({ agent, onClose }: Change) {
  const retire = useAction({
    run: () => request('DELETE', agentUrl(agent.id)),
    changes: [AGENTS_URL, '/api/api-keys'],
    onDone() {
      toast('The agent is retired.')
      onClose()
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title={`Retire “${agent.name}”?`}
      submit="Retire agent"
      danger
      action={retire}
      onSubmit={() => retire.mutate()}
    >
      <p>Its keys are revoked within a minute, and it never works again. To stop it for a while, suspend it.</p>
    </FormDialog>
  )
}
