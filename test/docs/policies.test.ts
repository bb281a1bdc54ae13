import { readFileSync } from 'node:fs'
import t from 'tap'
import { Policy } from '../../schemas/organizations/policy.ts'
import { argumentCheck } from '../../services/definitions/define-tool.ts'
import { build } from '../fixtures/build.ts'

const page = readFileSync(new URL('../../docs/policies.md', import.meta.url), 'utf8')
const { services, directory } = await build(t)

t.test('every policy of docs/policies.md is one that can be set', async t => {
  const { id: orgId } = await directory.org()
  const blocks = [...page.matchAll(/```json\n(.+?)\n```/gs)].map(([, json = '']) => JSON.parse(json))
  const rule = blocks.find(block => 'match' in block)
  const policies = [...blocks.filter(block => 'mode' in block), { mode: 'all', rules: [rule] }]
  t.ok(policies.length >= 6)
  const faultOf = argumentCheck(Policy)
  for (const policy of policies) {
    t.equal(faultOf(policy), undefined)
    t.ok(await services.checkPolicy(orgId, policy), JSON.stringify(policy))
  }
})
