import type { Page } from 'playwright-core'
import t from 'tap'
import { browserFixture } from './gateway-fixture.ts'
import { chromiumPath } from './page-fixture.ts'

const skip = chromiumPath === undefined && 'no Chromium: install the package chromium'

t.test('the tabs of a browser share one session', { skip }, async t => {
  const { test, open, directory, services, url } = await browserFixture(t)

  /** An admin of two organizations, who acts in the first one and sees its agents in two tabs. */
  async function twoTabs(refusals: readonly number[] = []) {
    const [first, second] = [await directory.org('Analytical Engines'), await directory.org('Difference Engines')]
    const { userId } = await first.member('admin')
    await services.members.add({ orgId: second.id, userId, role: 'admin', by: 'operator' })
    await services.activeOrganizations.choose({ userId, clientId: '' }, first.id)
    const { page, context, signIn } = await open({ refusals })
    await signIn(userId)
    const other = await context.newPage()
    for (const tab of [page, other]) {
      await tab.goto(`${url}/agents`)
      await tab.getByText('No agents yet').waitFor()
    }
    return { page, other, userId, first, signIn: () => signIn(userId) }
  }

  async function changeOrganization(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Analytical Engines' }).click()
    await page.getByRole('menuitemradio', { name: /Difference Engines/ }).click()
  }

  const signInPage = (page: Page) => page.getByRole('heading', { name: 'Sign in with a link' })

  async function sessionsIn(page: Page): Promise<number> {
    await page.goto(`${url}/sessions`)
    await page.getByText('This browser').waitFor()
    return page.locator('tbody tr').count()
  }

  await test('one that shows the former organization changes nothing in the new one, and loads itself again', async t => {
    const { page, other } = await twoTabs([409])
    await other.getByRole('button', { name: 'Create agent' }).click()
    const form = other.getByRole('dialog')
    await form.getByLabel('Name').fill('Robot')
    await changeOrganization(page)
    await page.getByRole('button', { name: 'Difference Engines' }).waitFor()

    const refused = other.waitForResponse(answer => answer.request().method() === 'POST')
    await form.getByRole('button', { name: 'Create agent' }).click()
    t.equal((await refused).status(), 409)
    await other.getByText('This page is up to date now').waitFor()
    await other.getByRole('button', { name: 'Difference Engines' }).waitFor()
    await other.getByText('No agents yet').waitFor()
    await other.getByRole('link', { name: 'API keys' }).click()
    await other.getByText('No keys yet').waitFor()
    t.equal(await sessionsIn(other), 1, 'it continues in the same session')
  })

  await test('one whose user was removed from the organization says so', async () => {
    const { page, userId, first } = await twoTabs([409])
    await services.members.remove({ orgId: first.id, userId, by: 'operator' })
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByText('You are no longer a member of the organization').waitFor()
    await page.getByRole('button', { name: 'Difference Engines' }).first().waitFor()
  })

  await test('a second sign-in ends the first session, and the other tab continues in the second', async t => {
    const { other, signIn } = await twoTabs()
    await signIn()
    await other.getByRole('link', { name: 'API keys' }).click()
    await other.getByText('No keys yet').waitFor()
    t.equal(await sessionsIn(other), 1)
  })

  await test('after a sign-out, the other tab shows nothing more', async () => {
    const { page, other } = await twoTabs([401])
    await page.locator('.account').click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await signInPage(page).waitFor()
    await other.getByRole('link', { name: 'API keys' }).click()
    await signInPage(other).waitFor()
  })

  await test('a form that is open when the session ends is kept until the user has signed in again', async t => {
    const { page, other, userId, signIn } = await twoTabs([401])
    await other.getByRole('button', { name: 'Create agent' }).click()
    const form = other.getByRole('dialog')
    await form.getByLabel('Name').fill('Robot')
    await services.dashboardSessions.endAll(userId)
    await form.getByRole('button', { name: 'Create agent' }).click()
    await form.getByText('Your session has ended').waitFor()
    t.equal(await form.getByRole('link', { name: 'Sign in in a new tab' }).getAttribute('href'), '/sign-in')

    await page.goto(`${url}/sign-in`)
    await signIn()
    await form.getByRole('button', { name: 'Create agent' }).click()
    await other.getByRole('heading', { name: 'Robot' }).waitFor()
  })

  await test('a user who was removed from their only organization learns it, and is asked to join another one', async t => {
    const org = await directory.org('Analytical Engines')
    const { userId } = await org.member('member')
    const { page, signIn } = await open({ refusals: [409] })
    await signIn(userId)
    await page.goto(`${url}/agents`)
    await page.getByText('No agents yet').waitFor()
    await services.members.remove({ orgId: org.id, userId, by: 'operator' })
    await page.getByRole('link', { name: 'API keys' }).click()
    const alone = page.getByRole('heading', { name: 'You do not belong to an organization yet' })
    await alone.waitFor()
    await page.getByText('You are no longer a member of the organization').waitFor()
    t.equal(await page.getByRole('link', { name: 'API keys' }).count(), 0)

    await page.getByRole('button', { name: 'Sign out' }).click()
    await signInPage(page).waitFor()
    const { link } = await services.signInLinks.create(userId)
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await alone.waitFor()
  })

  await test('a change of the organization after the session has ended leads to the sign-in', async () => {
    const { page, userId } = await twoTabs([401])
    await services.dashboardSessions.endAll(userId)
    await changeOrganization(page)
    await signInPage(page).waitFor()
  })
})
