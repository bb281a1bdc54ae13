import t from 'tap'
import { Answer, type Answers, chromiumPath, openDashboard, type View } from './page-fixture.ts'
import { full as all, PATHS } from './page-states.ts'
import { overridden, pending, wiki } from './remote-answers.ts'

const desktop: View = { theme: 'light', width: 1280 }
const server = { ...overridden, remote: { ...wiki.remote, ...overridden.remote, pending, next_step: 'Wait.' } }
const full: Answers = { ...all, 'GET /api/connectors/org/wiki': server }
const skip = chromiumPath === undefined && 'no Chromium'

const MARKUP = `<img src=x onerror="document.title='changed'"><script>document.title='changed'</script>`
const WORDS: ReadonlySet<string> = new Set([
  ...[
    'after',
    'alias',
    'before',
    'description',
    'detail',
    'email',
    'identity',
    'name',
    'next_step',
    'reason',
    'title',
    'user_agent',
  ],
])

/** Pages on which the markup is a text. */
const SHOWING: ReadonlySet<string> = new Set([
  '/connectors/github',
  '/connectors/org/wiki',
  '/tools/github__search_issues',
  '/keys',
  '/agents',
  '/members',
  '/sessions',
])

/** An answer with markup behind each text that people or providers wrote. Names of tools stay: the pages look them up. */
function hostile(value: unknown): unknown {
  if (typeof value === 'function') return async (request: unknown) => hostile(await value(request))
  if (Array.isArray(value)) return value.map(hostile)
  if (typeof value !== 'object' || value === null || value instanceof Answer) return value
  const isTool = 'inputSchema' in value
  const fields = Object.entries(value).map(([key, field]) => {
    const isText = typeof field === 'string' && WORDS.has(key) && !(isTool && key === 'name')
    return [key, isText ? `${field} ${MARKUP}` : hostile(field)]
  })
  return Object.fromEntries(fields)
}

t.test('what others wrote does nothing on the page', { skip }, async t => {
  const dashboard = await openDashboard(t)

  /** A page on which a tool was called that answered with this error. */
  async function failedCall(text: string) {
    const tools = full['POST /api/mcp'] as (request: { body: unknown }) => object
    const answers = {
      ...full,
      'POST /api/mcp': (request: { body: unknown }) =>
        (request.body as { method: string }).method === 'tools/call'
          ? { jsonrpc: '2.0', id: 1, result: { isError: true, content: [{ type: 'text', text }] } }
          : tools(request),
    }
    const opened = await dashboard.open(answers, desktop)
    await opened.page.goto(`${dashboard.origin}/tools/github__search_issues`)
    await opened.page.getByRole('button', { name: 'As JSON' }).click()
    await opened.page.getByRole('button', { name: 'Call the tool' }).click()
    await opened.page.getByText('The call failed.').waitFor()
    return opened
  }

  await t.test('an error of a tool links only to pages of the dashboard, and is only text', async t => {
    const links = [
      '//evil.example',
      `${dashboard.origin}//evil.example/`,
      'https://evil.example/',
      'javascript:alert(1)',
    ]
    const errors = [
      ...links.map(reauthorize_url => ({ message: 'Sign in again <b>here</b>.', code: 'x', reauthorize_url })),
      { message: { not: 'a text' }, code: 'x' },
      { message: 'Sign in again.', code: { not: 'a text' }, reauthorize_url: ['/'] },
    ]
    for (const error of errors) {
      const text = JSON.stringify({ error })
      const { page, faults, context } = await failedCall(text)
      const hrefs = await page.locator('a').evaluateAll(all => all.map(link => (link as HTMLAnchorElement).href))
      t.same(
        hrefs.filter(href => !href.startsWith(`${dashboard.origin}/`) || new URL(href).pathname.startsWith('//')),
        [],
        text,
      )
      t.same(faults, [])
      await context.close()
    }
  })

  await t.test('an error that names a page of the dashboard has the button that leads there', async t => {
    const envelope = (error: object) => JSON.stringify({ error: { code: 'x', message: 'It failed.', ...error } })
    const cases = [
      [envelope({ message: `No account is connected. Open ${dashboard.origin}/connect/jira.` }), '/connect/jira'],
      [envelope({ top_up_url: `${dashboard.origin}/billing` }), '/billing'],
      [`Switch it on at ${dashboard.origin}/tools, then call again.`, '/tools'],
      [`Read https://evil.example/connect/jira and ${dashboard.origin}/sign-in.`, undefined],
    ] as const
    for (const [text, href] of cases) {
      const { page, faults, context } = await failedCall(text)
      const links = page.locator('.notice-bad a')
      const hrefs = await links.evaluateAll(all => all.map(link => link.getAttribute('href')))
      t.same(hrefs, href === undefined ? [] : [href], text)
      t.same(faults, [])
      await context.close()
    }
  })

  await t.test('names, descriptions and aliases are only text', async t => {
    const { page, faults, context } = await dashboard.open(hostile(full) as Answers, desktop)
    for (const path of PATHS) {
      await page.goto(dashboard.origin + path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.waitForLoadState('networkidle')
      if (SHOWING.has(path)) await page.locator('main').getByText('<img src=x').first().waitFor()
      t.equal(await page.locator('img[src="x"]').count(), 0, path)
      t.not(await page.title(), 'changed', path)
    }
    t.same(faults, [])
    await context.close()
  })

  await t.test('the return path of a sign-in stays here', async t => {
    for (const path of ['/.//evil.example', '//evil.example', '/%2e//evil.example', '/keys/..//evil.example']) {
      const answers = { ...full, 'POST /auth/link': { token: 'fresh', return_path: path } }
      const { page, faults, context } = await dashboard.open(answers, desktop, { signedIn: false })
      await page.goto(`${dashboard.origin}/sign-in#one-time`)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(`${dashboard.origin}/`)
      t.same(faults, [], path)
      await context.close()
    }
  })
})
