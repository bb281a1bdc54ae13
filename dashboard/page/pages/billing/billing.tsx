import { useSearchParams } from 'wouter'
import { PageHead } from '../../ui/layout.tsx'
import { Notice } from '../../ui/states.tsx'
import { AutoTopup } from './auto-topup.tsx'
import { Balance } from './balance.tsx'
import './billing.css'
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
  const [search] = useSearchParams()
  const [done, outcome] = [...search].find(([name]) => name in DONE) ?? []
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
        <div className="billing-pair">
          <AutoTopup />
          <PaymentMethods />
        </div>
        <Ledger />
      </div>
    </>
  )
}
