import { useState } from 'react'
import { formatDate, formatMoney } from '../../lib/format.ts'
import { useAgents, usePeople } from '../../lib/people.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { Person } from '../../ui/person.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { EditKey, RevokeKey, RotateKey } from './change-key.tsx'
import type { CreatedKey, Key } from './key.ts'
import { NewSecret } from './new-secret.tsx'

type Action = { kind: 'edit' | 'rotate' | 'revoke'; subject: Key }

/** Keys with what can be done with each. */
export function KeyTable({ keys, holders }: { keys: readonly Key[]; holders: boolean }) {
  const { nameOf } = usePeople()
  const { agentName } = useAgents()
  const [action, start] = useState<Action>()
  const [rotated, setRotated] = useState<CreatedKey>()
  const close = () => start(undefined)

  const columns: Column<Key>[] = [
    { title: 'Name', kind: 'main', cell: key => <NameOf subject={key} /> },
    ...(holders
      ? [
          {
            title: 'For',
            cell: ({ agent_id, user_id }: Key) => (
              <>
                <Person name={agent_id === null ? nameOf(user_id) : agentName(agent_id)} />
                {agent_id !== null && <span className="under">Agent of {ownerText(nameOf(user_id))}</span>}
              </>
            ),
          },
        ]
      : []),
    { title: 'Last used', cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : <Time at={last_used_at} />) },
    {
      title: 'Expires',
      cell: ({ expires_at }) => (
        <span className="number">{expires_at === null ? 'Never' : formatDate(expires_at)}</span>
      ),
    },
    { title: 'Spent this month', kind: 'number', cell: key => <SpentOf subject={key} /> },
    {
      title: 'Actions',
      kind: 'actions',
      cell: key => key.status !== 'revoked' && <ActionsOf subject={key} onChoose={start} />,
    },
  ]
  return (
    <>
      <Table
        label="API keys"
        columns={columns}
        rows={keys}
        rowKey={({ id }) => id}
        faded={({ status }) => status !== 'active'}
      />
      {action?.kind === 'edit' && <EditKey subject={action.subject} onClose={close} />}
      {action?.kind === 'revoke' && <RevokeKey subject={action.subject} onClose={close} />}
      {action?.kind === 'rotate' && (
        <RotateKey
          subject={action.subject}
          onClose={close}
          onRotated={key => {
            close()
            setRotated(key)
          }}
        />
      )}
      <NewSecret created={rotated} onClose={() => setRotated(undefined)} />
    </>
  )
}

const ownerText = (name: string) => (name === 'You' ? 'yours' : name)

function NameOf({ subject: { name, prefix, last4, status, previous } }: { subject: Key }) {
  return (
    <>
      <span className="row">
        {name}
        {status === 'revoked' && <Badge>Revoked</Badge>}
        {status === 'expired' && <Badge tone="warn">Expired</Badge>}
        {status === 'active' && previous !== null && <Badge tone="accent">Rotating</Badge>}
      </span>
      <span className="under mono">
        {prefix}…{last4}
      </span>
      {status === 'active' && previous !== null && (
        <span className="under">
          The old secret (…{previous.last4}) ends <Time at={previous.expires_at} />
        </span>
      )}
    </>
  )
}

function SpentOf({ subject: { monthly_cap_micros: cap, spent_this_month_micros: spent } }: { subject: Key }) {
  return (
    <>
      {formatMoney(spent)}
      {cap !== null && <span className="under">of {formatMoney(cap)}</span>}
      {cap !== null && spent >= cap && <Badge tone="warn">Cap reached</Badge>}
    </>
  )
}

function ActionsOf({ subject, onChoose }: { subject: Key; onChoose: (action: Action) => void }) {
  return (
    <Menu trigger={<IconButton icon="ellipsis" label={`Actions for ${subject.name}`} />}>
      <MenuItem icon="pencil" onClick={() => onChoose({ kind: 'edit', subject })}>
        Change name, cap or expiry
      </MenuItem>
      <MenuItem icon="refresh-cw" onClick={() => onChoose({ kind: 'rotate', subject })}>
        Rotate
      </MenuItem>
      <MenuLine />
      <MenuItem icon="trash-2" danger onClick={() => onChoose({ kind: 'revoke', subject })}>
        Revoke
      </MenuItem>
    </Menu>
  )
}
