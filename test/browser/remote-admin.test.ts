import t from 'tap'
import { full } from './answers.ts'
import { connectorAnswers } from './connector-answers.ts'
import { Answer, type Answers, barriers, chromiumPath, openDashboard, picture } from './page-fixture.ts'
import { noChanges, overridden, pending, wiki } from './remote-answers.ts'

const skip = chromiumPath === undefined && 'no Chromium: install the package chromium'
const DESKTOP = { theme: 'light', width: 1280 } as const

const base: Answers = { ...full, ...connectorAnswers }

t.test('what an admin decides about a registered server', { skip }, async t => {
  const { origin, open } = await openDashboard(t)

  await t.test('an admin previews changes, and accepts exactly those that the page showed', async t => {
    let waiting = false
    let [live, expired] = [false, true]
    const current = () => ({ ...wiki, remote: { ...wiki.remote, ...(waiting && { pending }) } })
    const { page, writes, faults } = await open(
      {
        ...base,
        'GET /api/connectors/org/wiki': current,
        'POST /api/connectors/org/wiki/refresh': ({ body, url }: { body: unknown; url: URL }) => {
          const preview = url.searchParams.get('preview') === '1'
          if (!preview && expired) {
            expired = false
            return new Answer(409, {
              error: 'preview_expired',
              message: 'These changes no longer wait. Preview again.',
            })
          }
          if (!preview) [live, waiting] = [(body as { accept: string }).accept === pending.full_schema_hash, false]
          else waiting = !live
          const changes = live ? noChanges : pending.changes
          return { ...current(), changes, applied: !preview, full_schema_hash: pending.full_schema_hash }
        },
      },
      DESKTOP,
    )
    await page.goto(`${origin}/connectors/org/wiki`)
    await page.getByRole('button', { name: 'Check for changes' }).click()
    const section = page.locator('section', { hasText: '4 changes wait for you' }).last()
    await section.waitFor()
    t.match(await section.textContent(), /3 risky[\s\S]*search_pages[\s\S]*Risky[\s\S]*send the conversation/)
    t.same(
      writes.map(({ body }) => body),
      [{}],
      'a preview accepts nothing',
    )
    const search = section.locator('.change', { hasText: 'search_pages' })
    await search.getByText('Before and now').first().click()
    await search.getByText('Searches the pages of all spaces that you can read').waitFor()
    await search.getByText('Before and now').last().click()
    await search.getByText('"description": "The whole conversation."').waitFor()
    const added = section.locator('.change', { hasText: 'export_space' })
    await added.getByText('Full definition').click()
    await added.getByText('It reads every page.').waitFor()
    await added.getByText('"description": "Its key."').waitFor()
    t.same(await barriers(page), [])
    await picture(page, 'remote-changes-open')
    await page.setViewportSize({ width: 375, height: 900 })
    const cut = await section.evaluate(card => {
      const { right } = card.getBoundingClientRect()
      return [...card.querySelectorAll('.change *')].filter(part => part.getBoundingClientRect().right > right).length
    })
    t.equal(cut, 0, 'no text leaves the card on a phone')
    await picture(page, 'remote-changes-open-phone')
    await page.setViewportSize({ width: 1280, height: 900 })
    const accept = section.getByRole('button', { name: 'Accept exactly these changes' })
    await accept.click()
    await section.getByText('These changes no longer wait. Preview again.').waitFor()
    await accept.click()
    await page.getByText('The changes are live.').waitFor()
    await section.waitFor({ state: 'hidden' })
    t.same(writes.at(-1)?.body, { accept: pending.full_schema_hash })
    t.ok(live)
    await page.getByRole('button', { name: 'Check for changes' }).click()
    await page.getByText('Nothing has changed at the server.').waitFor()
    t.same(faults, [])
  })

  await t.test('an admin renames, moves and removes one', async t => {
    const authorization_params = { prompt: 'select_account', max_age: '60' }
    const oauth = { client_source: 'dcr', issuer: 'https://wiki.example.com', scopes: [], authorization_params }
    const moved = { ...wiki, remote: { ...wiki.remote, oauth } }
    let { name } = wiki
    const { page, writes, faults } = await open(
      {
        ...base,
        'GET /api/connectors/org/wiki': () => ({ ...moved, name }),
        'PATCH /api/connectors/org/wiki': ({ body }: { body: unknown }) => {
          const change = body as { name?: string; upstream_url?: string }
          if (change.upstream_url?.includes('private'))
            return new Answer(400, { error: 'invalid_upstream_url', message: 'It leads to a private address.' })
          name = change.name ?? name
          return { ...moved, name }
        },
        'DELETE /api/connectors/org/wiki': new Answer(204, undefined),
      },
      DESKTOP,
    )
    await page.goto(`${origin}/connectors/org/wiki`)
    const choose = async (item: string) => {
      await page.getByRole('button', { name: /^Actions for (Wiki|Handbook)$/ }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose('Rename')
    await page.getByRole('textbox', { name: 'Name' }).fill('Handbook')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Handbook' }).waitFor()
    await choose('Change the connection')
    await page.getByRole('textbox', { name: 'URL' }).fill('https://private.example.com/mcp')
    await page.getByRole('button', { name: 'Save' }).click()
    const problem = page.locator('.field', { hasText: 'It leads to a private address.' })
    await problem.waitFor()
    await page.getByText('a stored credential is never sent to another server').waitFor()
    await picture(page, 'remote-url-error')
    t.same(await barriers(page), [])
    await page.getByRole('textbox', { name: 'URL' }).fill('https://other.example.com/mcp')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.dialog').waitFor({ state: 'hidden' })
    await choose('Change the connection')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.dialog').waitFor({ state: 'hidden' })
    await choose('Who accepts changes')
    await page.getByText('Harmless changes go live automatically').last().click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.dialog').waitFor({ state: 'hidden' })
    await choose('Remove')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.waitForURL(`${origin}/connectors`)
    const auth = { mode: 'oauth', per: 'member', authorization_params }
    t.same(
      writes.map(({ request, body }) => [request, body]),
      [
        ['PATCH /api/connectors/org/wiki', { name: 'Handbook' }],
        ['PATCH /api/connectors/org/wiki', { upstream_url: 'https://private.example.com/mcp', auth }],
        ['PATCH /api/connectors/org/wiki', { upstream_url: 'https://other.example.com/mcp', auth }],
        ['PATCH /api/connectors/org/wiki', { refresh: 'harmless' }],
        ['DELETE /api/connectors/org/wiki', null],
      ],
    )
    t.same(faults, [])
  })

  await t.test('an admin sets what clients see of a tool, and takes it back', async t => {
    let entry: object = wiki
    const { page, writes, faults } = await open(
      {
        ...base,
        'GET /api/connectors/org/wiki': () => entry,
        'PATCH /api/connectors/org/wiki': ({ body }: { body: unknown }) => {
          const { search_pages: set } = (body as { overrides: { search_pages: { title?: string } | null } }).overrides
          if (set?.title === 'Refused')
            return new Answer(400, {
              error: 'invalid_request',
              message: 'search_pages has no argument "spice" to fix.',
            })
          entry = set === null ? wiki : overridden
          return entry
        },
      },
      DESKTOP,
    )
    await page.goto(`${origin}/connectors/org/wiki`)
    await page.getByRole('button', { name: 'Actions for Search pages' }).click()
    await page.getByRole('menuitem', { name: 'Change for clients' }).click()
    const dialog = page.locator('.dialog')
    await dialog.getByLabel('Title').fill('Refused')
    await dialog.getByLabel('Fixed arguments').fill('[1]')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter a JSON object').waitFor()
    t.same(writes, [], 'only an object is sent')
    await dialog.getByLabel('Fixed arguments').fill('{ "spice": "hot" }')
    await dialog.getByRole('combobox', { name: 'Effect' }).click()
    await picture(page, 'remote-override')
    t.same(await barriers(page), [], 'with the select open')
    await page.getByRole('option', { name: 'Only reads' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('search_pages has no argument "spice" to fix.').waitFor()
    await picture(page, 'remote-override-refused')
    await dialog.getByLabel('Title').fill('Search the handbook')
    await dialog.getByLabel('Description').fill('Searches the public handbook.')
    await dialog.getByLabel('Fixed arguments').fill('{ "space": "public" }')
    await dialog.getByRole('switch', { name: 'Hide this tool' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Searches the public handbook.').waitFor()
    t.same(writes.at(-1)?.body, {
      overrides: {
        search_pages: {
          title: 'Search the handbook',
          description: 'Searches the public handbook.',
          class: 'read',
          hidden: true,
          fixed: { space: 'public' },
        },
      },
    })
    await page.getByText('Changed at the server').waitFor()
    await page.getByRole('button', { name: 'Actions for Search the handbook' }).click()
    await page.getByRole('menuitem', { name: 'Reset' }).click()
    await dialog.getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('button', { name: 'Actions for Search pages' }).waitFor()
    t.same(writes.at(-1)?.body, { overrides: { search_pages: null } })
    t.same(faults, [])
  })

  await t.test('an admin confirms the effects of exactly the tools that the page showed', async t => {
    let entry: object = wiki
    const { page, writes, faults } = await open(
      {
        ...base,
        'GET /api/connectors/org/wiki': () => entry,
        'POST /api/connectors/org/wiki/confirm': () => {
          entry = overridden
          return overridden
        },
      },
      DESKTOP,
    )
    await page.goto(`${origin}/connectors/org/wiki`)
    await page.getByRole('table', { name: 'Tools of Wiki' }).waitFor()
    t.equal(await page.getByText('Server says:').count(), 3, 'before, each effect is only what the server says')
    await page.getByRole('button', { name: 'Confirm the effects' }).click()
    await page.getByText('May delete: 2 tools, with those that say nothing').waitFor()
    await picture(page, 'remote-confirm')
    t.same(await barriers(page), [])
    await page.locator('.dialog').getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Effects confirmed by charles.babbage@example.com').waitFor()
    t.same(writes, [{ ...writes[0], request: 'POST /api/connectors/org/wiki/confirm', body: { hash: 'a'.repeat(64) } }])
    t.equal(await page.getByText('Server says:').count(), 0)
    t.same(faults, [])
  })
})
