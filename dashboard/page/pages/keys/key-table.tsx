import { useState } from 'react'
import { request } from '../../lib/api.ts'
import { formatDate, formatDateTime, formatMoney, moneyText } from '../../lib/format.ts'
import { type CreatedKey, EXPIRIES, type Expiry, expiryTime, KEYS_URL, type Key } from '../../lib/keys.ts'
import { useAgents, usePeople } from '../../lib/people.ts'
import { useAction } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { SelectField } from '../../ui/select.tsx'
import { type Column, Person, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { CapField, NewSecret, parseCap } from './create-key.tsx'

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
          The old secret (…{previous.last4}) stops working <Time at={previous.expires_at} />
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

interface Change {
  subject: Key
  onClose: () => void
}

const urlOf = ({ id }: Key) => `${KEYS_URL}/${encodeURIComponent(id)}`

/** The form that renames a key, or changes its cap or its expiry. */
function EditKey({ subject, onClose }: Change) {
  const [name, setName] = useState(subject.name)
  const [cap, setCap] = useState(moneyText(subject.monthly_cap_micros))
  const [expiry, setExpiry] = useState<Expiry | 'keep'>('keep')
  const capMicros = parseCap(cap)
  const save = useAction({
    run: (body: object) => request('PATCH', urlOf(subject), { body }),
    changes: [KEYS_URL],
    onDone() {
      toast('The key is changed.')
      onClose()
    },
  })
  function submit() {
    if (capMicros === undefined || name.trim() === '') return
    save.mutate({
      name: name.trim(),
      monthly_cap_micros: capMicros,
      ...(expiry !== 'keep' && { expires_at: expiryTime(expiry) ?? null }),
    })
  }
  const kept = subject.expires_at === null ? 'Never' : formatDateTime(subject.expires_at)
  return (
    <FormDialog onClose={onClose} title="Change the key" submit="Save" action={save} onSubmit={submit}>
      <TextField
        label="Name"
        maxLength={100}
        value={name}
        onChange={setName}
        problem={name.trim() === '' ? 'Enter a name: what uses this key?' : undefined}
      />
      <SelectField
        label="Expires"
        value={expiry}
        onChange={setExpiry}
        options={[{ value: 'keep', label: `${kept} (unchanged)` }, ...EXPIRIES.filter(({ label }) => label !== kept)]}
      />
      <CapField value={cap} onChange={setCap} />
    </FormDialog>
  )
}

const OVERLAPS = [
  { value: '0', label: 'At once' },
  { value: '3600', label: 'After an hour' },
  { value: '86400', label: 'After a day' },
  { value: '604800', label: 'After 7 days' },
] as const

/** The form that replaces the secret of a key. */
function RotateKey({ subject, onClose, onRotated }: Change & { onRotated: (key: CreatedKey) => void }) {
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]['value']>('86400')
  const rotate = useAction({
    run: (body: object, key) => request<CreatedKey>('POST', `${urlOf(subject)}/rotate`, { body, key }),
    changes: [KEYS_URL],
    onDone: onRotated,
  })
  return (
    <FormDialog
      onClose={onClose}
      title={`Rotate “${subject.name}”`}
      submit="Rotate key"
      action={rotate}
      onSubmit={() => rotate.mutate({ overlap_seconds: Number(overlap) })}
    >
      <p>The key gets a new secret. Its name, its cap and its spending stay the same.</p>
      <SelectField
        label="The old secret stops working"
        value={overlap}
        onChange={setOverlap}
        options={OVERLAPS}
        hint="Before then, replace the old secret everywhere."
      />
    </FormDialog>
  )
}

/** Asks before a key is revoked. */
function RevokeKey({ subject, onClose }: Change) {
  const revoke = useAction({
    run: () => request('DELETE', urlOf(subject)),
    changes: [KEYS_URL],
    onDone() {
      toast('The key is revoked.')
      onClose()
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title={`Revoke “${subject.name}”?`}
      submit="Revoke key"
      danger
      action={revoke}
      onSubmit={() => revoke.mutate()}
    >
      <p>Calls with the key that ends in {subject.last4} fail at once. This cannot be undone.</p>
    </FormDialog>
  )
}
