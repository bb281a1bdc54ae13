import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { issuerSettings, newDirectory } from '../dashboard/issuer-fixture.ts'
import { freePort } from '../fixtures/free-port.ts'
import { memoryProvider } from '../fixtures/memory-provider.ts'
import { until } from '../fixtures/until.ts'
import { browserFixture } from './gateway-fixture.ts'
import { barriers, chromiumPath, picture } from './page-fixture.ts'

const skip = chromiumPath === undefined && 'no Chromium: install the package chromium'
const MCP_REMOTE = join(import.meta.dirname, '../clients/node_modules/mcp-remote/dist/proxy.js')
const noRemote = !existsSync(MCP_REMOTE) && 'no mcp-remote: run npm ci --prefix test/clients --ignore-scripts'

/** Where a client on this machine waits for the browser, as real ones do. */
async function loopback(t: Test) {
  const arrived = Promise.withResolvers<URL>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', origin)
    if (url.pathname === '/callback') arrived.resolve(url)
    response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><link rel="icon" href="data:,">Return to the client.')
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, arrived: arrived.promise }
}

/** The OAuth provider of an SDK client whose user opens the URL in this browser. */
function providerOf(origin: string, visit: (url: URL) => void): OAuthClientProvider {
  const redirectUrl = `${origin}/callback`
  const { authProvider } = memoryProvider('nobody')
  return {
    ...authProvider,
    redirectUrl,
    clientMetadata: { ...authProvider.clientMetadata, client_name: 'Ada’s editor', redirect_uris: [redirectUrl] },
    redirectToAuthorization: visit,
  }
}

/** The gateway, whose clock follows the real time of the local issuer's tokens, and the browser. */
async function issuerInBrowser(t: Test) {
  let follow = () => {}
  const fixture = await browserFixture(t, async url => ({
    settings: issuerSettings(url, newDirectory(t), { publicOrigins: port => [`http://127.0.0.1:${port}`] }),
    instrument(app) {
      app.addHook('onRequest', function followTime(_request, _reply, done) {
        follow()
        done()
      })
    },
  }))
  follow = () => fixture.clock.advance(Math.max(0, Date.now() - fixture.clock.now()))
  return fixture
}

const consent = (page: Page, name: string) => page.getByRole('heading', { name: `Allow ${name} to call tools?` })
const allow = (page: Page) => page.getByRole('button', { name: 'Allow' }).click()
const deny = (page: Page) => page.getByRole('button', { name: 'Deny' }).click()

