import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import type { Test } from 'tap'
import { createPageFiles } from '../../services/dashboard/page-files.ts'
import { dashboardFixture } from '../dashboard/dashboard-fixture.ts'
import type { BuildOptions } from '../fixtures/build.ts'
import { freePort } from '../fixtures/free-port.ts'
import { chromiumPath, PAGE_LIMIT_MS, type View } from './page-fixture.ts'

const DESKTOP: View = { theme: 'light', width: 1280 }

interface OpenOptions {
  view?: View
  hosts?: readonly string[]
  refusals?: readonly number[]
}

/** A browser profile of its own: its cookies and its storage. */
interface Profile {
  context: BrowserContext
  page: Page
  /** What must not happen: violations of the policy, errors of the page, 5xx answers, requests to another host. */
  faults: string[]
  /** Signs a user in with a link, as they do it. */
  signIn(userId: string): Promise<void>
}

/**
 * The gateway and the dashboard on ports of their own and on the test database, with the built page and Chromium. All of it
 * ends with the test. `optionsAt` gets the origin of the dashboard.
 */
export async function browserFixture(t: Test, optionsAt: (url: string) => Promise<BuildOptions> = async () => ({})) {
  execFileSync(process.execPath, ['dashboard/build.ts', '--if-changed'])
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const options = await optionsAt(url)
  const fixture = await dashboardFixture(t, {
    ...options,
    settings: { publicOrigins: at => [`http://127.0.0.1:${at}`], ...options.settings },
    url,
    pages: createPageFiles(join(import.meta.dirname, '../../dist/dashboard')),
  })
  await fixture.dashboard.listen({ host: '127.0.0.1', port })
  const gateway = await fixture.app.listen({ host: '127.0.0.1', port: 0 })
  const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] })
  t.teardown(() => browser.close())

  const opened: Profile[] = []

  /**
   * Opens a browser profile, until the subtest ends. `hosts` are origins that it may ask besides the dashboard, `refusals`
   * the statuses above 399 that the dashboard is to answer.
   */
  async function open({ view = DESKTOP, hosts = [], refusals = [] }: OpenOptions = {}): Promise<Profile> {
    const profile = await openProfile(browser, { view, url, hosts, refusals })
    const signed: Profile = {
      ...profile,
      async signIn(userId) {
        const { link } = await fixture.services.signInLinks.create(userId)
        await profile.page.goto(link)
        await profile.page.getByRole('button', { name: 'Sign in' }).click()
        await profile.page.getByRole('navigation', { name: 'Pages' }).or(menuOf(profile.page)).first().waitFor()
      },
    }
    opened.push(signed)
    return signed
  }

  /** A subtest that fails if one of its browsers has a fault. */
  function test(name: string, run: (t: Test) => Promise<void>, { skip = false }: { skip?: string | boolean } = {}) {
    return t.test(name, { skip }, async t => {
      try {
        await run(t)
        for (const { faults } of opened) t.same(faults, [], 'the browser reports no fault')
      } finally {
        for (const { context } of opened.splice(0)) await context.close()
      }
    })
  }

  return { ...fixture, url, gateway, open, test }
}

/** The button that opens the navigation on a phone. */
export function menuOf(page: Page) {
  return page.getByRole('button', { name: 'Menu' })
}

async function openProfile(
  browser: Browser,
  { view, url: own, hosts, refusals }: Required<OpenOptions> & { url: string },
): Promise<Omit<Profile, 'signIn'>> {
  const phone = view.width < 500
  const context = await browser.newContext({
    viewport: { width: view.width, height: phone ? 812 : 900 },
    colorScheme: view.theme,
    hasTouch: phone,
    isMobile: phone,
  })
  context.setDefaultTimeout(PAGE_LIMIT_MS)
  const faults: string[] = []
  const isOther = (text: string) => hosts.includes(new URL(text).origin)
  // Nothing leaves the machine, whatever a page asks for. Pages of the other hosts may try to.
  await context.route(
    url => url.origin !== own && !hosts.includes(url.origin) && url.protocol !== 'data:',
    route => {
      const request = route.request()
      if (request.isNavigationRequest() || !isOther(request.frame().url())) faults.push(`request to ${request.url()}`)
      return route.abort()
    },
  )
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', event =>
      // Runs in the browser; the listener below reads it.
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    ),
  )
  context.on('weberror', error => faults.push(String(error.error())))
  context.on('console', message => {
    if (message.type() !== 'error' || isOther(message.page()?.url() ?? own)) return
    // The browser itself reports each answer with an error.
    const status = Number(/^Failed to load resource: .* status of (\d+)/.exec(message.text())?.[1])
    if (!refusals.includes(status)) faults.push(`${message.text()} ${message.location().url}`)
  })
  return { context, page: await context.newPage(), faults }
}
