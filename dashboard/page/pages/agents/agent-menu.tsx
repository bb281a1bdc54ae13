import { useState } from 'react'
import type { AgentEntry } from '../../../../schemas/agent.ts'
import { request } from '../../lib/api.ts'
import { useAction } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { AGENTS_URL, agentUrl } from './agent.tsx'
import { GiveAgent, RenameAgent, RetireAgent } from './change-agent.tsx'

/** What can be done with an agent. Nothing with a retired one. */
export function AgentMenu({ agent }: { agent: AgentEntry }) {
  const { may } = useSession()
  const [open, setOpen] = useState<'rename' | 'give' | 'retire'>()
  const setStatus = useAction({
    run: (status: 'active' | 'suspended') => request('PATCH', agentUrl(agent.id), { body: { status } }),
    changes: [AGENTS_URL],
    onDone: (_, status) => toast(status === 'active' ? `${agent.name} works again.` : `${agent.name} is suspended.`),
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
