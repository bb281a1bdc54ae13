import { useSearchParams } from 'wouter'
import { useSession } from '../../lib/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card, PageHead } from '../../ui/layout.tsx'
import { Empty, Notice } from '../../ui/states.tsx'
import { AutoTopup } from './auto-topup.tsx'
import { Balance } from './balance.tsx'
import './billing.css'
import { usePayments } from './checkout.ts'
import { Ledger } from './ledger.tsx'
import { PaymentMethods } from './payment-methods.tsx'
import { PlanCard } from './plan-card.tsx'

/** What the payment provider did, by the parameter with which it sends the browser back. */
const DONE: Readonly<Record<string, string>> = {
  topup: 'The top-up is paid. The balance changes when the payment provider has confirmed it, usually within a minute.',
  subscription: 'The plan is paid. It begins when the payment provider has confirmed it, usually within a minute.',
  payment_method: 'The payment method is saved. It appears here when the payment provider has confirmed it.',
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
        <PageHead title="Billing" />
        <Card>
          <Empty
            icon="wallet"
            title="Only owners and admins see the money"
            action={<ButtonLink href="/members">Who they are</ButtonLink>}
          >
            Ask one of them to top up, or to change the plan.
          </Empty>
        </Card>
      </>
    )
  return (
    <>
      <PageHead title="Billing">What tools with a price cost is taken from the balance of the organization.</PageHead>
      <div className="stack">
        {done !== undefined && outcome === 'done' && <Notice kind="good">{DONE[done]}</Notice>}
        {outcome === 'canceled' && <Notice kind="info">Canceled. Nothing was charged.</Notice>}
        <div className="billing-pair">
          <Balance />
          <PlanCard />
        </div>
        {payments?.provider === 'none' ? (
          <Notice kind="info">This gateway takes no payments. Ask its operator to add to the balance.</Notice>
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
