import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { BillingState } from '../../../../schemas/billing/money.ts'
import type { ChangedPlan, PlanEntry } from '../../../../schemas/billing/plan.ts'
import type { StartedTopup } from '../../../../schemas/billing/topup.ts'
import type { Me } from '../../../../schemas/organizations/me.ts'
import { request } from '../../lib/api.ts'
import { formatDate, formatDateTime, formatMoney, parseMoney } from '../../lib/format.ts'
import type { Key } from '../../lib/keys.ts'
import { shortId } from '../../lib/people.ts'
import { useAction, useGet, usePages } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card, PageHead, Section } from '../../ui/layout.tsx'
import { SelectField } from '../../ui/select.tsx'
import { Empty, ErrorPanel, Notice, Skeleton } from '../../ui/states.tsx'
import { type Column, More, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.tsx'
import { AutoTopup, MONEY_URLS, openCheckout, PaymentMethods, usePayments } from './payments.tsx'
import './billing.css'

/** What the payment provider did, by the parameter with which it sends the browser back. */
const DONE: Readonly<Record<string, string>> = {
  topup:
    'The top-up is paid. The balance changes when the payment provider confirms the payment, usually within a minute.',
  subscription: 'The plan is paid. It starts when the payment provider confirms the payment, usually within a minute.',
  payment_method: 'The payment method is saved. It appears here when the payment provider confirms it.',
}

/** The page of the organization's money. */
export default function Billing() {
  const { may } = useSession()
  const [search] = useSearchParams()
  const payments = usePayments()
  const [done, outcome] = [...search].find(([name]) => name in DONE) ?? []
  if (!may.manage_money)
    return (
      <>
        <PageHead />
        <Card>
          <Empty
            icon="wallet"
            title="Only owners and admins can see billing"
            action={<ButtonLink href="/members">See who they are</ButtonLink>}
          >
            Ask one of them to top up, or to change the plan.
          </Empty>
        </Card>
      </>
    )
  return (
    <>
      <PageHead>Paid tools are charged to your organization’s balance.</PageHead>
      <div className="stack">
        {done !== undefined && outcome === 'done' && <Notice kind="good">{DONE[done]}</Notice>}
        {outcome === 'canceled' && <Notice kind="info">Canceled. Nothing was charged.</Notice>}
        <div className="billing-pair">
          <Balance />
          <PlanCard />
        </div>
        {payments?.provider === 'none' ? (
          <Notice kind="info">Payments are not set up on this gateway. Ask its operator to add credit.</Notice>
        ) : (
          <div className="billing-pair">
            <AutoTopup />
            <PaymentMethods />
          </div>
        )}
        <Ledger />
      </div>
    </>
  )
}

interface Wallet {
  standing: BillingState
  balance_micros: number
  held_micros: number
  available_micros: number
  threshold_micros: number
}

/** The balance, what is held of it, and the button that tops it up. */
function Balance() {
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
                ? 'The full balance is available.'
                : `Available from ${formatMoney(wallet.balance_micros)}. Running calls hold ${formatMoney(wallet.held_micros)}.`}
            </p>
          </div>
          {wallet.standing === 'billing_hold' && (
            <Notice kind="warn">
              The balance is below {formatMoney(wallet.threshold_micros)}, so paid tools do not run. Top up to continue.
            </Notice>
          )}
          {wallet.standing === 'suspended' && (
            <Notice kind="bad">
              The organization is suspended. Ask the operator of this gateway. A top-up does not lift the suspension.
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
        hint="You pay on the payment provider’s page. Your card is saved there for automatic top-ups."
      />
    </FormDialog>
  )
}

/** The plan of the organization, and the button that changes it. */
function PlanCard() {
  const me = useGet<Me>('/api/me')
  const plans = useGet<{ plans: PlanEntry[] }>('/api/plans')
  const [open, setOpen] = useState(false)
  const error = me.error ?? plans.error
  const own = me.data?.plan
  const plan = plans.data?.plans.find(({ id }) => id === own?.id)
  const other = plans.data?.plans.find(({ id }) => id !== own?.id)
  // A canceled plan can be continued; otherwise the button leads to the other plan.
  const next = own?.ends_at != null ? plan : other
  return (
    <Section
      title="Plan"
      action={
        next &&
        own && (
          <Button size="small" onClick={() => setOpen(true)}>
            {own.ends_at !== null
              ? `Continue ${next.name}`
              : next.price_micros > 0
                ? `Change to ${next.name}`
                : 'Cancel the plan'}
          </Button>
        )
      }
    >
      {error && <ErrorPanel error={error} onRetry={() => Promise.all([me.refetch(), plans.refetch()])} />}
      {(own === undefined || plan === undefined) && !error && <Skeleton lines={2} />}
      {own && plan && (
        <>
          <div>
            <div className="figure">
              {plan.name}{' '}
              <span className="figure-unit">
                {plan.price_micros === 0 ? 'no monthly fee' : `${formatMoney(plan.price_micros)} a month`}
              </span>
            </div>
            <p className="muted small">
              {own.ends_at !== null && `Ends on ${formatDate(own.ends_at)}. `}
              {own.ends_at === null && own.period_end !== null && `Renews on ${formatDate(own.period_end)}. `}
              {plan.features.join(' · ')}
            </p>
          </div>
          {own.past_due && (
            <Notice kind="warn">
              The last renewal was not paid. Top up, or pay by card, within three days to keep the plan.
            </Notice>
          )}
        </>
      )}
      {open && next && <ChangePlan plan={next} onClose={() => setOpen(false)} />}
    </Section>
  )
}

const PAY_FROM = [
  { value: 'card', label: 'A card' },
  { value: 'wallet', label: 'The balance' },
] as const

function ChangePlan({ plan, onClose }: { plan: PlanEntry; onClose: () => void }) {
  const [payFrom, setPayFrom] = useState<'card' | 'wallet'>('card')
  const paid = plan.price_micros > 0
  const change = useAction({
    run: (body: object, key) => request<ChangedPlan>('POST', '/api/checkout/subscribe', { body, key }),
    changes: MONEY_URLS,
    onDone(changed) {
      if ('checkout_url' in changed) return openCheckout(changed.checkout_url)
      toast(paid ? `The organization is now on ${plan.name}.` : 'The plan ends at the end of its billing month.')
      onClose()
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title={paid ? `Change to ${plan.name}` : 'Cancel the plan?'}
      submit={paid ? `Pay ${formatMoney(plan.price_micros)} a month` : 'Cancel the plan'}
      danger={!paid}
      action={change}
      onSubmit={() => change.mutate({ plan_id: plan.id, ...(paid && { pay_from: payFrom }) })}
    >
      {paid ? (
        <>
          <ul className="bullets">
            {plan.features.map(feature => (
              <li key={feature}>{feature}</li>
            ))}
          </ul>
          <SelectField label="Pay from" value={payFrom} onChange={setPayFrom} options={PAY_FROM} />
        </>
      ) : (
        <p>The plan continues until the end of its billing month. After that, the organization is on {plan.name}.</p>
      )}
    </FormDialog>
  )
}

interface Transaction {
  id: string
  kind: string
  amount_micros: number
  description: string
  api_key_id: string | null
  payment_id: string | null
  at: string
}

const KINDS: Readonly<Record<string, string>> = {
  credit: 'Credit',
  capture: 'Call',
  overage: 'Call, above the hold',
  reversal: 'Reversal',
  reinstatement: 'Reinstatement',
  grant: 'Included credits',
  grant_expiry: 'Unused credits expired',
  plan_fee: 'Plan',
  adjustment: 'Correction',
}

/** What changed the balance, newest first. */
function Ledger() {
  const { query, rows } = usePages<Transaction>('/api/customers/me/transactions', 'transactions')
  const keys = usePages<Key>('/api/api-keys', 'api_keys', { limit: 200 })
  const keyNames = new Map(keys.rows?.map(({ id, name }) => [id, name]))
  const columns: Column<Transaction>[] = [
    {
      title: 'What',
      kind: 'main',
      cell: ({ kind, description, payment_id }) => (
        <>
          {KINDS[kind] ?? kind}
          <span className="under">
            {description}
            {payment_id !== null && ` (${shortId(payment_id)})`}
          </span>
        </>
      ),
    },
    {
      title: 'Key',
      cell: ({ api_key_id: id }) => id !== null && (keyNames.get(id) ?? <span className="mono">{shortId(id)}</span>),
    },
    { title: 'Time', cell: ({ at }) => <span className="number">{formatDateTime(at)}</span> },
    {
      title: 'Amount',
      kind: 'number',
      cell: ({ amount_micros: amount }) => (
        <span className={amount > 0 ? 'positive' : undefined}>
          {amount > 0 && '+'}
          {formatMoney(amount)}
        </span>
      ),
    },
  ]
  return (
    <section className="stack">
      <h2 className="section-title">Ledger</h2>
      <Card>
        {query.error && <ErrorPanel error={query.error} onRetry={query.refetch} />}
        {rows === undefined && !query.error && <Skeleton lines={6} />}
        {rows?.length === 0 && (
          <Empty icon="receipt" title="Nothing yet">
            Payments and charges for calls are listed here.
          </Empty>
        )}
        {rows !== undefined && rows.length > 0 && (
          <Table label="Ledger" columns={columns} rows={rows} rowKey={({ id }) => id} />
        )}
        <More shown={rows?.length ?? 0} query={query} />
      </Card>
    </section>
  )
}
