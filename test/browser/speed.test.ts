import t from 'tap'
import { contention } from './cpu-time.ts'
import { browserFixture } from './gateway-fixture.ts'
import { chromiumPath } from './page-fixture.ts'

const skip = chromiumPath === undefined && 'no Chromium: install the package chromium'
/** From the navigation to the first data, on two idle cores. */
const USABLE_MS = 1_500

t.test('the start page is usable in under 1.5 s, with nothing in the cache', { skip }, async t => {
  const { test, open, directory, url } = await browserFixture(t)
  const [owner] = await directory.members('owner')
  await owner.key()

  await test('its heading and its first data are there', async t => {
    const { page, context, signIn } = await open()
    await signIn(owner.userId)
    const protocol = await context.newCDPSession(page)
    await protocol.send('Network.setCacheDisabled', { cacheDisabled: true })
    // Measured in the page, so that only its own work counts: the steps are shown once connectors, keys and calls are read.
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        if (document.querySelector('h1') === null || document.querySelector('.steps') === null) return
        if (document.querySelector('.skeleton') !== null) return
        observer.disconnect()
        requestAnimationFrame(() => performance.mark('usable'))
      })
      observer.observe(document, { childList: true, subtree: true })
    })
    const times: { ms: number; slower: number }[] = []
    for (let round = 0; round < 5; round++) {
      const before = contention()
      await page.goto(url)
      const ms = await page
        .waitForFunction(() => performance.getEntriesByName('usable')[0]?.startTime)
        .then(handle => handle.jsonValue())
      times.push({ ms: ms ?? Number.NaN, slower: Math.max(before, contention()) })
    }
    t.comment(times.map(({ ms, slower }) => `${Math.round(ms)} ms (contention ${slower.toFixed(1)})`).join(', '))
    // The best of five: a busy machine disturbs some of them.
    t.ok(
      times.some(({ ms, slower }) => ms <= USABLE_MS * slower),
      `at most ${USABLE_MS} ms`,
    )
  })
})

/** What a page may transfer until it is finished, with nothing in the cache. The start page took 199.6 KB when this was set. */
const BUDGET = { kilobytes: 210, requests: 15 }

t.test('the sign-in page and the start page transfer at most 210 KB in 15 requests', { skip }, async t => {
  const { test, open, directory, url } = await browserFixture(t)
  const [owner] = await directory.members('owner')

  await test('files and answers together, as they are sent', async t => {
    const { page, context, signIn } = await open()

    async function transferred(path: string, finished: string): Promise<void> {
      const protocol = await context.newCDPSession(page)
      await protocol.send('Network.enable')
      await protocol.send('Network.setCacheDisabled', { cacheDisabled: true })
      const sizes: number[] = []
      await page.goto('about:blank')
      protocol.on('Network.loadingFinished', ({ encodedDataLength }) => sizes.push(encodedDataLength))
      await page.goto(url + path)
      await page.locator(finished).first().waitFor()
      await page.waitForLoadState('networkidle')
      await protocol.detach()
      const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1024
      t.comment(`${path}: ${kilobytes.toFixed(1)} KB in ${sizes.length} requests`)
      t.ok(sizes.length > 4, 'the requests were counted')
      t.ok(sizes.length <= BUDGET.requests, `${path} sends ${sizes.length} requests`)
      t.ok(kilobytes <= BUDGET.kilobytes, `${path} transfers ${kilobytes.toFixed(1)} KB`)
    }

    await transferred('/sign-in', 'h1')
    await signIn(owner.userId)
    await transferred('/', '.steps pre, .steps code')
  })
})
