import { useState } from 'react'
import { request } from '../../lib/api.ts'
import { parseMoney } from '../../lib/format.ts'
import { type CreatedKey, EXPIRIES, type Expiry, expiryTime, KEYS_URL } from '../../lib/keys.ts'
import { useAgents } from '../../lib/people.ts'
import { useAction } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { CopyText, Secret } from '../../ui/copy.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { SelectField } from '../../ui/select.tsx'
import { Notice } from '../../ui/states.tsx'

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
  const capMicros = parseCap(cap)
  const noName = tried && name.trim() === '' ? 'Enter a name: what uses this key?' : undefined

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
        problem={noName}
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
      <CapField
        value={cap}
        onChange={setCap}
        hint="Calls of paid tools stop at this amount until the next month (UTC)."
      />
    </FormDialog>
  )
}

/** Parses the monthly cap of a key: micro-dollars, null without a cap, undefined if the text is no amount. */
export function parseCap(text: string): number | null | undefined {
  return text.trim() === '' ? null : parseMoney(text)
}

interface CapFieldProps {
  value: string
  onChange: (value: string) => void
  hint?: string
}

/** The field for the monthly cap of a key, in dollars. */
export function CapField(props: CapFieldProps) {
  return (
    <TextField
      label="Spend at most per month"
      before="$"
      inputMode="decimal"
      placeholder="No limit"
      problem={parseCap(props.value) === undefined ? 'Enter dollars, such as 25 or 0.50.' : undefined}
      {...props}
    />
  )
}

/** Shows the secret of a new or rotated key, once. */
export function NewSecret({ created, onClose }: { created: CreatedKey | undefined; onClose: () => void }) {
  return (
    <SecretDialog
      open={created !== undefined}
      onClose={onClose}
      title={created?.name ?? ''}
      secret={created?.key}
      copy={COPY}
      before={created && <Once isShown={created.key !== undefined} />}
      after={created?.key !== undefined && <Where />}
    />
  )
}

const COPY = 'Copy key'

/** A secret with where to use it. */
export function SecretOf({ created: { key } }: { created: CreatedKey }) {
  return (
    <div className="stack">
      <Once isShown={key !== undefined} />
      {key !== undefined && (
        <>
          <Secret text={key} label={COPY} />
          <Where />
        </>
      )}
    </div>
  )
}

function Once({ isShown }: { isShown: boolean }) {
  return (
    <Notice kind="warn">
      {isShown
        ? 'Copy the key now. It is not stored, so it cannot be shown again.'
        : 'The secret was already shown, and it is shown only once. Rotate the key to get a new secret.'}
    </Notice>
  )
}

function Where() {
  const { gateway_url } = useSession()
  return (
    <div className="field">
      <span className="field-label">Send the key in the header “Authorization: Bearer …” to</span>
      <CopyText text={gateway_url} label="Copy the address" />
    </div>
  )
}
