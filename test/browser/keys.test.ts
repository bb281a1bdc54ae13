import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import t from 'tap'
import { browserFixture } from './gateway-fixture.ts'
import { chromiumPath } from './page-fixture.ts'

const skip = chromiumPath === undefined && 'no Chromium: install the package chromium'

t.test('a user creates a key on the page and connects a client with it', { skip }, async t => {
  const { test, open, directory, gateway, url, services } = await browserFixture(t)
  const [owner] = await directory.members('owner')
  let key = ''

  await test('the secret of a new key is shown once, and works in the official MCP client', async t => {
    const { page, signIn } = await open()
    await signIn(owner.userId)
    await page.goto(`${url}/keys`)
    await page.getByRole('button', { name: 'Create key' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Claude Code')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    const secret = page.getByText(/^cgw_dev_\w+$/)
    await secret.waitFor()
    key = (await secret.textContent()) ?? ''
    await page.getByText(`${gateway}/mcp`).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.reload()
    await page.getByText('Claude Code').first().waitFor()
    t.notMatch(await page.content(), key, 'the secret is gone')

    await page.goto(`${url}/calls`)
    await page.getByText('No calls yet').waitFor()
    const client = new Client({ name: 'browser-test', version: '1.0.0' })
    const headers = { 'x-api-key': key }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${gateway}/mcp`), { requestInit: { headers } }) as Transport,
    )
    const answer = await client.callTool({ name: 'memory__remember', arguments: { memory: 'The demo is on Friday' } })
    await client.close()
    t.match(JSON.stringify(answer), 'The demo is on Friday')
    const row = page.getByRole('row', { name: /memory__remember/ })
    await row.getByText('OK').waitFor()
    await page.goto(url)
    await page.getByRole('heading', { level: 1 }).waitFor()
    t.equal(await page.getByRole('status').filter({ hasText: 'Waiting for the first call' }).count(), 0)
  })

  await test('the key that a tool made is claimed on the page of its link, once', async t => {
    const { link } = await services.keyClaims.request(owner.caller, { create: { name: 'From a tool' } })
    const { page, signIn } = await open({ refusals: [400] })
    await signIn(owner.userId)
    await page.goto(link ?? '')
    await page.getByRole('button', { name: 'Show the key' }).click()
    await page.getByText(/^cgw_dev_\w+$/).waitFor()
    t.equal(page.url(), `${url}/keys/claim`, 'the token has left the address bar')
    await page.goto(link ?? '')
    await page.getByRole('button', { name: 'Show the key' }).click()
    await page.getByText(/already used|no such/i).waitFor()
  })
})
