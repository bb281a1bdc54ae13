import { useState } from 'react'
import type { StartedTopup } from '../../../../schemas/checkout.ts'
import type { BillingState } from '../../../../schemas/money.ts'
import { request } from '../../lib/api.ts'
import { formatMoney, parseMoney } from '../../lib/format.ts'
import { useAction, useGet } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Section } from '../../ui/layout.tsx'
import { ErrorPanel, Notice, Skeleton } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'
import { MONEY_URLS, openCheckout, usePayments } from './checkout.ts'

interface Wallet {
  standing: BillingState
  balance_micros: number
  held_micros: number
  available_micros: number
  threshold_micros: number
}

/** The balance, what is held of it, and the button that tops it up. */
export function Balance() {
  const { data: wallet, error, refetch } = useGet<Wallet>('/api/customers/me/wallet')
  const payments = usePayments()
  const [open, setOpen] = useState(false)
  return (
    <Section
      title="Balance"
      action={
        payments !== undefined &&
        payments.provider !== 'none' && (
          <Button kind="primary" size="small" icon="plus" onClick={() => setOpen(true)}>
            Top up
          </Button>
        )
      }
    >
      {error && <ErrorPanel error={error} onRetry={refetch} />}
      {wallet === undefined && !error && <Skeleton lines={2} />}
      {wallet && (
        <>
          <div>
            <div className="figure">{formatMoney(wallet.available_micros)}</div>
            <p className="muted small">
              {wallet.held_micros === 0
                ? 'All of it is available.'
                : `Available of ${formatMoney(wallet.balance_micros)}; running calls hold ${formatMoney(wallet.held_micros)}.`}
            </p>
          </div>
          {wallet.standing === 'billing_hold' && (
            <Notice kind="warn">
              The balance is below {formatMoney(wallet.threshold_micros)}: tools with a price do not run. Top up to
              continue.
            </Notice>
          )}
          {wallet.standing === 'suspended' && (
            <Notice kind="bad">
              The organization is suspended. Ask the operator of this gateway. A top-up does not end it.
            </Notice>
          )}
        </>
      )}
      {open && <TopUp onClose={() => setOpen(false)} />}
    </Section>
  )
}

const AMOUNTS = ['10', '25', '50', '100']

function TopUp({ onClose }: { onClose: () => void }) {
  const [amount, setAmount] = useState('25')
  const micros = parseMoney(amount)
  const wholeCents = micros !== undefined && micros > 0 && micros % 10_000 === 0
  const topUp = useAction({
    run: (body: object, key) => request<StartedTopup>('POST', '/api/checkout/topup', { body, key }),
    changes: MONEY_URLS,
    onDone(started) {
      if ('checkout_url' in started) return openCheckout(started.checkout_url)
      toast(`The balance is now ${formatMoney(started.balance_micros)}.`)
      onClose()
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title="Top up the balance"
      submit={wholeCents ? `Pay ${formatMoney(micros)}` : 'Pay'}
      action={topUp}
      leaving={topUp.isSuccess && 'checkout_url' in topUp.data}
      onSubmit={() => wholeCents && topUp.mutate({ amount_micros: micros, save_payment_method: true })}
    >
      <div className="amounts">
        {AMOUNTS.map(text => (
          <Button key={text} size="small" aria-pressed={text === amount} onClick={() => setAmount(text)}>
            ${text}
          </Button>
        ))}
      </div>
      <TextField
        label="Amount"
        before="$"
        inputMode="decimal"
        value={amount}
        onChange={setAmount}
        problem={wholeCents ? undefined : 'Enter an amount in whole cents, such as 25 or 12.50.'}
        hint="You pay on a page of the payment provider. It saves your card for automatic top-ups."
      />
    </FormDialog>
  )
}
