import t from 'tap'
import { activityAnswers, manyCalls } from './activity-answers.ts'
import { agents, at, full, id, keys } from './answers.ts'
import { account, connectorAnswers } from './connector-answers.ts'
import { type Answers, chromiumPath, openDashboard } from './page-fixture.ts'
import { remote, wiki } from './remote-answers.ts'

const skip = chromiumPath === undefined && 'no Chromium: install the package chromium'
const ROWS = 200
const rows = <T>(row: (n: number) => T) => Array.from({ length: ROWS }, (_, n) => row(n + 1))
const name = (n: number) => `The_longest.name-that-somebody.would.give.to.number.${n}`

const github = {
  ...(connectorAnswers['GET /api/connectors/github'] as { accounts: unknown[] }),
  accounts: rows(n => account(n, name(n), { scope: n % 2 ? 'private' : 'shared' })),
}
const longTool = (n: number) => ({
  ...wiki.remote.tools[n % 4],
  original_name: name(n),
  name: `org__wiki__${n}`,
  title: name(n),
})
const LISTS: Record<string, Answers> = {
  '/connectors/org/wiki': { 'GET /api/connectors/org/wiki': remote('wiki', name(0), { tools: rows(longTool) }) },
  '/connectors/github': { 'GET /api/connectors/github': github },
  '/keys': { 'GET /api/api-keys': { api_keys: rows(n => ({ ...keys[0], id: id('key', n), name: name(n) })) } },
  '/agents': { 'GET /api/agents': { agents: rows(n => ({ ...agents[0], id: id('agt', n), name: name(n) })) } },
  '/members': {
    'GET /api/members': {
      members: rows(n => ({
        user_id: id('usr', n),
        email: `${name(n)}@example.com`,
        role: 'member',
        joined_at: at(-n),
      })),
    },
  },
  '/calls': { 'GET /api/connectors': { connectors: [github] }, 'GET /api/usage': manyCalls },
}

t.test('lists with 200 rows and long names fit into the page at each width', { skip }, async t => {
  const { origin, open } = await openDashboard(t)
  for (const [path, answers] of Object.entries(LISTS)) {
    const { page, context } = await open(
      { ...full, ...connectorAnswers, ...activityAnswers, ...answers },
      {
        theme: 'light',
        width: 1280,
      },
    )
    await page.goto(origin + path)
    const table = page.locator('table').first()
    await table
      .locator('tbody tr')
      .nth(ROWS - 1)
      .waitFor()
    for (const width of [1280, 1024, 900, 760, 640, 375]) {
      await page.setViewportSize({ width, height: 800 })
      const excess = await table.evaluate(each => each.scrollWidth - (each.parentElement?.clientWidth ?? 0))
      t.ok(excess <= 0, `${path} at ${width}: ${excess} px too wide`)
    }
    await context.close()
  }
})
