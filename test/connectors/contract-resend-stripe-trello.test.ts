import t from 'tap'
import { resend } from '../../tools/connectors/resend/connector.ts'
import { stripe } from '../../tools/connectors/stripe/connector.ts'
import { trello } from '../../tools/connectors/trello/connector.ts'
import { checkContracts, RUNS } from './contract.ts'
import { skipped } from './vendor-documents.ts'

t.test(
  "tools of Resend, Stripe and Trello send requests that match their providers' own descriptions",
  { skip: skipped },
  t => checkContracts(t, [resend, stripe, trello], RUNS),
)
