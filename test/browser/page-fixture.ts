import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import type { Test } from 'tap'
import { BRAND_ICONS } from '../../services/connectors/brand-icons.ts'

/** The answers of the fake gateway by `GET /api/me`. A function gets the body and the URL of the request. */
export type Answers = Record<string, unknown | ((request: { body: unknown; url: URL }) => unknown)>

/** How long a page may take on a busy machine. */
export const PAGE_LIMIT_MS = 120_000

/** Chooses an option of a list. A list that still opens ignores the click of a fast user, so it is repeated. */
export async function chooseOption(list: Locator, name: string): Promise<void> {
  const option = list.page().getByRole('option', { name })
  do {
    if (!(await option.isVisible())) await list.click()
    await option.click()
    await option.waitFor({ state: 'hidden' })
  } while (!(await list.textContent())?.includes(name))
}

/** An answer with a status other than 200. */
export class Answer {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    this.status = status
    this.body = body
  }
}

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'"
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
const ICONS = new Map(Object.entries(BRAND_ICONS).map(([slug, icon]) => [`/icons/${slug}.svg`, icon]))
const built = join(import.meta.dirname, '../../dist/dashboard')

/** The path of a Chromium on this machine; undefined without one. */
export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
)

/** How a page is shown. */
export interface View {
  theme: 'light' | 'dark'
  width: number
}

/** Builds the page, serves it with its content security policy, and starts Chromium. All of it ends with the test. */
export async function openDashboard(t: Test) {
  execFileSync(process.execPath, ['dashboard/build.ts', '--if-changed'])
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page')
    const icon = ICONS.get(pathname)
    if (icon !== undefined)
      return response
        .writeHead(200, { 'content-type': 'image/svg+xml' })
        .end(icon.svg.replace('<svg', `<svg fill="${icon.color}"`))
    const file = join(built, pathname.startsWith('/assets/') ? pathname : 'index.html')
    if (!existsSync(file)) return response.writeHead(404).end()
    const type = TYPES[extname(file)] ?? 'application/octet-stream'
    return response.writeHead(200, { 'content-type': type, 'content-security-policy': CSP }).end(readFileSync(file))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] })
  t.teardown(async () => {
    await browser.close()
    server.closeAllConnections()
    server.close()
  })
  return {
    origin,
    /** Opens a tab with the answers of a gateway; signed in unless told otherwise. */
    open: (answers: Answers, view: View, options: { signedIn?: boolean } = {}) =>
      openTab(browser, origin, { answers, view, signedIn: options.signedIn ?? true }),
  }
}

interface Tab {
  page: Page
  context: BrowserContext
  /** What must not happen: violations of the policy, errors of the page, requests to another host. */
  faults: string[]
  /** The URLs that the test answered with an error. */
  refused: Set<string>
  /** The writes that the page sent: `POST /api/agents` and the body. */
  writes: { request: string; body: unknown; headers: Record<string, string> }[]
}

interface TabOptions {
  answers: Answers
  view: View
  signedIn: boolean
}

async function openTab(browser: Browser, origin: string, { answers, view, signedIn }: TabOptions): Promise<Tab> {
  const context = await browser.newContext({
    viewport: { width: view.width, height: view.width < 500 ? 812 : 900 },
    colorScheme: view.theme,
    hasTouch: view.width < 500,
    isMobile: view.width < 500,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(PAGE_LIMIT_MS)
  const page = await context.newPage()
  const tab: Tab = { page, context, faults: [], refused: new Set(), writes: [] }
  // Fails the pages that are not served from here, so that no request leaves the machine.
  await context.route('**/*', async route => {
    const request = route.request()
    const url = new URL(request.url())
    if (url.origin !== origin) {
      tab.faults.push(`request to ${url.href}`)
      return route.abort()
    }
    if (!/^\/(api|auth)\//.test(url.pathname) || request.resourceType() === 'document') return route.continue()
    return answer(route, tab, { answers, url })
  })
  page.on('pageerror', error => tab.faults.push(String(error)))
  page.on('console', message => {
    const { url } = message.location()
    // The browser itself reports each answer with an error; those of the test are no faults.
    if (message.type() === 'error' && !(message.text().startsWith('Failed to load') && tab.refused.has(url)))
      tab.faults.push(`${message.text()} ${url}`)
  })
  await page.addInitScript(session => {
    if (session && location.protocol === 'http:') localStorage.setItem('dashboard-token', 'browser-test')
    document.addEventListener('securitypolicyviolation', event =>
      // Runs in the browser; the listener above reads it.
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    )
  }, signedIn)
  return tab
}

async function answer(
  route: Parameters<Parameters<BrowserContext['route']>[1]>[0],
  tab: Tab,
  { answers, url }: { answers: Answers; url: URL },
): Promise<void> {
  const request = route.request()
  const name = `${request.method()} ${url.pathname}`
  const body = request.postDataJSON() as unknown
  if (request.method() !== 'GET') tab.writes.push({ request: name, body, headers: request.headers() })
  const found = answers[name] ?? new Answer(404, { message: `The test has no answer to ${name}.`, code: 'not_found' })
  const made = typeof found === 'function' ? await found({ body, url }) : found
  const { status, body: json } = made instanceof Answer ? made : { status: 200, body: made }
  if (status >= 400 && name in answers) tab.refused.add(request.url())
  if (status === 204) return route.fulfill({ status })
  return route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(json) })
}

const axe = readFileSync(join(import.meta.dirname, '../../node_modules/axe-core/axe.min.js'), 'utf8')

/**
 * The serious faults of accessibility that axe finds: `rule: element`. It leaves out the guards around menus, which pass
 * the focus on.
 */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(context: object): Promise<{ violations: Violation[] }> } }
    interface Violation {
      id: string
      impact: string
      nodes: { html: string; failureSummary: string }[]
    }
    const { violations } = await axe.run({ exclude: ['[data-base-ui-focus-guard]'] })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
  })
}

/** Stores a picture of the whole page in the folder `screenshots`, which git ignores, or in SCREENSHOTS. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS ?? join(import.meta.dirname, '../../screenshots')
  mkdirSync(folder, { recursive: true })
  // A window as high as the page: the navigation is as high as the window.
  const window = page.viewportSize() ?? { width: 0, height: 0 }
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ ...window, height: Math.max(height, window.height) })
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
  await page.setViewportSize(window)
}

/** Stores a picture of the window for the docs, as WebP, which Chromium itself encodes. */
export async function docsPicture(page: Page, name: string): Promise<void> {
  const png = await page.screenshot({ animations: 'disabled' })
  const encoder = await page.context().browser()?.newPage()
  const url = await encoder?.evaluate(async base64 => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob())
    const canvas = Object.assign(document.createElement('canvas'), { width: bitmap.width, height: bitmap.height })
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
    return canvas.toDataURL('image/webp', 0.9)
  }, png.toString('base64'))
  await encoder?.close()
  const [, data = ''] = url?.split(',') ?? []
  writeFileSync(join(import.meta.dirname, `../../docs/images/${name}.webp`), Buffer.from(data, 'base64'))
}
