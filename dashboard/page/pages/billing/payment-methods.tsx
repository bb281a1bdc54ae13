import { useState } from 'react'
import { request } from '../../lib/api.ts'
import { formatDate } from '../../lib/format.ts'
import { useAction, useGet } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Section } from '../../ui/layout.tsx'
import { ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'
import { asCustomer, isNoCustomer, MONEY_URLS, openCheckout } from './checkout.ts'

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
  const { data, error, refetch } = useGet<{ payment_methods: PaymentMethod[] }>(URL)
  const none = isNoCustomer(error)
  const [removing, setRemoving] = useState<PaymentMethod>()
  const add = useAction({
    run: () => asCustomer(() => request<{ checkout_url: string }>('POST', URL, { body: {}, key: crypto.randomUUID() })),
    changes: [URL],
    onDone: ({ checkout_url }) => openCheckout(checkout_url),
  })
  return (
    <Section
      title="Payment methods"
      action={
        <Button
          size="small"
          icon="plus"
          busy={add.isPending}
          onClick={() => add.mutate(undefined, { onError: failure => toast(failure.message, 'bad') })}
        >
          Add
        </Button>
      }
    >
      {error && !none && <ErrorPanel error={error} onRetry={refetch} />}
      {data === undefined && !error && <Skeleton lines={2} />}
      {(none || data?.payment_methods.length === 0) && (
        <p className="muted">No saved card. Automatic top-ups and plans by card need one.</p>
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
  if (card === null) return `${type}, saved on ${formatDate(created_at)}`
  const brand = card.brand.slice(0, 1).toUpperCase() + card.brand.slice(1)
  return `${brand} •••• ${card.last4}, ${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`
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
      open
      onClose={onClose}
      title="Remove the payment method?"
      submit="Remove"
      danger
      busy={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate()}
    >
      <p>{describe(method)}</p>
      {method.is_default && <p>Automatic top-ups charge it. They end when you remove it.</p>}
    </FormDialog>
  )
}
