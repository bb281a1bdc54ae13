import t from 'tap'
import { checkContracts, checkCoverage, describedConnectors } from '../connectors/contract.ts'
import { uncheckable } from '../connectors/prism.ts'

t.test("tools send requests that match their providers' own descriptions", { skip: uncheckable }, async t => {
  await checkContracts(t, describedConnectors(), { runs: 100 })
  checkCoverage(t)
})
