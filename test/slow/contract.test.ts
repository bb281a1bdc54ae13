import t from 'tap'
import { CONNECTORS } from '../../tools/connectors/catalog.ts'
import { checkContracts, checkCoverage } from '../connectors/contract.ts'
import { DESCRIPTIONS } from '../connectors/descriptions.ts'
import { skipped } from '../connectors/vendor-documents.ts'

t.test("tools make the requests of their providers' own descriptions, 100 of each", { skip: skipped }, async t => {
  const described = CONNECTORS.filter(({ id }) => DESCRIPTIONS[id] !== undefined)
  await checkContracts(t, described, 100)
  checkCoverage(t)
})
