import t from 'tap'
import { full, id } from './answers.ts'
import { connectorAnswers } from './connector-answers.ts'
import { chromiumPath, openDashboard } from './page-fixture.ts'

const skip = chromiumPath === undefined && 'no Chromium: install the package chromium'
const DESKTOP = { theme: 'light', width: 1280 } as const

t.test('reconnecting an account', { skip }, async t => {
  const { origin, open } = await openDashboard(t)
  const provider = `${origin}/connectors`
  const answers = {
    ...full,
    ...connectorAnswers,
    'POST /api/connect/github': { location: provider, account: null },
  }

  const connectOf = ({ writes }: Awaited<ReturnType<typeof open>>) =>
    writes.find(({ request }) => request === 'POST /api/connect/github')?.body

  await t.test('asks for what tools need in addition to what was granted', async t => {
    const tab = await open(answers, DESKTOP)
    await tab.page.goto(`${origin}/connectors/github`)
    await tab.page.getByRole('link', { name: 'Reconnect' }).click()
    await tab.page.getByRole('button', { name: 'Continue to GitHub' }).click()
    await tab.page.waitForURL(provider)
    t.match(connectOf(tab), { account_id: id('acc', 1), optional_scopes: ['read:org', 'workflow'] })
    t.same(tab.faults, [])
  })

  await t.test('from the link of a tool error keeps what was granted', async t => {
    const tab = await open(answers, DESKTOP)
    // A required scope is asked for anyway. The gateway rejects it as an optional one.
    await tab.page.goto(`${origin}/accounts/${id('acc', 3)}/reauthorize?scope=repo`)
    await tab.page.getByRole('button', { name: 'Continue to GitHub' }).click()
    await tab.page.waitForURL(provider)
    t.match(connectOf(tab), { account_id: id('acc', 3), optional_scopes: ['read:org'] })
  })
})
