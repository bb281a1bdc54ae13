import type { JsonSchemaType } from '@modelcontextprotocol/sdk/validation'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import t from 'tap'
import { USAGE_COMMANDS } from '../../cli/commands/money.ts'
import type { OperatorServices } from '../../cli/commands/operator-services.ts'
import { printAnswer } from '../../cli/commands/serialize.ts'
import { callerOfKey } from '../../services/identity/caller.ts'
import type { UsageSummary } from '../../services/usage/usage-summary.ts'
import { usageSummary } from '../../tools/manage/spending.ts'
import { keyHolder, QUIET_CLIENT, session } from '../fixtures/fixture.ts'

const summary: UsageSummary = {
  from: '2026-11-01',
  to: '2026-11-02',
  by: 'key',
  groups: [
    { name: 'key_1', label: 'CI', calls: 3, errors: 1, durationMs: 62, costMicros: 1_250_000 },
    { name: null, label: null, calls: 1, errors: 0, durationMs: 10, costMicros: 0 },
  ],
  other: null,
  total: { calls: 4, errors: 1, durationMs: 72, costMicros: 1_250_000 },
}
const onWire = {
  from: '2026-11-01',
  to: '2026-11-02',
  by: 'key',
  total: { calls: 4, errors: 1, average_ms: 18, cost_micros: 1_250_000, cost: '$1.25' },
  groups: [
    { name: 'key_1', label: 'CI', calls: 3, errors: 1, average_ms: 21, cost_micros: 1_250_000, cost: '$1.25' },
    { name: null, label: null, calls: 1, errors: 0, average_ms: 10, cost_micros: 0, cost: '$0.00' },
  ],
  other: null,
}
const nothing = { calls: 0, errors: 0, durationMs: 0, costMicros: 0 }

/** The tool and the command on this summary, and what they have asked for. */
function fixture(answer = summary) {
  const asked: unknown[] = []
  const caller = callerOfKey(keyHolder({ role: 'member' }))
  const tool = usageSummary({
    async summarizeFor(by, question) {
      asked.push([by, question])
      return answer
    },
  })
  const usageSummaries: OperatorServices['usageSummaries'] = {
    async summarize(question) {
      asked.push(question)
      return answer
    },
  }
  return {
    asked,
    caller,
    tool,
    call: (args: object) =>
      tool.run(args, {
        caller,
        identity: session({ userId: caller.userId }),
        origin: 'http://localhost',
        client: QUIET_CLIENT,
        account: undefined,
        idempotencyDigest: undefined,
        reportCost() {},
        signal: new AbortController().signal,
      }),
    run: async (line: string) => USAGE_COMMANDS[0]?.run({ usageSummaries } as OperatorServices, line.split(' ')) ?? {},
  }
}

t.test('manage__usage_summary also shows the cost in dollars, only to the caller', async t => {
  const { asked, caller, tool, call } = fixture()
  t.match(tool, { gate: 'session', readOnly: true, organization: 'required' })
  const { structuredContent } = await call({ period: 'today', by: 'key', member: caller.userId })
  t.same(structuredContent, onWire)
  await call({ from: '2026-11-01', to: '2026-11-02' })
  t.match(asked, [
    [caller, { period: 'today', by: 'key', member: caller.userId }],
    [caller, { from: '2026-11-01', to: '2026-11-02', by: 'tool' }],
  ])

  const valid = new AjvJsonSchemaValidator().getValidator(tool.entry.outputSchema as JsonSchemaType)
  t.match(valid(structuredContent), { valid: true })
  const many = await fixture({ ...summary, total: nothing, groups: [], other: { groups: 3, ...nothing } }).call({})
  t.match(many.structuredContent, { total: { average_ms: 0, cost: '$0.00' }, other: { groups: 3, calls: 0 } })
  t.match(valid(many.structuredContent), { valid: true })

  for (const args of [{ period: 'ever' }, { by: 'color' }, { from: 20261101 }, { org_id: 'org_1' }])
    t.type(tool.refuse(args), 'string', JSON.stringify(args))
  t.match(tool.refuse({ period: 'yester' }), /^`period` must be "today", "yesterday".*did you mean "yesterday"/)
})

t.test('the command prints the same summary for any organization, as lines and one table', async t => {
  const { asked, run } = fixture()
  const { total, groups, other: _none, ...days } = onWire
  t.same(await run('--org org_1 --from 2026-11-01 --to 2026-11-02 --by key'), { ...days, ...total, groups })
  await run('--org org_2')
  t.match(asked, [
    { orgId: 'org_1', from: '2026-11-01', to: '2026-11-02', by: 'key' },
    { orgId: 'org_2', from: undefined, to: undefined, by: 'tool' },
  ])
  const more = { calls: 2, errors: 0, durationMs: 4, costMicros: 5 }
  const printed = printAnswer(await fixture({ ...summary, other: { groups: 3, ...more } }).run('--org org_1'))
  t.notMatch(printed, /object Object/)
  t.match(printed, /^cost: \$1\.25$/m)
  t.match(printed, /^key_1 +CI .*\n- .*\nother \(3\) +- +2 +0 +2 +5 +\$0\.000005$/m)
  await t.rejects(run('--org org_1 --from 2026-11-31'), { message: '--from is 2026-11-31, which does not exist.' })
  await t.rejects(run('--org org_1 --to today'), { message: '--to must be a day in UTC, such as 2026-11-21.' })
  await t.rejects(run('--org org_1 --by color'), { message: /^--by must be one of day, tool, connector, member/ })
})
