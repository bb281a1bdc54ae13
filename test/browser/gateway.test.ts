import type { Page } from 'playwright-core'
import t from 'tap'
import { shop } from '../fixtures/journey-fixture.ts'
import { keyProvider } from '../fixtures/key-provider.ts'
import { keyConnector, newKey, registerApp } from '../fixtures/sample-connectors.ts'
import { browserFixture } from './gateway-fixture.ts'
import { chromiumPath, picture } from './page-fixture.ts'

const skip = chromiumPath === undefined && 'no Chromium: install the package chromium'

t.test('a member connects accounts at providers', { skip }, async t => {
  const [hub, provider] = [await shop(t), await keyProvider(t)]
  const { test, open, directory, url } = await browserFixture(t, async url => ({
    connectors: [hub.connector, keyConnector('vaulted', provider.origin, { probe: true })],
    settings: { oauthClients: new Map([['shop', await registerApp(hub.server.issuer, [`${url}/connect/callback`])]]) },
  }))
  const hosts = [new URL(hub.server.issuer).origin]

  /** A signed-in browser of a new organization's admin. */
  async function admin(refusals: readonly number[] = []): Promise<Page> {
    const [{ userId }] = await directory.members('admin')
    const { page, signIn } = await open({ hosts, refusals })
    await signIn(userId)
    return page
  }

  await test('and calls a tool with an account', async t => {
    const page = await admin()
    await page.getByRole('link', { name: 'Choose a connector' }).click()
    await page.getByRole('link', { name: /Shop/ }).click()
    await page.getByRole('link', { name: /^Connect Shop/ }).click()
    await page.getByLabel('Alias (optional)').fill('work')
    await page.getByRole('button', { name: /Continue to/ }).click()
    await signInAtProvider(page, 'ada@shop')
    await page.getByText('Connected as ada@shop.').waitFor()
    t.equal(new URL(page.url()).search, '', 'the code left the address bar')
    await picture(page, 'gateway-connected')
    await page.getByRole('link', { name: /^Try/ }).click()
    await page.getByRole('button', { name: 'Call the tool' }).click()
    await page.locator('.result').waitFor()
    await picture(page, 'gateway-result')
    t.match(await page.locator('.result').textContent(), /orders\.csv/)
    await page.getByRole('link', { name: 'Calls', exact: true }).click()
    await page.getByText('OK').first().waitFor({ timeout: 15_000 })
    await page.getByRole('link', { name: 'Start' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await picture(page, 'gateway-overview')
  })

  await test('and can try again after declining at the provider', async t => {
    const page = await admin([422])
    await page.goto(`${url}/connect/shop`)
    await page.getByRole('button', { name: /Continue to/ }).click()
    await page.locator('input[name=login]').waitFor()
    const state = new URL((await page.evaluate(() => document.referrer)) || url).searchParams.get('state')
    t.equal(state, null, 'the page sends no referrer')
    await page.goto(`${url}/connect/callback?error=access_denied&state=unknown`)
    await page.getByRole('heading', { name: 'Not connected' }).waitFor()
    await page.getByRole('link', { name: 'Try again' }).click()
    await page.getByRole('button', { name: /Continue to/ }).waitFor()
    t.equal(page.url(), `${url}/connect/shop`)
  })

  await test('and shares one after a wrong key, which stayed with the form', async t => {
    const page = await admin([422])
    const key = newKey()
    provider.people.set(key, { id: 7, login: 'ada' })
    await page.goto(`${url}/connect/vaulted`)
    await page.getByLabel('Key', { exact: true }).fill(newKey())
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await picture(page, 'gateway-wrong-key')
    await page.getByLabel('Key', { exact: true }).fill(key)
    await page.getByText('Everyone in the organization').click()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('Connected as ada.').waitFor()
    await page.getByRole('link', { name: 'Accounts and tools' }).click()
    await page.getByRole('button', { name: 'Actions for ada' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByLabel('Alias').fill('vault')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The account is renamed.').waitFor()
    await page.getByRole('button', { name: 'Actions for vault' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No account connected').waitFor()
    t.notMatch(await page.content(), key)
  })
})

/** Signs in at the provider's own pages, and agrees. */
async function signInAtProvider(page: Page, login: string): Promise<void> {
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.locator('button[type=submit]').click()
}