t.test('MCP clients sign in with the browser in development', { skip }, async t => {
  const { test, open, directory, services, url, gateway } = await issuerInBrowser(t)
  const org = await directory.org('Analytical Engines')
  const ada = await org.member('member')
  const mcp = new URL(`${gateway}/mcp`)

  await test('an SDK client: a link in another tab continues there, and the call is in the list', async t => {
    const { origin, arrived } = await loopback(t)
    const { page, context } = await open({ hosts: [origin] })
    const visited = Promise.withResolvers<URL>()
    const authProvider = providerOf(origin, visited.resolve)
    const connect = (client: Client) => {
      const transport = new StreamableHTTPClientTransport(mcp, { authProvider })
      return { transport, connected: client.connect(transport) }
    }
    const first = connect(new Client({ name: 'Ada’s editor', version: '1' }))
    await t.rejects(first.connected, { message: 'Unauthorized' })

    await page.goto((await visited.promise).href)
    await page.getByRole('heading', { name: 'Sign in with a link' }).waitFor()
    const tab = await context.newPage()
    await tab.goto((await services.signInLinks.create(ada.userId)).link)
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await consent(tab, 'Ada’s editor').waitFor()
    await consent(page, 'Ada’s editor').waitFor()
    t.match(await page.textContent('main'), /as .+ in Analytical Engines/)
    t.match(await page.textContent('main'), 'This computer (127.0.0.1)')
    t.same(await barriers(page), [])
    await picture(page, 'gateway-allow-client')
    await allow(tab)

    await first.transport.finishAuth((await arrived).searchParams)
    const client = new Client({ name: 'Ada’s editor', version: '1' })
    t.teardown(() => client.close())
    await connect(client).connected
    const result = await client.callTool({ name: 'memory__remember', arguments: { memory: 'The demo is on Friday.' } })
    t.match(result, { structuredContent: { memory: 'The demo is on Friday.' } })
    await services.usage.flush()
    await page.goto(`${url}/calls`)
    await page.getByText('memory__remember').waitFor()
    await page.getByText('Ada’s editor').waitFor()
  })

  await test('an SDK client: a denial is an error with its reason', async t => {
    const { origin, arrived } = await loopback(t)
    const { page, signIn } = await open({ hosts: [origin] })
    await signIn(ada.userId)
    const visited = Promise.withResolvers<URL>()
    const transport = new StreamableHTTPClientTransport(mcp, { authProvider: providerOf(origin, visited.resolve) })
    const client = new Client({ name: 'editor', version: '1' })
    await t.rejects(client.connect(transport), { message: 'Unauthorized' })
    await page.goto((await visited.promise).href)
    await consent(page, 'Ada’s editor').waitFor()
    await deny(page)
    const answer = (await arrived).searchParams
    t.match(Object.fromEntries(answer), { error: 'access_denied', error_description: 'The user denied the request.' })
    await t.rejects(transport.finishAuth(answer), { message: /denied/ })
  })

  /** Starts mcp-remote as a desktop client does. `asked` is the URL that it wants the user to open. */
  async function remote(t: Test) {
    const port = await freePort()
    const home = t.testdir()
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MCP_REMOTE, mcp.href, String(port)],
      // It opens no browser of its own.
      env: { PATH: '/nowhere', BROWSER: 'true', HOME: home, MCP_REMOTE_CONFIG_DIR: home },
      stderr: 'pipe',
    })
    const client = new ClientV1({ name: 'desktop', version: '1' })
    const asked = Promise.withResolvers<string>()
    let output = ''
    transport.stderr?.on('data', chunk => {
      output += chunk
      const found = /http\S+\/oauth\/auth\?\S+/.exec(output)?.[0]
      if (found !== undefined) asked.resolve(found)
    })
    t.teardown(() => client.close())
    const connected = client.connect(transport as never, { timeout: 60_000 })
    return { client, connected, asked: asked.promise, output: () => output, origin: `http://localhost:${port}` }
  }

  await test(
    'mcp-remote: the user allows it, and it calls a tool',
    async t => {
      const { client, connected, asked, origin } = await remote(t)
      const { page, signIn } = await open({ hosts: [origin, origin.replace('localhost', '127.0.0.1')] })
      await signIn(ada.userId)
      await page.goto(await asked)
      await page.getByRole('heading', { name: /^Allow .* to call tools\?$/ }).waitFor()
      await picture(page, 'gateway-allow-mcp-remote')
      await allow(page)
      await connected
      const { content } = await client.callTool({
        name: 'memory__remember',
        arguments: { memory: 'mcp-remote was here.' },
      })
      t.match(content, [{ type: 'text', text: /^Remembered as mem_/ }])
      await services.usage.flush()
      await page.goto(`${url}/calls`)
      await page.getByText('memory__remember').nth(1).waitFor()
    },
    { skip: noRemote },
  )

  await test(
    'mcp-remote: a denial ends it with the reason',
    async t => {
      const { connected, asked, origin, output } = await remote(t)
      const { page, signIn } = await open({ hosts: [origin, origin.replace('localhost', '127.0.0.1')] })
      await signIn(ada.userId)
      connected.catch(() => {})
      await page.goto(await asked)
      await page.getByRole('heading', { name: /^Allow .* to call tools\?$/ }).waitFor()
      await deny(page)
      await until(() => /denied/.test(output()))
    },
    { skip: noRemote },
  )
})
