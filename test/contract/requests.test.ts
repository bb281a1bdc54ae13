import t from 'tap'
import { checkContracts, checkCoverage, describedConnectors } from '../connectors/contract.ts'
import { skipped } from '../connectors/vendor-documents.ts'

t.test("tools send requests that match their providers' own descriptions", { skip: skipped }, async t => {
  await checkContracts(t, describedConnectors(), { runs: 100 })
  checkCoverage(t)
})
