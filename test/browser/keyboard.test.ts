import type { Page } from 'playwright-core'
import t from 'tap'
import { full } from './answers.ts'
import { connectorAnswers } from './connector-answers.ts'
import { Answer, barriers, chromiumPath, openDashboard, picture } from './page-fixture.ts'

const skip = chromiumPath === undefined && 'no Chromium: install the package chromium'
const DESKTOP = { theme: 'light', width: 1280 } as const
/** More than any page has. */
const MAX_STOPS = 80

/** What has the focus, and whether the user sees that it has. */
function focused(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    const shown = [element, element.closest('.input') ?? element].some(
      each =>
        getComputedStyle(each).outlineStyle !== 'none' && Number.parseFloat(getComputedStyle(each).outlineWidth) > 0,
    )
    const { width, height } = element.getBoundingClientRect()
    const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? ''
    return {
      tag: element.tagName,
      name: name || element.outerHTML.slice(0, 200),
      visible: shown && width > 1 && height > 1,
    }
  })
}

/** Presses Tab until the page has no further stop. Returns the stops in order. */
async function stopsOf(page: Page) {
  const stops: Awaited<ReturnType<typeof focused>>[] = []
  while (stops.length < MAX_STOPS) {
    await page.keyboard.press('Tab')
    const stop = await focused(page)
    if (stop.tag === 'BODY') break
    stops.push(stop)
  }
  return stops
}

/** Forms that lack a required value: where, what opens it, its button, and the first field that is invalid. */
const REFUSED = [
  { path: '/keys', begin: 'Create key', submit: 'Create key', field: 'Name' },
  { path: '/agents', begin: 'Create agent', submit: 'Create agent', field: 'Name' },
  { path: '/members', begin: 'Invite', submit: 'Create link', field: 'Email' },
  { path: '/connect/resend', begin: undefined, submit: 'Connect', field: 'Key' },
  { path: '/connectors/org', begin: undefined, submit: 'Register the server', field: 'Name' },
  { path: '/connectors/jira', begin: 'Add your app', submit: 'Save', field: 'Client ID' },
] as const

t.test('with the keyboard only', { skip }, async t => {
  const { origin, open } = await openDashboard(t)
  const answers = { ...full, ...connectorAnswers }

  for (const path of [
    '/',
    '/connectors',
    '/connectors/github',
    '/connect/github',
    '/keys',
    '/members',
    '/billing',
    '/calls',
  ])
    await t.test(`${path} begins with a link to its content, and each stop shows that it has the focus`, async t => {
      const { page, context } = await open(answers, DESKTOP)
      await page.goto(origin + path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.waitForLoadState('networkidle')
      const stops = await stopsOf(page)
      t.equal(stops[0]?.name, 'Skip to the page')
      t.ok(stops.length > 8 && stops.length < MAX_STOPS, `${stops.length} stops`)
      t.same(
        stops.filter(({ visible }) => !visible).map(({ name }) => name),
        [],
        'no hidden focus',
      )
      await context.close()
    })

  await t.test('a dialog takes the focus, keeps it, and gives it back on Escape', async () => {
    const { page } = await open(answers, DESKTOP)
    await page.goto(`${origin}/keys`)
    const opener = page.getByRole('button', { name: 'Create key' })
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor()
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press('Tab')
      // A guard at either end of the dialog may have the focus for a moment, until it passes it on.
      await dialog.locator(':focus').waitFor({ timeout: 5_000 })
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await opener.and(page.locator(':focus')).waitFor()
  })

  await t.test('Escape asks before it throws away a secret that was not copied', async t => {
    const created = {
      ...(full['GET /api/api-keys'] as { api_keys: object[] }).api_keys[0],
      key: `cgw_live_${'s'.repeat(43)}`,
    }
    const { page, faults } = await open({ ...answers, 'POST /api/api-keys': new Answer(201, created) }, DESKTOP)
    const dialog = page.getByRole('dialog')
    async function create() {
      await page.getByRole('button', { name: 'Create key' }).click()
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Laptop')
      await page.keyboard.press('Enter')
      await dialog.getByText(created.key).waitFor()
    }
    await page.goto(`${origin}/keys`)
    await create()
    await page.keyboard.press('Escape')
    await dialog.getByText('You have not copied the secret.').waitFor()
    await picture(page, 'secret-asked')
    t.same(await barriers(page), [])
    await dialog.getByRole('button', { name: 'Keep it open' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    t.ok(await dialog.getByText(created.key).isVisible(), 'a second Escape does not throw it away either')
    await dialog.getByRole('button', { name: 'Keep it open' }).click()
    await dialog.getByRole('button', { name: 'Copy key' }).click()
    await dialog.getByRole('button', { name: 'Copied' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })

    await create()
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await dialog.getByRole('button', { name: 'Close without copying' }).click()
    await dialog.waitFor({ state: 'hidden' })
    t.same(faults, [])
  })

  for (const { path, begin, submit, field } of REFUSED)
    await t.test(`a refused form moves the focus to its first invalid field: ${path}`, async t => {
      const { page, context } = await open(answers, { theme: 'light', width: 375 })
      await page.goto(origin + path)
      if (begin !== undefined) await page.getByRole('button', { name: begin }).first().click()
      const button = page.getByRole('button', { name: submit, exact: true }).last()
      await button.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('textbox', { name: field }).and(page.locator(':focus')).waitFor()
      t.equal(await page.locator(':focus').getAttribute('aria-invalid'), 'true')
      await context.close()
    })

  await t.test('a menu opens a dialog, and both close with Escape', async () => {
    const { page } = await open(answers, DESKTOP)
    await page.goto(`${origin}/keys`)
    const menu = page.getByRole('button', { name: 'Actions for Claude Code on my laptop' })
    await menu.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Change name, cap or expiry' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await menu.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Change name, cap or expiry' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Name').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await menu.and(page.locator(':focus')).waitFor()
  })

  await t.test('a row with details opens with Enter', async () => {
    const { page } = await open(answers, DESKTOP)
    await page.goto(`${origin}/connectors/github`)
    await page.getByRole('button', { name: 'work work@example.com' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('What the account grants').waitFor()
  })
})
