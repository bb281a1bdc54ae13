import t from 'tap'
import { PAGES } from '../../dashboard/page/pages.ts'
import { browserFixture, menuOf } from './gateway-fixture.ts'
import { barriers, chromiumPath, picture, type View } from './page-fixture.ts'

const skip = chromiumPath === undefined && 'no Chromium: install the package chromium'
const VIEWS: Record<string, View> = {
  light: { theme: 'light', width: 1280 },
  dark: { theme: 'dark', width: 1280 },
  phone: { theme: 'light', width: 375 },
}
/** Pages without a link in the navigation and without parameters. A new gateway has no sign-in to finish. */
const OTHERS = PAGES.filter(
  ({ path, navigation }) => !navigation && !path.includes(':') && path !== '/connect/callback',
)

t.test('every page of the navigation works with a new gateway, for owners and members', { skip }, async t => {
  const { test, open, directory, url } = await browserFixture(t)
  const members = await directory.members('owner', 'member')
  await members[0].key()
  await members[0].agent()

  for (const [role, { userId }] of Object.entries({ owner: members[0], member: members[1] }))
    for (const [name, view] of Object.entries(VIEWS))
      await test(`${role}, ${name}: no barrier, no overflow, no error`, async t => {
        const { page, signIn } = await open({ view })
        await signIn(userId)
        if (view.width < 500) await menuOf(page).click()
        const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
        await links.first().waitFor()
        const paths = await links.evaluateAll(all => all.map(link => link.getAttribute('href') ?? ''))
        for (const path of new Set([...paths, ...OTHERS.map(({ path }) => path), '/nowhere'])) {
          await page.goto(url + path)
          await page.getByRole('heading', { level: 1 }).first().waitFor()
          await page.waitForLoadState('networkidle')
          await picture(page, `gateway-${role}${path.replaceAll('/', '-')}-${name}`)
          t.equal(await page.getByRole('alert').count(), 0, `${path} shows no error`)
          t.same(await barriers(page), [], `${path} has no serious barrier`)
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          t.ok(overflow <= 0, `${path} is not wider than the window`)
        }
      })
})
