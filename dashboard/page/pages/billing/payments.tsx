import { useState } from 'react'
import type { AutoTopupEntry } from '../../../../schemas/billing/topup.ts'
import type { Me } from '../../../../schemas/organizations/me.ts'
import { ApiError, request } from '../../lib/api.ts'
import { capitalize, formatDate, formatMoney, moneyText, parseMoney } from '../../lib/format.ts'
import { useAction, useGet } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Toggle } from '../../ui/choice.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Section } from '../../ui/layout.tsx'
import { ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'

/** The beginnings of the URLs whose answers a payment changes. */
export const MONEY_URLS = ['/api/customers/me', '/api/me']

/** Goes to a page of the payment provider, in this tab. */
export function openCheckout(url: string): void {
  const { protocol } = new URL(url, location.origin)
  if (protocol === 'https:' || protocol === 'http:') location.assign(url)
}

/** Who takes payments, and whether the organization is their customer; undefined until that is known. */
export function usePayments(): Me['payments'] | undefined {
  return useGet<Me>('/api/me').data?.payments
}

/** Reads settings of a customer. Sends no request before the first payment, which creates the customer. */
function useCustomerGet<T>(url: string) {
  const me = useGet<Me>('/api/me')
  const payments = me.data?.payments
  const { data, error, refetch } = useGet<T>(url, { enabled: payments?.customer === true })
  return { payments, data, error: me.error ?? error, refetch: me.error ? me.refetch : refetch }
}

/** Makes the organization a customer of the payment provider. It may have become one meanwhile. */
async function createCustomer(): Promise<void> {
  try {
    await request('POST', '/api/customers', { body: {}, key: crypto.randomUUID() })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'CUSTOMER_ALREADY_EXISTS')) throw error
  }
}

const AUTO_TOPUP_URL = '/api/customers/me/auto-topup'

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
  const { payments, data: read, error, refetch } = useCustomerGet<AutoTopupEntry>(AUTO_TOPUP_URL)
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
            ? 'Off. Set up automatic top-ups to charge the saved card when the balance runs low.'
            : 'The built-in payment provider charges nobody, so there are no automatic top-ups.'}
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
      return request('PATCH', AUTO_TOPUP_URL, { body })
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

interface PaymentMethod {
  id: string
  type: string
  card: { brand: string; last4: string; exp_month: number; exp_year: number } | null
  is_default: boolean
  created_at: string
}

const METHODS_URL = '/api/customers/me/payment-methods'

/** The saved payment methods. */
export function PaymentMethods() {
  const { payments, data: read, error, refetch } = useCustomerGet<{ payment_methods: PaymentMethod[] }>(METHODS_URL)
  const data = payments?.customer === false ? { payment_methods: [] } : read
  const [removing, setRemoving] = useState<PaymentMethod>()
  const add = useAction({
    run: async (_input, key) => {
      if (payments?.customer === false) await createCustomer()
      return request<{ checkout_url: string }>('POST', METHODS_URL, { body: {}, key })
    },
    changes: MONEY_URLS,
    onDone: ({ checkout_url }) => openCheckout(checkout_url),
  })
  return (
    <Section
      title="Payment methods"
      action={
        payments?.provider === 'stripe' && (
          <Button
            size="small"
            icon="plus"
            busy={add.isPending}
            onClick={() => add.mutate(undefined, { onError: failure => toast(failure.message, 'bad') })}
          >
            Add
          </Button>
        )
      }
    >
      {error && <ErrorPanel error={error} onRetry={refetch} />}
      {data === undefined && !error && <Skeleton lines={2} />}
      {data?.payment_methods.length === 0 && (
        <p className="muted">
          {payments?.provider === 'built_in'
            ? 'The built-in payment provider charges nobody, so it saves no payment methods.'
            : 'No saved card. Automatic top-ups and plans paid by card need one.'}
        </p>
      )}
      {data !== undefined && data.payment_methods.length > 0 && (
        <ul className="lines">
          {data.payment_methods.map(method => (
            <li key={method.id}>
              <span className="row">
                {describe(method)} {method.is_default && <Badge tone="accent">Used for top-ups</Badge>}
              </span>
              <Button kind="quiet" size="small" onClick={() => setRemoving(method)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {removing && <RemoveMethod method={removing} onClose={() => setRemoving(undefined)} />}
    </Section>
  )
}

function describe({ type, card, created_at }: PaymentMethod): string {
  if (card === null) return `${capitalize(type.replaceAll('_', ' '))}, saved on ${formatDate(created_at)}`
  return `${capitalize(card.brand)} •••• ${card.last4}, ${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`
}

function RemoveMethod({ method, onClose }: { method: PaymentMethod; onClose: () => void }) {
  const remove = useAction({
    run: () => request('DELETE', `${METHODS_URL}/${encodeURIComponent(method.id)}`),
    changes: MONEY_URLS,
    onDone() {
      toast('The payment method is removed.')
      onClose()
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title="Remove the payment method?"
      submit="Remove"
      danger
      action={remove}
      onSubmit={() => remove.mutate()}
    >
      <p>{describe(method)}</p>
      {method.is_default && <p>Automatic top-ups use this payment method. Removing it turns them off.</p>}
    </FormDialog>
  )
}
