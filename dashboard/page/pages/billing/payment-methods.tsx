import { useState } from 'react'
import { request } from '../../lib/api.ts'
import { capitalize, formatDate } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Section } from '../../ui/layout.tsx'
import { ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'
import { createCustomer, MONEY_URLS, openCheckout, useCustomerGet } from './checkout.ts'

interface PaymentMethod {
  id: string
  type: string
  card: { brand: string; last4: string; exp_month: number; exp_year: number } | null
  is_default: boolean
  created_at: string
}

const URL = '/api/customers/me/payment-methods'

/** The saved payment methods. */
export function PaymentMethods() {
  const { payments, data: read, error, refetch } = useCustomerGet<{ payment_methods: PaymentMethod[] }>(URL)
  const data = payments?.customer === false ? { payment_methods: [] } : read
  const [removing, setRemoving] = useState<PaymentMethod>()
  const add = useAction({
    run: async (_input, key) => {
      if (payments?.customer === false) await createCustomer()
      return request<{ checkout_url: string }>('POST', URL, { body: {}, key })
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
            : 'No saved card. Automatic top-ups and plans by card need one.'}
        </p>
      )}
      {data !== undefined && data.payment_methods.length > 0 && (
        <ul className="lines">
          {data.payment_methods.map(method => (
            <li key={method.id}>
              <span className="row">
                {describe(method)} {method.is_default && <Badge tone="accent">Charged by top-ups</Badge>}
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
    run: () => request('DELETE', `${URL}/${encodeURIComponent(method.id)}`),
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
      {method.is_default && <p>Automatic top-ups charge it. They end when you remove it.</p>}
    </FormDialog>
  )
}
