import t from 'tap'
import { runPayments } from '../../payments/payment-runs.ts'

t.test('whatever the order and repetition of events, the wallet ends at what Stripe says', async t => {
  await runPayments(t, { runs: 100 })
})
