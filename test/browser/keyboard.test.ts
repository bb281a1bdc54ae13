import type { Page } from 'playwright-core'
import t from 'tap'
import { full } from './answers.ts'
import { connectorAnswers } from './connector-answers.ts'
import { chromiumPath, openDashboard } from './page-fixture.ts'

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
    await page.getByText('What it grants').waitFor()
  })
})
