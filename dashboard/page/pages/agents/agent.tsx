import { useState } from 'react'
import type { AgentEntry } from '../../../../schemas/organizations/agent.ts'
import { request } from '../../lib/api.ts'
import { usePeople } from '../../lib/people.ts'
import { useAction } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { SelectField } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.tsx'

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

/** What can be done with an agent. Nothing with a retired one. */
export function AgentMenu({ agent }: { agent: AgentEntry }) {
  const { may } = useSession()
  const [open, setOpen] = useState<'rename' | 'give' | 'retire'>()
  const setStatus = useAction({
    run: (status: 'active' | 'suspended') => request('PATCH', agentUrl(agent.id), { body: { status } }),
    changes: [AGENTS_URL],
    onDone: (_, status) =>
      toast(status === 'active' ? `${agent.name} is active again.` : `${agent.name} is suspended.`),
  })
  const change = (status: 'active' | 'suspended') =>
    setStatus.mutate(status, { onError: error => toast(error.message, 'bad') })
  const close = () => setOpen(undefined)
  if (agent.status === 'retired') return null
  return (
    <>
      <Menu trigger={<IconButton icon="ellipsis" label={`Actions for ${agent.name}`} disabled={setStatus.isPending} />}>
        <MenuItem icon="pencil" onClick={() => setOpen('rename')}>
          Rename
        </MenuItem>
        {may.manage_all_agents && (
          <MenuItem icon="user" onClick={() => setOpen('give')}>
            Give to another member
          </MenuItem>
        )}
        {agent.status === 'active' && (
          <MenuItem icon="pause" onClick={() => change('suspended')}>
            Suspend
          </MenuItem>
        )}
        {agent.status === 'suspended' && !agent.orphaned && (
          <MenuItem icon="play" onClick={() => change('active')}>
            Resume
          </MenuItem>
        )}
        <MenuLine />
        <MenuItem icon="trash-2" danger onClick={() => setOpen('retire')}>
          Retire
        </MenuItem>
      </Menu>
      {open === 'rename' && <RenameAgent agent={agent} onClose={close} />}
      {open === 'give' && <GiveAgent agent={agent} onClose={close} />}
      {open === 'retire' && <RetireAgent agent={agent} onClose={close} />}
    </>
  )
}

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
function RenameAgent({ agent, onClose }: Change) {
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
function GiveAgent({ agent, onClose }: Change) {
  const { members, nameOf } = usePeople()
  const [owner, setOwner] = useState(agent.owner)
  const save = useChange({ agent, onClose }, 'The agent has a new owner.')
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
      <p>The agent keeps its keys. From then on, the keys use the new owner’s accounts.</p>
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
function RetireAgent({ agent, onClose }: Change) {
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
      <p>
        Retiring an agent revokes its keys within a minute and cannot be undone. To pause the agent, suspend it instead.
      </p>
    </FormDialog>
  )
}
