import { useState } from 'react'
import { request } from '../../lib/api.ts'
import { parseMoney } from '../../lib/format.ts'
import { useAgents } from '../../lib/people.ts'
import { useAction } from '../../lib/queries.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select.tsx'
import { type CreatedKey, EXPIRIES, type Expiry, expiryTime, KEYS_URL } from './key.ts'
import { NewSecret } from './new-secret.tsx'

interface CreateKeyProps {
  onClose: () => void
  onCreated?: (key: CreatedKey) => void
  /** The agent that the key is for; without it, the user chooses. */
  agentId?: string
  /** The name to begin with. */
  suggestion?: string
}

/** The form of a new key, then its secret, which is shown once. */
export function CreateKey({ onClose, onCreated, agentId, suggestion = '' }: CreateKeyProps) {
  const { agents } = useAgents()
  const [name, setName] = useState(suggestion)
  const [holder, setHolder] = useState(agentId ?? 'me')
  const [expiry, setExpiry] = useState<Expiry>('90')
  const [cap, setCap] = useState('')
  const [tried, setTried] = useState(false)
  const create = useAction({
    run: (body: object, key) => request<CreatedKey>('POST', KEYS_URL, { body, key }),
    changes: [KEYS_URL],
    onDone: key => onCreated?.(key),
  })
  const capMicros = cap.trim() === '' ? null : parseMoney(cap)
  const problems = {
    name: tried && name.trim() === '' ? 'Enter a name: what uses this key?' : undefined,
    cap: capMicros === undefined ? 'Enter dollars, such as 25 or 0.50.' : undefined,
  }

  function submit() {
    setTried(true)
    if (name.trim() === '' || capMicros === undefined) return
    const expiresAt = expiryTime(expiry)
    create.mutate({
      name: name.trim(),
      ...(holder !== 'me' && { agent_id: holder }),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
      ...(capMicros !== null && { monthly_cap_micros: capMicros }),
    })
  }

  if (create.data) return <NewSecret created={create.data} onClose={onClose} />
  const active = agents.filter(({ status }) => status === 'active')
  return (
    <FormDialog onClose={onClose} title="Create an API key" submit="Create key" action={create} onSubmit={submit}>
      <TextField
        label="Name"
        placeholder="Claude Code on my laptop"
        maxLength={100}
        value={name}
        onChange={setName}
        problem={problems.name}
      />
      {agentId === undefined && active.length > 0 && (
        <SelectField
          label="For"
          value={holder}
          onChange={setHolder}
          options={[
            { value: 'me', label: 'Me', hint: 'Acts as you, with your accounts' },
            ...active.map(({ id, name }) => ({ value: id, label: name, hint: 'Agent' })),
          ]}
        />
      )}
      <SelectField label="Expires" value={expiry} onChange={setExpiry} options={EXPIRIES} />
      <TextField
        label="Spend at most per month"
        before="$"
        inputMode="decimal"
        placeholder="No limit"
        value={cap}
        onChange={setCap}
        problem={problems.cap}
        hint="Calls of tools with a price stop at this amount until the next month (UTC)."
      />
    </FormDialog>
  )
}
