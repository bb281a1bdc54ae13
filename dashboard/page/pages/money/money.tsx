import { useSearchParams } from 'wouter'
import { PageHead } from '../../ui/layout.tsx'
import { Notice } from '../../ui/states.tsx'
import { AutoTopup } from './auto-topup.tsx'
import { Balance } from './balance.tsx'
import { Ledger } from './ledger.tsx'
import './money.css'
import { PaymentMethods } from './payment-methods.tsx'
import { PlanCard } from './plan-card.tsx'

/** The page of the organization's money. */
export default function Money() {
  const [search] = useSearchParams()
  return (
    <>
      <PageHead title="Money">What tools with a price cost is taken from the balance of the organization.</PageHead>
      <div className="stack">
        {search.has('paid') && (
          <Notice kind="good">
            Thank you. The balance changes when the payment provider has confirmed the payment.
          </Notice>
        )}
        <div className="money-top">
          <Balance />
          <PlanCard />
        </div>
        <div className="money-top">
          <AutoTopup />
          <PaymentMethods />
        </div>
        <Ledger />
      </div>
    </>
  )
}
