import t from 'tap'
import { full as people } from './answers.ts'
import { connectorAnswers } from './connector-answers.ts'
import { Answer, type Answers, chromiumPath, openDashboard, type View } from './page-fixture.ts'
import { overridden, pending, wiki } from './remote-answers.ts'

const desktop: View = { theme: 'light', width: 1280 }
const server = { ...overridden, remote: { ...wiki.remote, ...overridden.remote, pending, next_step: 'Wait.' } }
const full: Answers = { ...people, ...connectorAnswers, 'GET /api/connectors/org/wiki': server }
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
      const tools = full['POST /api/mcp'] as (request: { body: unknown }) => object
      const answers = {
        ...full,
        'POST /api/mcp': (request: { body: unknown }) =>
          (request.body as { method: string }).method === 'tools/call'
            ? { jsonrpc: '2.0', id: 1, result: { isError: true, content: [{ type: 'text', text }] } }
            : tools(request),
      }
      const { page, faults, context } = await dashboard.open(answers, desktop)
      await page.goto(`${dashboard.origin}/tools/github__search_issues`)
      await page.getByRole('button', { name: 'As JSON' }).click()
      await page.getByRole('button', { name: 'Call the tool' }).click()
      const notice = page.getByText('The call failed.')
      await notice.waitFor()
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

  await t.test('names, descriptions and aliases are only text', async t => {
    const { page, faults, context } = await dashboard.open(hostile(full) as Answers, desktop)
    for (const path of [
      '/connectors/github',
      '/connectors/org/wiki',
      '/tools/github__search_issues',
      '/keys',
      '/agents',
      '/members',
      '/sessions',
    ]) {
      await page.goto(dashboard.origin + path)
      await page.locator('main').getByText('<img src=x').first().waitFor()
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
