import t from 'tap'
import { agents, full, id, keys, session } from './answers.ts'
import { connectorAnswers } from './connector-answers.ts'
import { Answer, barriers, chromiumPath, openDashboard, picture, type View } from './page-fixture.ts'

const desktop: View = { theme: 'light', width: 1280 }
const phone: View = { theme: 'dark', width: 375 }
const skip = chromiumPath === undefined && 'no Chromium'

t.test('what the user does reaches the gateway', { skip }, async t => {
  const dashboard = await openDashboard(t)

  await t.test('a new key is created once, and its secret shown once', async t => {
    const created = {
      ...(full['GET /api/api-keys'] as { api_keys: object[] }).api_keys[0],
      key: `cgw_live_${'s'.repeat(43)}`,
    }
    const answers = { ...full, 'POST /api/api-keys': new Answer(201, created) }
    const { page, faults, writes } = await dashboard.open(answers, desktop)
    await page.goto(`${dashboard.origin}/keys`)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Claude Code')
    await page.getByLabel('Spend at most per month').fill('12.5')
    await page.getByRole('combobox', { name: 'Expires' }).click()
    await picture(page, 'flow-create-key')
    t.same(await barriers(page), [], 'with the dialog and the select open')
    await page.getByRole('option', { name: 'Never' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    await page.getByText(created.key).waitFor()
    await picture(page, 'flow-secret')
    await page.getByRole('button', { name: 'Copy key' }).click()
    t.equal(await page.evaluate(() => navigator.clipboard.readText()), created.key)
    t.match(writes, [{ request: 'POST /api/api-keys', body: { name: 'Claude Code', monthly_cap_micros: 12_500_000 } }])
    t.match(writes[0]?.headers, { 'idempotency-key': /^[\da-f-]{36}$/, 'x-dashboard-token': 'browser-test' })
    await page.getByRole('button', { name: 'Done' }).click()
    t.notOk(await page.getByText(created.key).isVisible(), 'the secret is gone')
    t.same(faults, [])
  })

  await t.test('an error stays in the dialog, as the gateway worded it', async t => {
    const refusal = new Answer(409, { message: 'The key was revoked. Create another one.', code: 'conflict' })
    const answers = { ...full, [`POST /api/api-keys/${id('key', 1)}/rotate`]: refusal }
    const { page, faults } = await dashboard.open(answers, desktop)
    await page.goto(`${dashboard.origin}/keys`)
    await page.getByRole('button', { name: 'Actions for Claude Code on my laptop' }).click()
    await picture(page, 'flow-menu')
    await page.getByRole('menuitem', { name: 'Rotate' }).click()
    await page.getByRole('button', { name: 'Rotate key' }).click()
    await page.getByRole('dialog').getByText('The key was revoked. Create another one.').waitFor()
    await picture(page, 'flow-error')
    t.same(faults, [])
  })

  await t.test('a pasted key that nobody checked is never shown in green', async t => {
    const account = {
      id: id('acc', 5),
      connector: 'vaulted',
      alias: 'Vaulted',
      identity: 'key …q3Xa (fp 0af7040c)',
      scope: 'private',
      status: 'connected',
      key_verified: false,
      granted_scopes: null,
      missing_scopes: [],
    }
    const answers = { ...full, ...connectorAnswers, 'POST /api/connect/vaulted': { location: null, account } }
    const { page, faults } = await dashboard.open(answers, desktop)
    await page.goto(`${dashboard.origin}/connect/vaulted`)
    await page.getByText('Vaulted cannot check a key before it is stored').waitFor()
    await page.getByLabel('Key', { exact: true }).fill('not a key at all')
    await picture(page, 'flow-key')
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('Stored, not checked.').waitFor()
    await picture(page, 'flow-key-unchecked')
    t.equal(await page.locator('.notice-good').count(), 0)
    await page.getByRole('link', { name: 'Accounts and tools' }).click()
    await page.getByText('Stored, not checked').waitFor()
    await picture(page, 'flow-key-account')
    t.equal(await page.locator('.badge-good').count(), 0)
    t.same(await barriers(page), [])
    t.same(faults, [])
  })

  await t.test('the dialog that removes a member says what is removed with them', async t => {
    const { page, faults } = await dashboard.open(full, desktop)
    await page.goto(`${dashboard.origin}/members`)
    await page.getByRole('button', { name: 'Remove' }).first().click()
    await page
      .getByText(/Their keys are revoked, and their private accounts are removed\. Shared accounts stay/)
      .waitFor()
    t.same(faults, [])
  })

  await t.test('a one-time link signs in by its button only, and its token leaves the address bar', async t => {
    const answers = { ...full, 'POST /auth/link': { token: 'fresh', return_path: '/keys' } }
    const { page, writes } = await dashboard.open(answers, desktop, { signedIn: false })
    await page.goto(`${dashboard.origin}/sign-in#one-time`)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    t.equal(page.url(), `${dashboard.origin}/sign-in`)
    t.same(writes, [])
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    t.match(writes, [{ request: 'POST /auth/link', body: { token: 'one-time' } }])
    t.equal(await page.evaluate(() => localStorage.getItem('dashboard-token')), 'fresh')
  })

  await t.test('an ended session leads to the sign-in page, which keeps the path and the token of a link', async t => {
    let signedIn = false
    const answers = {
      ...full,
      'GET /api/session': () =>
        signedIn ? full['GET /api/session'] : new Answer(401, { message: 'Sign in.', code: 'x' }),
    }
    const { page } = await dashboard.open(answers, desktop)
    await page.goto(`${dashboard.origin}/keys/claim#${'c'.repeat(43)}`)
    await page.getByRole('button', { name: 'Continue to sign in' }).waitFor()
    t.equal(new URL(page.url()).search, '?return=%2Fkeys%2Fclaim')
    signedIn = true
    await page.goto(`${dashboard.origin}/keys/claim`)
    await page.getByRole('button', { name: 'Show the key' }).waitFor()
  })

  await t.test('on a phone the navigation is in a drawer', async t => {
    const { page, faults } = await dashboard.open(full, phone)
    await page.goto(`${dashboard.origin}/agents`)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Billing' }).waitFor()
    await page.waitForTimeout(300)
    await picture(page, 'flow-drawer')
    t.same(await barriers(page), [])
    await page.getByRole('link', { name: 'Billing' }).click()
    await page.getByRole('heading', { name: 'Ledger' }).waitFor()
    t.same(faults, [])
  })

  await t.test('a top-up goes to the page of the payment provider', async t => {
    const answers = { ...full, 'POST /api/checkout/topup': { checkout_url: `${dashboard.origin}/keys` } }
    const { page, writes } = await dashboard.open(answers, phone)
    await page.goto(`${dashboard.origin}/billing`)
    await page.getByRole('button', { name: 'Top up', exact: true }).click()
    await page.getByRole('button', { name: '$50' }).click()
    await picture(page, 'flow-top-up')
    await page.getByRole('button', { name: 'Pay $50.00' }).click()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    t.match(writes, [{ body: { amount_micros: 50_000_000 } }])
  })

  await t.test('another organization shows nothing of the one before', async t => {
    let chosen = session.organization
    const own = {
      'GET /api/api-keys': () => ({ api_keys: chosen.id === session.organization.id ? keys : [], next_cursor: null }),
    }
    const answers = {
      ...full,
      ...connectorAnswers,
      ...own,
      'GET /api/session': () => ({ ...session, organization: chosen }),
      'PATCH /api/me': () => {
        chosen = { id: id('org', 2), name: 'Menabrea & Sons' }
        return {}
      },
    }
    const { page, faults, writes } = await dashboard.open(answers, desktop)
    await page.goto(`${dashboard.origin}/keys`)
    await page.getByText('Claude Code on my laptop').waitFor()
    await page.getByRole('button', { name: 'Analytical Engines' }).click()
    await picture(page, 'flow-organizations')
    await page.getByRole('menuitemradio', { name: /Menabrea/ }).click()
    await page.getByRole('button', { name: 'Menabrea & Sons' }).waitFor()
    t.match(writes, [{ request: 'PATCH /api/me', body: { active_organization_id: id('org', 2) } }])
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByText('No keys yet').waitFor()
    t.notOk(await page.getByText('Claude Code on my laptop').isVisible())
    t.same(faults, [])
  })

  await t.test('the theme is kept, and a sign-out forgets the session', async t => {
    const answers = { ...full, ...connectorAnswers, 'POST /api/sign-out': { location: null } }
    const { page, faults, writes } = await dashboard.open(answers, { ...desktop, theme: 'dark' })
    await page.goto(`${dashboard.origin}/agents`)
    await page.getByRole('button', { name: 'ada@example.com' }).click()
    await picture(page, 'flow-account-menu')
    t.same(await barriers(page), [], 'with the menu open')
    await page.getByRole('menuitemradio', { name: 'Light' }).click()
    await page.reload()
    await page.getByRole('heading', { name: 'Agents' }).waitFor()
    t.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'light')
    await page.getByRole('button', { name: 'ada@example.com' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(`${dashboard.origin}/sign-in`)
    t.match(writes, [{ request: 'POST /api/sign-out', body: { everywhere: false } }])
    t.same(faults, [])
  })

  await t.test('everything of a form can be done with the keyboard', async t => {
    const created = { ...agents[0], id: id('agt', 1) }
    const answers = { ...full, ...connectorAnswers, 'POST /api/agents': new Answer(201, created) }
    const { page, writes } = await dashboard.open(answers, desktop)
    await page.goto(`${dashboard.origin}/agents`)
    await page.getByRole('button', { name: 'Create agent' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    t.equal(await page.evaluate(() => document.activeElement?.tagName), 'INPUT', 'the first field has the focus')
    await page.keyboard.type('Robot')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Nightly report' }).waitFor()
    t.match(writes, [{ request: 'POST /api/agents', body: { name: 'Robot' } }])
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  await t.test('200 rows and long names fit', async t => {
    const many = Array.from({ length: 200 }, (_, n) => ({
      ...agents[0],
      id: id('agt', n + 1),
      name: `Agent ${n} ${'with-a-name-that-has-no-space-'.repeat(3)}`.slice(0, 100),
    }))
    for (const view of [desktop, phone]) {
      const answers = { ...full, ...connectorAnswers, 'GET /api/agents': { agents: many, next_cursor: null } }
      const { page } = await dashboard.open(answers, view)
      await page.goto(`${dashboard.origin}/agents`)
      await page.getByText('Agent 199').waitFor()
      t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${view.width} px`)
      await picture(page, `flow-many-${view.width}`)
      await page.context().close()
    }
  })
})
