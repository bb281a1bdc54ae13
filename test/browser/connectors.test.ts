import t from 'tap'
import { full, id, session } from './answers.ts'
import { connectorAnswers } from './connector-answers.ts'
import { chooseOption, chromiumPath, openDashboard } from './page-fixture.ts'

const skip = chromiumPath === undefined && 'no Chromium: install the package chromium'
const DESKTOP = { theme: 'light', width: 1280 } as const

t.test('the catalog says what connecting takes', { skip }, async t => {
  const { origin, open } = await openDashboard(t)
  const asMember = { ...session, role: 'member', may: { ...session.may, manage_connectors: false } }

  await t.test('badges and a filter name the connectors that take a key, and those that need an OAuth app', async t => {
    const { page, faults } = await open({ ...full, ...connectorAnswers }, DESKTOP)
    await page.goto(`${origin}/connectors`)
    await page.getByRole('link', { name: /Resend.*API key/ }).waitFor()
    t.equal(await page.getByRole('link', { name: /Jira.*Needs an OAuth app/ }).count(), 1)
    t.match(await page.getByRole('link', { name: /Wiki/ }).textContent(), /Connected/, 'a server has no keys to check')
    await chooseOption(page.getByRole('combobox', { name: 'How to connect' }), 'Needs an OAuth app')
    await page.getByRole('link', { name: /Resend/ }).waitFor({ state: 'detached' })
    t.equal(new URL(page.url()).search, '?connect=app')
    t.equal(await page.getByRole('link', { name: /Jira/ }).count(), 1)
    t.same(faults, [])
  })

  await t.test(
    'an admin gets from the form to the steps, the pages of the provider, and the form of the app',
    async t => {
      const { page, faults } = await open({ ...full, ...connectorAnswers }, DESKTOP)
      await page.goto(`${origin}/connect/jira`)
      await page.getByRole('link', { name: 'Set up the OAuth app' }).click()
      const console = page.getByRole('link', { name: 'Open developer.atlassian.com' })
      t.equal(await console.getAttribute('href'), 'https://developer.atlassian.com/console/myapps/')
      t.equal(await page.getByRole('link', { name: 'documentation' }).count(), 1)
      await page.getByRole('button', { name: 'Add your app' }).click()
      await page.getByRole('textbox', { name: 'Client ID' }).waitFor()
      t.same(faults, [])
    },
  )

  await t.test('a member is told whom to ask', async t => {
    const { page } = await open({ ...full, ...connectorAnswers, 'GET /api/session': asMember }, DESKTOP)
    await page.goto(`${origin}/connect/jira`)
    await page.getByText('Ask an owner or admin to add an OAuth app').waitFor()
    t.equal(await page.getByRole('link', { name: 'Set up the OAuth app' }).count(), 0)
  })

  await t.test('a key is made at the page of the provider that the form links to', async t => {
    const { page } = await open({ ...full, ...connectorAnswers }, DESKTOP)
    await page.goto(`${origin}/connect/resend`)
    const link = page.getByRole('link', { name: 'resend.com/api-keys' })
    t.equal(await link.getAttribute('href'), 'https://resend.com/api-keys')
  })
})

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
