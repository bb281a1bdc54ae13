import { useState } from 'react'
import type { AutoTopupEntry } from '../../../../schemas/auto-topup.ts'
import { request } from '../../lib/api.ts'
import { formatMoney, moneyText, parseMoney } from '../../lib/format.ts'
import { useAction, useGet } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Section } from '../../ui/layout.tsx'
import { ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'
import { Toggle } from '../../ui/toggle.tsx'
import { asCustomer, isNoCustomer } from './checkout.ts'

const URL = '/api/customers/me/auto-topup'

/** The settings of an organization that has never paid. */
const OFF: AutoTopupEntry = {
  enabled: false,
  threshold_micros: null,
  amount_micros: null,
  monthly_limit_micros: null,
  charged_this_month_micros: 0,
}

/** Automatic top-ups: whether they are on, and their amounts. */
export function AutoTopup() {
  const { data: read, error, refetch } = useGet<AutoTopupEntry>(URL)
  const data = isNoCustomer(error) ? OFF : read
  const [editing, setEditing] = useState(false)
  return (
    <Section
      title="Automatic top-ups"
      action={
        data && (
          <Button size="small" onClick={() => setEditing(true)}>
            {data.enabled ? 'Change' : 'Set up'}
          </Button>
        )
      }
    >
      {error && data === undefined && <ErrorPanel error={error} onRetry={refetch} />}
      {data === undefined && !error && <Skeleton lines={2} />}
      {data && !data.enabled && (
        <p className="muted">Off. Set them up to charge the saved card when the balance becomes low.</p>
      )}
      {data?.enabled && (
        <p>
          Below {formatMoney(data.threshold_micros ?? 0)}, the saved card is charged{' '}
          {formatMoney(data.amount_micros ?? 0)}: this month {formatMoney(data.charged_this_month_micros)} of at most{' '}
          {formatMoney(data.monthly_limit_micros ?? 0)}.
        </p>
      )}
      {editing && data && <EditAutoTopup settings={data} onClose={() => setEditing(false)} />}
    </Section>
  )
}

function EditAutoTopup({ settings, onClose }: { settings: AutoTopupEntry; onClose: () => void }) {
  const [enabled, setEnabled] = useState(true)
  const [threshold, setThreshold] = useState(moneyText(settings.threshold_micros) || '5')
  const [amount, setAmount] = useState(moneyText(settings.amount_micros) || '25')
  const [limit, setLimit] = useState(moneyText(settings.monthly_limit_micros) || '100')
  const fields = [
    { label: 'Below', value: threshold, change: setThreshold },
    { label: 'Top up by', value: amount, change: setAmount },
    { label: 'At most per month', value: limit, change: setLimit },
  ]
  const values = fields.map(({ value }) => parseMoney(value))
  const save = useAction({
    run: (body: object) => asCustomer(() => request('PATCH', URL, { body })),
    changes: [URL],
    onDone() {
      toast(enabled ? 'Automatic top-ups are on.' : 'Automatic top-ups are off.')
      onClose()
    },
  })
  function submit() {
    const [threshold_micros, amount_micros, monthly_limit_micros] = values
    if (values.includes(undefined)) return
    save.mutate({ enabled, threshold_micros, amount_micros, monthly_limit_micros })
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Automatic top-ups"
      submit="Save"
      busy={save.isPending}
      error={save.error}
      onSubmit={submit}
    >
      <Toggle
        label="Top up automatically"
        hint="At most three times in 24 hours, and only with a saved card."
        checked={enabled}
        onChange={setEnabled}
      />
      <div className="form-grid">
        {fields.map(({ label, value, change }, index) => (
          <TextField
            key={label}
            label={label}
            before="$"
            inputMode="decimal"
            value={value}
            onChange={change}
            problem={values[index] === undefined ? 'Enter dollars.' : undefined}
          />
        ))}
      </div>
    </FormDialog>
  )
}
