import { useState } from 'react'
import type { AutoTopupEntry } from '../../../../schemas/auto-topup.ts'
import { request } from '../../lib/api.ts'
import { formatMoney, moneyText, parseMoney } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Section } from '../../ui/layout.tsx'
import { ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'
import { Toggle } from '../../ui/toggle.tsx'
import { createCustomer, MONEY_URLS, useCustomerGet } from './checkout.ts'

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
  const { payments, data: read, error, refetch } = useCustomerGet<AutoTopupEntry>(URL)
  const isCustomer = payments?.customer !== false
  const chargesCards = payments?.provider === 'stripe'
  const data = isCustomer ? read : OFF
  const [editing, setEditing] = useState(false)
  return (
    <Section
      title="Automatic top-ups"
      action={
        data &&
        (chargesCards || data.enabled) && (
          <Button size="small" onClick={() => setEditing(true)}>
            {data.enabled ? 'Change' : 'Set up'}
          </Button>
        )
      }
    >
      {error && data === undefined && <ErrorPanel error={error} onRetry={refetch} />}
      {data === undefined && !error && <Skeleton lines={2} />}
      {data && !data.enabled && (
        <p className="muted">
          {chargesCards
            ? 'Off. Set them up to charge the saved card when the balance becomes low.'
            : 'The built-in payment provider charges nobody, so it makes none.'}
        </p>
      )}
      {data?.enabled && (
        <p>
          Below {formatMoney(data.threshold_micros ?? 0)}, the saved card is charged{' '}
          {formatMoney(data.amount_micros ?? 0)}: this month {formatMoney(data.charged_this_month_micros)} of at most{' '}
          {formatMoney(data.monthly_limit_micros ?? 0)}.
        </p>
      )}
      {editing && data && <EditAutoTopup settings={data} isCustomer={isCustomer} onClose={() => setEditing(false)} />}
    </Section>
  )
}

interface EditAutoTopupProps {
  settings: AutoTopupEntry
  isCustomer: boolean
  onClose: () => void
}

function EditAutoTopup({ settings, isCustomer, onClose }: EditAutoTopupProps) {
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
    run: async (body: object) => {
      if (!isCustomer) await createCustomer()
      return request('PATCH', URL, { body })
    },
    changes: MONEY_URLS,
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
    <FormDialog onClose={onClose} title="Automatic top-ups" submit="Save" action={save} onSubmit={submit}>
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
