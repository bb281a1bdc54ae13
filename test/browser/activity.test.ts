import t from 'tap'
import { activityAnswers, explained } from './activity-answers.ts'
import { full, session } from './answers.ts'
import { connectorAnswers } from './connector-answers.ts'
import { Answer, barriers, chooseOption, chromiumPath, openDashboard, picture, type View } from './page-fixture.ts'

const desktop: View = { theme: 'light', width: 1280 }
const skip = chromiumPath === undefined && 'no Chromium'
const answers = { ...full, ...connectorAnswers, ...activityAnswers }
const { calls } = connectorAnswers['GET /api/usage'] as { calls: object[] }

t.test('what the user sees of calls, and how they call a tool', { skip }, async t => {
  const dashboard = await openDashboard(t)

  await t.test('a new call appears by itself, and filters reach the gateway', async t => {
    const searches: string[] = []
    let shown = calls.slice(1)
    const { page, faults } = await dashboard.open(
      {
        ...answers,
        'GET /api/usage': ({ url }: { url: URL }) => {
          searches.push(url.search)
          return { calls: shown, next_cursor: null }
        },
      },
      desktop,
    )
    await page.goto(`${dashboard.origin}/calls`)
    await page.getByText('video__render').first().waitFor()
    shown = calls
    await page.getByText('github__search_issues').waitFor({ timeout: 10_000 })
    await chooseOption(page.getByRole('combobox', { name: 'Outcome' }), 'Failed')
    await page.waitForURL(/outcome=failed/)
    await chooseOption(page.getByRole('combobox', { name: 'Who' }), 'Nightly report')
    await page.waitForURL(/agent_id=agt_/)
    await page.getByText('video__render').first().waitFor()
    t.match(searches.at(-1), /agent_id=agt_.*outcome=failed/)
    t.same(faults, [])
  })

  await t.test('a failed call says what it means, what fixes it, and whether it would work now', async t => {
    const { page, faults, writes } = await dashboard.open(answers, desktop)
    await page.goto(`${dashboard.origin}/calls`)
    await page.getByRole('button', { name: 'github__delete_file' }).press('Enter')
    await page.getByText('GitHub no longer accepts the credential of account').waitFor()
    await page.getByText('The provider no longer accepts the account.').waitFor()
    t.match(
      await page.getByRole('link', { name: 'Reauthorize the account' }).getAttribute('href'),
      /^\/accounts\/acc_\w+\/reauthorize\?again=github__delete_file&account=work$/,
    )
    await page.getByRole('button', { name: 'Can I call this tool now?' }).click()
    await page.getByText(explained.structuredContent.explanation).waitFor()
    await picture(page, 'flow-explained')
    t.same(await barriers(page), [])
    t.match(writes.at(-1), { body: { params: { arguments: { name: 'github__delete_file', account: 'work' } } } })
    const row = page.getByRole('row').filter({ hasText: 'linear__create_issue' })
    await row.getByText('Rejected by provider').click()
    await page.getByText('The provider did not accept the call.').waitFor()
    t.same(faults, [])
  })

  await t.test('a form with nested arguments calls the tool, and shows the result as text', async t => {
    const { page, faults, writes } = await dashboard.open(
      {
        ...answers,
        'POST /api/mcp': ({ body }: { body: unknown }) => {
          const { method } = body as { method: string }
          const list = connectorAnswers['POST /api/mcp'] as (request: { body: unknown }) => object
          const text = '<img src=x onerror="document.title=1"> **not markup**'
          return method === 'tools/list'
            ? list({ body })
            : { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }] } }
        },
      },
      desktop,
    )
    await page.goto(`${dashboard.origin}/tools/github__search_issues?account=ada`)
    await page.getByLabel('query').fill("it's open")
    await page.getByRole('button', { name: 'Call the tool' }).waitFor()
    await page.getByText('optional arguments').click()
    await chooseOption(page.getByRole('combobox', { name: 'by' }), 'updated')
    await page.getByLabel('limit (optional)').fill('many')
    await page.getByRole('button', { name: 'Call the tool' }).click()
    await page.getByText('Enter a whole number.').waitFor()
    await page.getByLabel('limit (optional)').fill('7')
    await page.getByRole('button', { name: 'Call the tool' }).click()
    await page.locator('.result').waitFor()
    t.match(await page.locator('.result').textContent(), '<img src=x')
    t.equal(await page.locator('.result img').count(), 0)
    await picture(page, 'flow-result')
    t.same(await barriers(page), [])
    const called = writes.map(({ body }) => body as { method: string; params: object })
    t.match(
      called.filter(({ method }) => method === 'tools/call').map(({ params }) => params),
      [{ arguments: { query: "it's open", limit: 7, account: 'ada', sort: { by: 'updated' } } }],
    )
    t.match(await page.locator('.snippet').textContent(), "it'\\''s open")
    t.same(faults, [])
  })

  await t.test('the form says what the call will cost, with its present arguments', async t => {
    const quotes = ({ body }: { body: unknown }) => {
      const { query = '' } = (body as { arguments: { query?: string } }).arguments
      return { metered: true, hold_micros: query === '' ? null : query.length * 1_000 }
    }
    const { page, faults } = await dashboard.open({ ...answers, 'POST /api/tool-quotes': quotes }, desktop)
    await page.goto(`${dashboard.origin}/tools/github__search_issues?account=ada`)
    await page.getByText('The call costs money. Complete the arguments').waitFor()
    await page.getByLabel('query').fill('words')
    await page.getByText('The call holds $0.005 until its cost is known.').waitFor()
    const free = await dashboard.open(answers, desktop)
    await free.page.goto(`${dashboard.origin}/tools/github__search_issues`)
    await free.page.getByText('The call is free.').waitFor()
    t.same([...faults, ...free.faults], [])
  })

  await t.test('the page of clients waits for a client, or names its last call, then says what it called', async t => {
    const created = { ...(full['GET /api/api-keys'] as { api_keys: object[] }).api_keys[0], key: 'cgw_live_secret' }
    let shown: object[] = []
    const { page, faults } = await dashboard.open(
      {
        ...answers,
        'GET /api/usage': ({ url }: { url: URL }) => ({
          calls: url.searchParams.get('user_id') === session.user.id ? shown : [],
          next_cursor: null,
        }),
        'POST /api/api-keys': new Answer(201, created),
      },
      desktop,
    )
    await page.goto(`${dashboard.origin}/clients`)
    await page.getByText('Waiting for your client').waitFor()
    shown = calls
    await page.reload()
    await page.getByText('The next call appears here.').waitFor()
    t.equal(await page.getByText('Waiting for your client').count(), 0)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Claude Code')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('export CGW_KEY=cgw_live_secret').waitFor()
    t.equal(await page.getByRole('tab', { name: 'By signing in' }).count(), 0, 'no issuer signs this client in')
    shown = [{ ...calls[0], id: 'use_new', at: new Date().toISOString() }, ...calls]
    await page.getByText(/^Claude.Code called a tool\.$/i).waitFor({ timeout: 10_000 })
    await picture(page, 'flow-client')
    t.same(await barriers(page), [])
    t.equal(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }).includes('secret')), false)
    t.same(faults, [])
  })
})
