import { useState } from 'react'
import { request } from '../../lib/api.ts'
import { formatDateTime, moneyText, parseMoney } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.tsx'
import { type CreatedKey, EXPIRIES, type Expiry, expiryTime, KEYS_URL, type Key } from './key.ts'

interface Change {
  subject: Key
  onClose: () => void
}

const urlOf = ({ id }: Key) => `${KEYS_URL}/${encodeURIComponent(id)}`

/** The form that renames a key, or changes its cap or its expiry. */
export function EditKey({ subject, onClose }: Change) {
  const [name, setName] = useState(subject.name)
  const [cap, setCap] = useState(moneyText(subject.monthly_cap_micros))
  const [expiry, setExpiry] = useState<Expiry | 'keep'>('keep')
  const capMicros = cap.trim() === '' ? null : parseMoney(cap)
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
      <TextField
        label="Spend at most per month"
        before="$"
        inputMode="decimal"
        placeholder="No limit"
        value={cap}
        onChange={setCap}
        problem={capMicros === undefined ? 'Enter dollars, such as 25 or 0.50.' : undefined}
      />
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
export function RotateKey({ subject, onClose, onRotated }: Change & { onRotated: (key: CreatedKey) => void }) {
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
      <p>The key gets a new secret. It keeps its name, its cap and what it has spent.</p>
      <SelectField
        label="The old secret stops working"
        value={overlap}
        onChange={setOverlap}
        options={OVERLAPS}
        hint="Replace the old secret wherever it is used before that."
      />
    </FormDialog>
  )
}

/** Asks before a key is revoked. */
export function RevokeKey({ subject, onClose }: Change) {
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
