import t from 'tap'
import { browserFixture } from './gateway-fixture.ts'
import { chromiumPath } from './page-fixture.ts'

const skip = chromiumPath === undefined && 'no Chromium: install the package chromium'

t.test('users sign in with one-time links', { skip }, async t => {
  const { test, open, directory, services, url } = await browserFixture(t)
  const [owner] = await directory.members('owner')

  await test('a link signs its user in by a button, once; opening it uses nothing up', async t => {
    const { link } = await services.signInLinks.create(owner.userId)
    t.equal((await fetch(link)).status, 200, 'a prefetch')
    const scanner = await open({ refusals: [400] })
    await scanner.page.goto(link)
    await scanner.page.getByRole('button', { name: 'Sign in' }).waitFor()
    t.equal(scanner.page.url(), `${url}/sign-in`, 'the token has left the address bar')

    const { page, context } = await open()
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    t.equal(new URL(page.url()).pathname, '/')
    const [cookie] = await context.cookies(url)
    t.match(cookie, { name: 'gw', httpOnly: true, sameSite: 'Strict' })
    t.notMatch(await page.evaluate(() => document.cookie), 'gw')

    await scanner.page.getByRole('button', { name: 'Sign in' }).click()
    await scanner.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    t.match(await scanner.page.textContent('main'), 'was already used')
  })

  await test('an expired link says so, and names the command for another one', async t => {
    const { link } = await services.signInLinks.create(owner.userId)
    const row = services.database.db.updateTable('sign_in_links').set({ expires_at: new Date(0) })
    await row.where('used_at', 'is', null).execute()
    const { page } = await open({ refusals: [400] })
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('has expired').waitFor()
    t.match(await page.textContent('main'), `user sign-in-link --user ${owner.userId}`)
  })

  await test('two users in two browsers see their own pages, and a sign-out ends only one session', async t => {
    const [admin, member] = await directory.members('admin', 'member')
    // A request of the first one may be under way when its session ends.
    const [first, second] = [await open({ refusals: [401] }), await open()]
    await first.signIn(admin.userId)
    await second.signIn(member.userId)
    await first.page.getByRole('link', { name: 'Billing' }).waitFor()
    t.equal(await second.page.getByRole('link', { name: 'Billing' }).count(), 0, 'a member does not manage billing')
    const nameOf = (page: typeof first.page) => page.locator('.account-role').textContent()
    t.same([await nameOf(first.page), await nameOf(second.page)], ['admin', 'member'])

    await first.page.locator('.account').click()
    await first.page.getByRole('menuitem', { name: 'Sign out' }).click()
    await first.page.getByRole('heading', { name: 'Sign in with a link' }).waitFor()
    await second.page.goto(`${url}/sessions`)
    await second.page.getByText('This browser').waitFor()
  })

  await test('a member who is removed loses the organization in the open page', async () => {
    const { id: orgId, member } = await directory.org()
    const [, removed] = [await member('owner'), await member()]
    const { page, signIn } = await open({ refusals: [400, 403, 409] })
    await signIn(removed.userId)
    await services.members.remove({ orgId, userId: removed.userId, by: 'operator' })
    // The open page may leave by itself at the same time, which ends this navigation.
    await page.goto(`${url}/keys`).catch(() => {})
    await page
      .getByText(/do not belong to an organization|Sign in with a link/)
      .first()
      .waitFor()
  })
})
