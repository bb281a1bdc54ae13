import t from 'tap'
import { github } from '../../tools/connectors/github/connector.ts'
import { slack } from '../../tools/connectors/slack/connector.ts'
import { checkContracts, RUNS } from './contract.ts'
import { skipped } from './vendor-documents.ts'

t.test("tools of GitHub and Slack send requests that match their providers' own descriptions", { skip: skipped }, t =>
  checkContracts(t, [github, slack], RUNS),
)
