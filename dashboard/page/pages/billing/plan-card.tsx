import { useState } from 'react'
import type { ChangedPlan } from '../../../../schemas/checkout.ts'
import type { Me } from '../../../../schemas/me.ts'
import type { PlanEntry } from '../../../../schemas/plan.ts'
import { request } from '../../lib/api.ts'
import { formatDate, formatMoney } from '../../lib/format.ts'
import { useAction, useGet } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Section } from '../../ui/layout.tsx'
import { SelectField } from '../../ui/select.tsx'
import { ErrorPanel, Notice, Skeleton } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'
import { MONEY_URLS, openCheckout } from './checkout.ts'

/** The plan of the organization, and the button that changes it. */
export function PlanCard() {
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
                {plan.price_micros === 0 ? 'no monthly price' : `${formatMoney(plan.price_micros)} a month`}
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
      toast(paid ? `The organization is on ${plan.name}.` : 'The plan ends with its month.')
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
        <p>The plan continues until the end of its month. Afterwards the organization is on {plan.name}.</p>
      )}
    </FormDialog>
  )
}
