import t from 'tap'
import { checkContracts, describedConnectors } from './contract.ts'
import { uncheckable } from './prism.ts'

t.test(
  "a sample of each connector's tools sends requests that match the provider's own description",
  { skip: uncheckable },
  t => checkContracts(t, describedConnectors(), { runs: 2, sample: true }),
)
