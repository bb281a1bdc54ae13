import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { browserFixture } from './gateway-fixture.ts'
import { chromiumPath } from './page-fixture.ts'

const skip = chromiumPath === undefined && 'no Chromium: install the package chromium'

/** A server of somebody else on another port of this machine, with an empty page that may do anything. */
async function neighbor(t: Test) {
  const server = createServer((_request, response) => {
    response.setHeader('set-cookie', 'neighbor=1; Path=/')
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Neighbor</title><body></body>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('a page on another port of the same host cannot act as the signed-in user', { skip }, async t => {
  const { test, open, directory, url, services } = await browserFixture(t)
  const [owner] = await directory.members('owner')
  const other = await neighbor(t)
  const ended = `${url}/api/sign-out`

  /** A user who is signed in, with the neighbor's page in a second tab. */
  async function victim() {
    const profile = await open({ hosts: [other] })
    await profile.signIn(owner.userId)
    const page = await profile.context.newPage()
    await page.goto(other)
    return { ...profile, evil: page }
  }

  await test('its forms and requests carry the cookie and are refused', async t => {
    const { evil, page, faults } = await victim()
    const sent: { status: number; cookie: boolean }[] = []
    evil.on('response', async response => {
      const { cookie } = await response.request().allHeaders()
      sent.push({ status: response.status(), cookie: cookie?.includes('gw=') === true })
    })
    for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
      await evil.evaluate(
        ([target, type]) =>
          fetch(target, {
            method: 'POST',
            mode: 'no-cors',
            credentials: 'include',
            headers: { 'content-type': type },
            body: '{}',
          }),
        [ended, type] as const,
      )
    const read = (target: string, headers = {}) =>
      evil.evaluate(
        ([target, headers]) =>
          fetch(target, { credentials: 'include', headers }).then(
            answer => answer.status,
            () => 'blocked',
          ),
        [target, headers] as const,
      )
    t.equal(await read(`${url}/api/session`), 'blocked')
    t.equal(await read(`${url}/api/session`, { 'x-dashboard-token': 'guess' }), 'blocked', 'the preflight is refused')
    await evil.evaluate(target => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', action: target, enctype: 'text/plain' })
      document.body.append(form)
      form.submit()
    }, ended)
    await evil.waitForURL(ended)
    t.equal(sent.filter(({ status }) => status < 400).length, 0)
    t.ok(
      sent.some(({ cookie }) => cookie),
      'the cookie does not belong to a port',
    )

    await page.goto(`${url}/sessions`)
    await page.getByText('This browser').waitFor()
    // What the browser itself says about the refused requests.
    const ownRequests = faults.filter(fault => !/CORS|Failed to load/.test(fault))
    faults.splice(0, faults.length, ...ownRequests)
  })

  await test('it cannot show the dashboard in a frame', async t => {
    const { evil, faults } = await victim()
    await evil.evaluate(target => {
      const frame = document.createElement('iframe')
      frame.src = target
      document.body.append(frame)
      return new Promise(resolve => frame.addEventListener('load', resolve))
    }, `${url}/keys`)
    const [, frame] = evil.frames()
    t.notMatch(await frame?.content(), 'API keys')
    t.ok(faults.splice(0).every(fault => /frame-ancestors|policy/i.test(fault)))
  })

  await test('a planted session cookie signs nobody in, and a sign-in replaces it', async t => {
    const profile = await open({ hosts: [other] })
    const plant = (path: string) =>
      profile.context.addCookies([{ name: 'gw', value: 'p'.repeat(43), url: `${other}${path}` }])
    await plant('/')
    await profile.page.goto(`${url}/keys`)
    await profile.page.getByRole('heading', { name: 'Sign in with a link' }).waitFor()
    await profile.signIn(owner.userId)
    const cookies = await profile.context.cookies(url)
    t.notMatch(
      cookies.map(({ value }) => value),
      ['p'.repeat(43)],
    )
    for (const path of ['/api', '/api/session', '/api/api-keys'])
      await profile.context.addCookies([{ name: 'gw', value: 'p'.repeat(43), domain: '127.0.0.1', path }])
    await profile.page.goto(`${url}/keys`)
    await profile.page.getByRole('heading', { name: 'API keys' }).waitFor()
    await profile.page.getByText('No keys yet').waitFor()
  })

  await test('a return path leads nowhere else', async t => {
    const { page } = await victim()
    for (const path of [
      '//evil.example',
      '/\\evil.example',
      '/%5cevil.example',
      'javascript:alert(1)',
      'https://evil.example/',
    ]) {
      const { link } = await services.signInLinks.create(owner.userId)
      await page.goto(`${url}/sign-in?return=${encodeURIComponent(path)}${new URL(link).hash}`)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('navigation', { name: 'Pages' }).waitFor()
      t.equal(new URL(page.url()).origin, url)
    }
  })
})
